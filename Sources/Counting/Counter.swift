/// A counter as it stands.
///
/// Value, start, steps, limits and target are whole numbers of the counter's unit: 10 to the power of −``decimals``, or a
/// microsecond for a stopwatch.
public struct Counter: Equatable, Sendable {
  /// What the events refer to; never given out twice, so that a name can be used again. Counters and groups share them.
  public struct ID: Hashable, Comparable, Sendable {
    public let number: Int64
    public init(_ number: Int64) { self.number = number }
    public static func < (one: ID, other: ID) -> Bool { one.number < other.number }
  }

  /// What a counter does. The raw value is what the socket calls it.
  public enum Kind: String, Sendable {
    case simple
    /// It has a target.
    case goal
    case stopwatch
  }

  /// What happens to a count that would pass a limit. The raw value is what the socket and the journal call it.
  public enum Limits: String, Sendable {
    /// Nothing; it is an error.
    case refuse
    /// It goes as far as the limit, and its event says so.
    case stop
  }

  public let id: ID
  public var name: CounterName
  /// What people read; the name where no title was given.
  public var title: String
  /// The name of a colour or `#rrggbb`; empty for none.
  public var colour = ""
  /// An emoji or a few letters; empty for none.
  public var icon = ""
  /// What people want to remember of it; empty for nothing.
  public var note = ""
  /// Words to find it by.
  public var tags: [String] = []
  /// The group it belongs to; `nil` for none.
  public var group: ID?
  /// Its place among the counters of its group: the lower, the earlier.
  public var order: Int64 = 0
  /// Whether it is put away: kept with its history, and passed over by `next` and `previous`.
  public var isArchived = false
  /// Whether it refuses everything but unlocking.
  public var isLocked = false

  /// How many digits of the value stand behind the decimal point: 0 to 9, for good.
  public let decimals: Int64
  /// Whether it counts time, for good.
  public let isStopwatch: Bool
  /// The value it began with, and that a reset goes back to.
  public var start: Int64
  /// How much one gesture adds: 1 or more.
  public var step: Int64
  /// How much one gesture takes off, where that is not the same.
  public var stepDown: Int64?
  public var minimum: Int64?
  public var maximum: Int64?
  public var limits = Limits.refuse
  /// What the value is to become.
  public var target: Int64?
  /// After how many the event says so: 10 for every ten.
  public var every: Int64?

  /// When it begins anew by itself, as a ``Schedule`` is written.
  public var period: String?

  /// What was counted; for a stopwatch that runs, the time up to ``since``.
  public var value: Int64
  /// Since when it counts from its start, in microseconds since 1970: when it was made, reset, or began anew.
  public var began: Int64?
  /// When it begins anew next, in microseconds since 1970.
  public var renewsAt: Int64?
  /// When the target was reached, in microseconds since 1970, as long as it is.
  public var reachedAt: Int64?
  /// When the stopwatch was started, or its last lap began, in microseconds since 1970; `nil` while it stands.
  public var since: Int64?
  /// The same moment on the clock of ``boot``, in microseconds.
  public var boottime: Int64?
  /// Which run of the machine ``boottime`` is of.
  public var boot: String?
  /// The stopwatch's value at the end of its last lap.
  public var lapped: Int64 = 0

  public init(
    id: ID, name: CounterName, title: String, start: Int64, step: Int64, value: Int64, decimals: Int64 = 0,
    isStopwatch: Bool = false
  ) {
    self.id = id
    self.name = name
    self.title = title
    self.start = start
    self.step = step
    self.value = value
    self.decimals = decimals
    self.isStopwatch = isStopwatch
  }

  public var kind: Kind { isStopwatch ? .stopwatch : target == nil ? .simple : .goal }
}
