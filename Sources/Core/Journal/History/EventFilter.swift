public import Counting

/// The conditions of a search. All that are not `nil` must hold.
public struct EventFilter: Equatable, Sendable {
  /// Events of these counters, removed ones included.
  public var counters: Set<Counter.ID>?
  /// Events caused by this program.
  public var producer: String?
  /// Events of a device whose name contains this; the case of Latin letters is ignored.
  public var device: String?
  /// Events of this gesture: "press" matches any press, "press KEY_B" that of one key.
  public var gesture: String?
  /// Events from this time on, in microseconds since 1970.
  public var from: Int64?
  /// Events before this time.
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

  /// A query of the IDs of matching causes, with three parameters.
  static let causes = """
    SELECT id FROM cause WHERE (?1 IS NULL OR producer = ?1) AND (?2 IS NULL OR instr(lower(device), lower(?2)))
      AND (?3 IS NULL OR gesture = ?3 OR substr(gesture, 1, length(?3) + 1) = ?3 || ' ')
    """

  var causeValues: [Statement.Value] { [.init(producer), .init(device), .init(gesture)] }
}
