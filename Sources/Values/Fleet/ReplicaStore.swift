/// A station's knowledge of all shared counters, within bounds that no message can exceed.
public struct ReplicaStore: Equatable, Sendable {
  /// The maximum number of registers, resets, parts of resets and undone resets of a counter, over all its periods.
  public static let maximumRows = 131_072
  /// The maximum number of registers, resets, parts of resets and undone resets of all counters together. Counters that
  /// are not counted here may fill only the first half, so that invented counters leave room for the others.
  public static let maximumRowsInAll = 262_144
  /// The maximum number of shared counters.
  public static let maximumCounters = 1_024

  private var replicas: [CounterPeriod: Replica] = [:]
  /// The starts of the known periods.
  private var starts: [CounterID: Set<Int64>] = [:]
  /// The number of rows of each counter, over all periods.
  private var rows: [CounterID: Int] = [:]
  private var rowsInAll = 0
  private let mostRows: Int
  /// The numbers of rows that each sender has added since the start, counted while the counter had more than a quarter
  /// of its maximum.
  private var shares: [CounterPeriod: [RowSender: RowCount]] = [:]

  /// - Parameter mostRows: see ``maximumRows``; tests use a smaller number.
  public init(mostRows: Int = Self.maximumRows) { self.mostRows = mostRows }

  /// The counters and periods with known rows, in no order.
  public var periods: some Collection<CounterPeriod> { replicas.keys }

  /// The known periods of a counter to send to others, the most important first.
  public func periods(of counter: CounterID, in room: PeriodRetention) -> [CounterPeriod] {
    let whole = CounterPeriod(counter)
    return (replicas[whole] == nil ? [] : [whole])
      + room.sorted(starts[counter] ?? []).map { CounterPeriod(counter, start: $0) }
  }

  public subscript(period: CounterPeriod) -> Replica { replicas[period] ?? Replica() }

  /// Adds own rows, without a limit; returns the result of ``Replica/join(_:)``.
  @discardableResult
  mutating func join(_ part: Replica, of period: CounterPeriod, from sender: RowSender? = nil) -> [Entry] {
    let new = self[period].newRows(in: part)
    note(new.sum, of: period)
    if let sender, rows[period.counter] ?? 0 > mostRows / 4, new.sum > 0 {
      shares[period, default: [:]][sender, default: RowCount()].add(new)
    }
    return replicas[period, default: Replica()].join(part)
  }

  /// Adds an own reset, whose rows are among the registers here.
  mutating func add(_ entry: Entry, _ reset: Reset, to period: CounterPeriod) {
    note(reset.seen.count + 1, of: period)
    replicas[period, default: Replica()].add(entry, reset)
  }

  private mutating func note(_ added: Int, of period: CounterPeriod) {
    rows[period.counter, default: 0] += added
    rowsInAll += added
    if let start = period.start, replicas[period] == nil { starts[period.counter, default: []].insert(start) }
  }

  // MARK: Periods

  /// The periods to drop when `period` is added; `nil` if there is no room for `period` itself.
  func surplus(adding period: CounterPeriod, in room: PeriodRetention) -> Set<CounterPeriod>? {
    guard let start = period.start, replicas[period] == nil else { return [] }
    var starts = starts[period.counter] ?? []
    starts.insert(start)
    let kept = room.kept(of: starts)
    guard kept.contains(start) else { return nil }
    return Set(starts.subtracting(kept).map { CounterPeriod(period.counter, start: $0) })
  }

  mutating func drop(_ periods: Set<CounterPeriod>) {
    for period in periods {
      guard let replica = replicas.removeValue(forKey: period) else { continue }
      let dropped = Replica().newRows(in: replica).sum
      rows[period.counter, default: 0] -= dropped
      rowsInAll -= dropped
      shares[period] = nil
      if let start = period.start { starts[period.counter]?.remove(start) }
    }
  }

  /// Whether rows of an unknown period may have been dropped, now or before the journal was opened. A period is never
  /// dropped while fewer than ``PeriodRetention/last`` later periods are known.
  func mayHaveDropped(_ period: CounterPeriod) -> Bool {
    guard let start = period.start, replicas[period] == nil, let starts = starts[period.counter] else { return false }
    return starts.count { $0 > start } >= min(PeriodRetention.ended, PeriodRetention.last)
  }

  /// Checks whether a part from outside is within the bounds.
  ///
  /// - Parameters:
  ///   - surplus: the periods that are dropped for the part.
  ///   - isCounted: whether the counter is counted here.
  ///   - sender: the sender whose share of the rows includes the rows of the part.
  func check(
    _ part: Replica, of period: CounterPeriod, without surplus: Set<CounterPeriod>, isCounted: Bool,
    from sender: RowSender?
  ) throws(MessageError) {
    let new = self[period].newRows(in: part)
    let added = new.sum
    guard added > 0 else { return }
    if rows[period.counter] == nil, rows.count >= Self.maximumCounters, !isCounted { throw .tooManyCounters }
    let dropped = surplus.reduce(0) { $0 + Replica().newRows(in: self[$1]).sum }
    let sum = rows[period.counter, default: 0] - dropped + added
    guard sum <= mostRows else { throw .tooManyRows }
    // Whatever one sender adds, there is room for the rows of others, and for a reset that includes all of them.
    if let sender, sum > mostRows / 4 {
      var share = share(of: sender, in: period.counter, without: surplus)
      share.add(new)
      switch sender {
      case .own:
        guard share.others <= mostRows / 32, share.seen <= mostRows * 3 / 8 else { throw .tooManyRowsOfSender }
      case .relayed:
        // Rows that were passed on can fill half of the room: the first quarter, in which no sender has a limit, and
        // another quarter. Room is left even if a station forges both its own rows and rows of others.
        guard share.sum <= mostRows / 4 else { throw .tooManyRelayedRows }
      }
    }
    let most = isCounted ? Self.maximumRowsInAll : Self.maximumRowsInAll / 2
    guard rowsInAll - dropped + added <= most else { throw .tooManyRowsInAll }
  }

  private func share(of sender: RowSender, in counter: CounterID, without surplus: Set<CounterPeriod>) -> RowCount {
    let periods = [CounterPeriod(counter)] + (starts[counter] ?? []).map { CounterPeriod(counter, start: $0) }
    return periods.reduce(into: RowCount()) { sum, period in
      if !surplus.contains(period), let share = shares[period]?[sender] { sum.add(share) }
    }
  }
}

/// The origin of rows. The number of rows of a counter is limited for each origin.
public enum RowSender: Hashable, Sendable {
  /// A station's own rows.
  case own(String)
  /// Rows of any station that another one has passed on. All of them have one limit, because a station that passes on
  /// forged rows is not their author.
  case relayed
}

/// A number of rows of a counter.
struct RowCount: Equatable, Sendable {
  /// The registers in resets.
  var seen = 0
  /// Registers, resets and undone resets.
  var others = 0

  var sum: Int { seen + others }

  mutating func add(_ other: RowCount) { (seen, others) = (seen + other.seen, others + other.others) }
}
