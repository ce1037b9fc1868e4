public import Counting

/// Which events are meant; what is `nil` is all the same.
public struct EventFilter: Equatable, Sendable {
  /// Those of these counters, which may have been removed.
  public var counters: Set<Counter.ID>?
  /// Those that this program asked for.
  public var producer: String?
  /// Those of a device whose name holds this, whatever the case of its Latin letters.
  public var device: String?
  /// Those of this gesture: "press" is any press, "press KEY_B" that of one key.
  public var gesture: String?
  /// Those from this moment on, in microseconds since 1970.
  public var from: Int64?
  /// Those before this moment.
  public var until: Int64?

  public init(
    counters: Set<Counter.ID>? = nil, producer: String? = nil, device: String? = nil, gesture: String? = nil,
    from: Int64? = nil, until: Int64? = nil
  ) {
    self.counters = counters
    self.producer = producer
    self.device = device
    self.gesture = gesture
    self.from = from
    self.until = until
  }

  var asksForCause: Bool { producer != nil || device != nil || gesture != nil }

  var asksForTime: Bool { from != nil || until != nil }

  /// The numbers of the causes that are meant, as a query with three parameters of its own.
  static let causes = """
    SELECT id FROM cause WHERE (?1 IS NULL OR producer = ?1) AND (?2 IS NULL OR instr(lower(device), lower(?2)))
      AND (?3 IS NULL OR gesture = ?3 OR substr(gesture, 1, length(?3) + 1) = ?3 || ' ')
    """

  var causeValues: [Statement.Value] { [.init(producer), .init(device), .init(gesture)] }
}
