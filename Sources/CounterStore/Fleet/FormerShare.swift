public import Counting
public import Fleet

/// A counter that was shared until the station left the fleet, which keeps its counts.
public struct FormerShare: Equatable, Sendable {
  /// The counter of the fleet.
  public let id: CounterID
  public let counter: Counter.ID
  /// The last event before the station left.
  public let event: Int64
  /// The value after that event; `nil` for a removed counter.
  public let value: Int64?

  public init(id: CounterID, counter: Counter.ID, event: Int64, value: Int64?) {
    (self.id, self.counter, self.event, self.value) = (id, counter, event, value)
  }
}

/// What a counter has counted that a counter of the fleet does not have.
public enum UnsharedCount: Equatable, Sendable {
  /// Everything: it never was this counter of the fleet.
  case all
  /// Its counts since the station left the fleet.
  case since(Int64)
  /// Something other than a count has changed the value since, such as a reset.
  case unknown
}

extension CounterStore {
  /// What a counter has counted that a counter of the fleet does not have.
  public func unsharedCount(
    of counter: Counter, for id: CounterID, in ledger: Ledger
  ) throws(StoreError) -> UnsharedCount {
    try flush(ledger)
    guard let former = try fleetTables.formerShare(id), former.counter == counter.id else { return .all }
    guard let value = former.value, try fleetTables.hasOnlyCounts(since: former) else { return .unknown }
    let (change, overflow) = counter.value.subtractingReportingOverflow(value)
    return overflow ? .unknown : .since(change)
  }
}

extension FleetTables {
  func save(_ former: FormerShare) throws(StoreError) {
    try statement("INSERT OR REPLACE INTO fleet_former (id, counter, event, value) VALUES (?, ?, ?, ?)").run(
      .text(former.id.description), .integer(former.counter.number), .integer(former.event), .init(former.value))
  }

  fileprivate func formerShare(_ id: CounterID) throws(StoreError) -> FormerShare? {
    try statement("SELECT counter, event, value FROM fleet_former WHERE id = ?").rows(.text(id.description)) {
      row throws(StoreError) in
      FormerShare(
        id: id, counter: .init(row.integer(0)), event: row.integer(1), value: row.optionalInteger(2))
    }.first
  }

  /// Whether all changes of the value since are counts that were made here, or their undos. Resets and periods, also
  /// undone ones, set another beginning; imports and other fleets bring counts that this fleet may have.
  fileprivate func hasOnlyCounts(since former: FormerShare) throws(StoreError) -> Bool {
    try statement(
      """
      SELECT 1 FROM import WHERE last > ?2
      UNION ALL SELECT 1 FROM fleet_former WHERE counter = ?1 AND event >= ?2 AND id <> ?3
      UNION ALL SELECT 1 FROM event WHERE sequence > ?2 AND counter = ?1 AND change <> 0
        AND (kind NOT IN ('added', 'subtracted', 'corrected', 'undone', 'redone')
          OR EXISTS (SELECT 1 FROM alteration WHERE alteration.event = sequence AND field IN ('began', 'renewsAt')))
      LIMIT 1
      """
    ).rows(.integer(former.counter.number), .integer(former.event), .text(former.id.description)) {
      row throws(StoreError) in row.integer(0)
    }.isEmpty
  }
}
