/// A station's knowledge of all shared counters, within bounds that no message can exceed.
public struct Knowledge: Equatable, Sendable {
  /// The maximum number of registers, resets, parts of resets and undone resets of a counter, over all its periods.
  public static let maximumRows = 131_072
  /// The maximum number of such rows of all counters. A counter that is not counted here finds no room in the last half,
  /// so that invented counters leave some to the others.
  public static let maximumRowsInAll = 262_144
  /// The maximum number of shared counters.
  public static let maximumCounters = 1_024

  private var replicas: [CounterPeriod: Replica] = [:]
  /// How many rows a counter has over all periods.
  private var rows: [CounterID: Int] = [:]
  private var rowsInAll = 0

  public init() {}

  /// The counters and periods that something is known of, in no order.
  public var periods: some Collection<CounterPeriod> { replicas.keys }

  public subscript(period: CounterPeriod) -> Replica { replicas[period] ?? Replica() }

  /// Adds own knowledge, which has no bound.
  mutating func join(_ part: Replica, of period: CounterPeriod) {
    let added = self[period].newRows(in: part)
    rows[period.counter, default: 0] += added
    rowsInAll += added
    replicas[period, default: Replica()].join(part)
  }

  /// Checks whether a part from outside is within the bounds.
  ///
  /// - Parameter isCounted: whether the counter is counted here.
  func check(_ part: Replica, of period: CounterPeriod, isCounted: Bool) throws(MessageError) {
    let added = self[period].newRows(in: part)
    guard added > 0 else { return }
    if rows[period.counter] == nil, rows.count >= Self.maximumCounters, !isCounted { throw .tooManyCounters }
    guard rows[period.counter, default: 0] + added <= Self.maximumRows else { throw .tooManyRows }
    let most = isCounted ? Self.maximumRowsInAll : Self.maximumRowsInAll / 2
    guard rowsInAll + added <= most else { throw .tooManyRowsInAll }
  }
}
