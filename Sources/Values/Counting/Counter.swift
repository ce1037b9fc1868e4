/// The state of a counter.
///
/// Value, start, steps, limits and target are integers in the counter's unit: 10 to the power of −``decimals``, or a
/// microsecond for a stopwatch.
public struct Counter: Equatable, Sendable {
  /// The ID that events refer to. It is never reused, so a name can be used again. Counters, groups and formulas share
  /// one number range.
  public struct ID: Hashable, Comparable, Sendable {
    public let number: Int64
    public init(_ number: Int64) { self.number = number }
    public static func < (one: ID, other: ID) -> Bool { one.number < other.number }
  }

  /// The kind of a counter. The raw value is the name in the interface.
  public enum Kind: String, Sendable {
    case simple
    /// The counter has a target.
    case goal
    case stopwatch
  }

  /// The treatment of a count beyond a limit. The raw value is the name in the interface and the journal.
  public enum Limits: String, Sendable {
    /// The count is refused with an error.
    case refuse
    /// The value stops at the limit, and the event is marked as limited.
    case stop
  }

  public let id: ID
  public var name: CounterName
  /// The title to show; the name if no title was set.
  public var title: String
  /// The name of a colour or `#rrggbb`; empty for none.
  public var colour = ""
  /// An emoji or a few letters; empty for none.
  public var icon = ""
  /// A note for the user; empty for none.
  public var note = ""
  /// Tags for searching.
  public var tags: [String] = []
  /// The group; `nil` for none.
  public var group: ID?
  /// The position among the counters of the group; lower comes first.
  public var order: Int64 = 0
  /// Whether the counter is archived: `next` and `previous` skip it, and it keeps its history.
  public var isArchived = false
  /// Whether the counter refuses every change except unlocking.
  public var isLocked = false

  /// The number of digits after the decimal point, 0 to 9. Fixed at creation.
  public let decimals: Int64
  /// Whether the counter is a stopwatch. Fixed at creation.
  public let isStopwatch: Bool
  /// The initial value, to which a reset returns.
  public var start: Int64
  /// The amount that one gesture adds, 1 or more.
  public var step: Int64
  public var minimum: Int64?
  public var maximum: Int64?
  public var limits = Limits.refuse
  /// The value to reach.
  public var target: Int64?
  /// The settings that have no property of their own. Those with the value `none` are missing.
  var settings: Settings = [:]

  /// The schedule of automatic resets in the form of ``Schedule``.
  public var period: String?

  /// The value; for a running stopwatch the time up to ``since``.
  public var value: Int64
  /// The start of counting, in microseconds since 1970: the creation, the last reset or the start of the period.
  public var began: Int64?
  /// The end of the current period, in microseconds since 1970.
  public var renewsAt: Int64?
  /// The time at which the target was reached, in microseconds since 1970; `nil` while the value is short of the
  /// target.
  public var reachedAt: Int64?
  /// The start of the current run or lap of the stopwatch, in microseconds since 1970; `nil` while it is stopped.
  public var since: Int64?
  /// ``since`` on the monotonic clock of ``boot``, in microseconds.
  public var boottime: Int64?
  /// The ID of the boot that ``boottime`` belongs to.
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
