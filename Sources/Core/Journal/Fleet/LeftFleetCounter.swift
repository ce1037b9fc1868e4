public import Counting
public import Fleet

/// A counter that was shared until the station left the fleet, or until another local counter replaced it in the fleet.
/// The fleet keeps its counts.
public struct LeftFleetCounter: Equatable, Sendable {
  /// The counter of the fleet.
  public let id: CounterID
  public let counter: Counter.ID
  /// The last event while the counter was shared.
  public let event: Int64
  /// The value after that event; `nil` for a removed counter.
  public let value: Int64?
  /// The last event whose count is not in ``value``; 0 for none.
  public let dropped: Int64

  public init(id: CounterID, counter: Counter.ID, event: Int64, value: Int64?, dropped: Int64) {
    (self.id, self.counter, self.event, self.value, self.dropped) = (id, counter, event, value, dropped)
  }
}

/// The counts of a counter that the fleet's counter does not contain.
public enum UnsharedCount: Equatable, Sendable {
  /// All counts: the counter was never this counter of the fleet, and has no counts of other stations.
  case all
  /// The sum of the counts since the counter was last shared as this counter of the fleet.
  case since(Int64)
  /// Unknown, because a change other than a count, such as a reset, has set the value since.
  case unknown
  /// Unknown, because the counter was another counter of a fleet: other stations may have brought their counts here.
  case learnedElsewhere
}

extension CounterStore {
  /// The formerly shared local counters, by the fleet's counter. If several local counters were shared as the same
  /// counter of the fleet, only the last one is included.
  public func formerShares() throws(StoreError) -> [CounterID: Counter.ID] {
    var counters: [CounterID: Counter.ID] = [:]
    _ = try fleetTables.statement("SELECT id, counter FROM fleet_former ORDER BY event").each([]) {
      row throws(StoreError) in
      if let id = CounterID(row.text(0)) { counters[id] = .init(row.integer(1)) }
    }
    return counters
  }

  /// The counts of a counter that the fleet's counter does not contain.
  public func unsharedCount(
    of counter: Counter, for id: CounterID, in ledger: Ledger
  ) throws(StoreError) -> UnsharedCount {
    try flush(ledger.head)
    guard let former = try fleetTables.formerShare(of: counter.id, as: id) else {
      return try fleetTables.hasLearned(counter.id) ? .learnedElsewhere : .all
    }
    guard let value = former.value, try fleetTables.hasOnlyCounts(since: former) else { return .unknown }
    let (change, overflow) = counter.value.subtractingReportingOverflow(value)
    return overflow ? .unknown : .since(change)
  }
}

extension FleetTables {
  func save(_ former: LeftFleetCounter) throws(StoreError) {
    try statement("INSERT OR REPLACE INTO fleet_former (id, counter, event, value, dropped) VALUES (?, ?, ?, ?, ?)")
      .run(
        .text(former.id.description), .integer(former.counter.number), .integer(former.event), .init(former.value),
        .integer(former.dropped))
  }

  fileprivate func formerShare(of counter: Counter.ID, as id: CounterID) throws(StoreError) -> LeftFleetCounter? {
    try statement("SELECT event, value, dropped FROM fleet_former WHERE id = ? AND counter = ?").rows(
      .text(id.description), .integer(counter.number)
    ) { row throws(StoreError) in
      LeftFleetCounter(
        id: id, counter: counter, event: row.integer(0), value: row.optionalInteger(1), dropped: row.integer(2))
    }.first
  }

  /// Whether a counter has counts of other stations, also imported ones.
  fileprivate func hasLearned(_ counter: Counter.ID) throws(StoreError) -> Bool {
    try statement("SELECT 1 FROM event WHERE counter = ? AND kind = 'learned' AND change <> 0 LIMIT 1")
      .number(.integer(counter.number)) != nil
  }

  /// Whether all later changes of the value are local counts or their undos. Resets and periods, also undone ones,
  /// change the start of counting; imports and other fleets bring counts that this fleet may have.
  fileprivate func hasOnlyCounts(since former: LeftFleetCounter) throws(StoreError) -> Bool {
    try statement(
      """
      SELECT 1 FROM import WHERE last > ?2
      UNION ALL SELECT 1 FROM fleet_former WHERE counter = ?1 AND event >= ?2 AND id <> ?3
      UNION ALL SELECT 1 FROM event WHERE sequence > ?2 AND counter = ?1 AND change <> 0
        AND (kind NOT IN (\(Event.Kind.sql(Event.Kind.all(.counts) + [.corrected, .undone, .redone])))
          OR EXISTS (SELECT 1 FROM alteration WHERE alteration.event = sequence AND field IN ('began', 'renewsAt')))
      LIMIT 1
      """
    ).rows(.integer(former.counter.number), .integer(former.event), .text(former.id.description)) {
      row throws(StoreError) in row.integer(0)
    }.isEmpty
  }
}
