public import Counting
public import Fleet

/// The membership in a fleet and the state of its counters, which are parts of the journal.
extension CounterStore {
  /// The settings of the fleet; `nil` outside of one.
  public func membership() throws(StoreError) -> Membership? {
    try fleetTables.statement("SELECT fleet, station, id, broker, authorities, obeying FROM fleet").rows {
      row throws(StoreError) in
      guard Membership.isName(row.text(0)), Membership.isName(row.text(1)) else {
        throw StoreError(.damaged, "\(database.path) is damaged: the settings of its fleet are not valid.")
      }
      return Membership(
        fleet: row.text(0), station: row.text(1), id: row.text(2), broker: BrokerURL(stored: row.text(3)),
        authorities: row.text(4), isObeying: row.integer(5) != 0)
    }.first
  }

  /// Saves the settings of the fleet. Like all rows saved here, they become durable with the next commit.
  public func save(_ membership: Membership) throws(StoreError) {
    try begin()
    try fleetTables.statement(
      """
      INSERT INTO fleet (only, fleet, station, id, broker, authorities, obeying) VALUES (1, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (only) DO UPDATE SET fleet = excluded.fleet, station = excluded.station, id = excluded.id,
        broker = excluded.broker, authorities = excluded.authorities, obeying = excluded.obeying
      """
    ).run(
      .text(membership.fleet), .text(membership.station), .text(membership.id), .text(membership.broker.text),
      .text(membership.authorities), .integer(membership.isObeying ? 1 : 0))
  }

  /// Forgets the fleet and the state of its counters, but not this station's own writers: if the station joins the
  /// fleet again, their counts are its own.
  ///
  /// - Parameter shares: the counters that are no longer shared.
  public func leaveFleet(_ shares: [LeftFleetCounter]) throws(StoreError) {
    for share in shares { try save(share) }
    try begin()
    for rows in [
      // The quarter hours of this journal are kept: if a counter is shared again, they show the counts made meanwhile.
      "fleet_quarter WHERE writer <> \(FleetTables.journal)", "fleet_digest", "fleet_act", "fleet_undone", "fleet_seen",
      "fleet_reset", "fleet_register", "fleet_period", "fleet_counter", "fleet", "fleet_writer WHERE own = 0",
      "fleet_station",
    ] {
      try fleetTables.statement("DELETE FROM \(rows)").run()
    }
    fleetTables.forget()
    fleetTables.refused = []
  }

  /// The counters that are shared, removed ones included.
  public func sharedCounters() throws(StoreError) -> [Counter.ID: CounterID] {
    var counters: [Counter.ID: CounterID] = [:]
    _ = try fleetTables.statement("SELECT counter, id FROM fleet_counter").each([]) { row throws(StoreError) in
      if let id = CounterID(row.text(1)) { counters[.init(row.integer(0))] = id }
    }
    return counters
  }

  /// Records that a counter is no longer shared.
  public func save(_ former: LeftFleetCounter) throws(StoreError) {
    try begin()
    try fleetTables.save(former)
  }

  /// For each counter, the last event whose count left the value when a fleet began or stopped counting it.
  public func droppedCounts() throws(StoreError) -> [Counter.ID: Int64] {
    var dropped: [Counter.ID: Int64] = [:]
    _ = try fleetTables.statement(
      """
      SELECT counter, dropped FROM fleet_counter WHERE dropped > 0
      UNION ALL SELECT counter, dropped FROM fleet_former WHERE dropped > 0
      """
    ).each([]) { row throws(StoreError) in
      let counter = Counter.ID(row.integer(0))
      dropped[counter] = max(dropped[counter] ?? 0, row.integer(1))
    }
    return dropped
  }

  /// Whether this station has reset a counter after an event, and not undone the reset.
  public func isReset(_ counter: Counter.ID, after event: Int64, in ledger: Ledger) throws(StoreError) -> Bool {
    try flush(ledger.head)
    return try setter(of: counter, after: event, before: ledger.lastSequence &+ 1) { $0 == .reset } != nil
  }

  /// Shares a counter as the fleet's counter `id`. A local counter that was shared as `id` before is no longer shared.
  ///
  /// - Parameter dropped: the last event whose count is dropped; 0 for none.
  public func share(_ counter: Counter.ID, as id: CounterID, dropping dropped: Int64) throws(StoreError) {
    try begin()
    let former = try fleetTables.statement("SELECT counter FROM fleet_counter WHERE id = ?").rows(
      .text(id.description)
    ) { row throws(StoreError) in Counter.ID(row.integer(0)) }.first
    if let former, former != counter { try fleetTables.moveHistory(from: former, to: counter) }
    try fleetTables.statement("DELETE FROM fleet_counter WHERE id = ?").run(.text(id.description))
    try fleetTables.statement("INSERT OR REPLACE INTO fleet_counter (counter, id, dropped) VALUES (?, ?, ?)").run(
      .integer(counter.number), .text(id.description), .integer(dropped))
  }

  /// Begins the history of a shared counter.
  ///
  /// - Parameters:
  ///   - part: the part of the history that the counter brings into the fleet; `nil` for nothing.
  ///   - entry: the entry that brings it; `nil` without one.
  public func beginHistory(
    of counter: Counter.ID, bringing part: ImportedHistory?, as entry: Entry?, in ledger: Ledger
  ) throws(StoreError) {
    try begin()
    try flush(ledger.head)
    var own = try reader.ownQuarters(of: counter)
    try reader.leaveOutUndone(of: [counter], try reader.scale(of: [counter]), from: .min, until: .max, &own)
    try fleetTables.beginHistory(of: counter, own, bringing: part, as: entry)
  }

  /// Whether the journal has counts of a counter, made here or received from a fleet.
  public func hasHistory(of counter: Counter.ID, in ledger: Ledger) throws(StoreError) -> Bool {
    try flush(ledger.head)
    guard try reader.ownQuarters(of: counter).isEmpty else { return true }
    return try database.integer("SELECT count(*) FROM learned_quarter WHERE counter = \(counter.number)") != 0
  }

  /// The contribution of an event to the quarter hour of its count; `nil` if it does not concern a count.
  public func contribution(of event: Event) throws(StoreError) -> (quarter: Int64, register: QuarterRegister)? {
    guard let (time, summary) = try past.rollups.contribution(of: EventRow(event, cause: 0)) else { return nil }
    return (QuarterHour.number(of: time), QuarterRegister(summary, number: event.sequence))
  }

  /// Saves the changed rows of the station.
  public func save(_ changes: FleetChanges, of station: Station) throws(StoreError) {
    try begin()
    // Times are read from the journal, in which an undo and its count may be buffered.
    if !changes.history.retimed.isEmpty { try writeCounts() }
    try fleetTables.save(changes, of: station) { counter, quarter throws(StoreError) in
      try reader.ownTimes(of: counter, in: quarter)
    }
  }

  /// The number of the event that an undo or redo took back.
  public func undone(by event: Int64) throws(StoreError) -> Int64? { try recorded(event)?.undoes }

  /// The origin of undos and redos, if it concerns an ended period.
  public enum LateOrigin: Equatable, Sendable {
    /// A count of a period that ended at a time, in microseconds since 1970.
    case count(endingAt: Int64)
    /// The event that closed the period again.
    case closing
    case other
  }

  /// Follows an event that is undone or redone to its origin.
  public func lateOrigin(of sequence: Int64) throws(StoreError) -> LateOrigin {
    var link: Int64? = sequence
    // Bounded, because the chain in a damaged journal may be endless.
    for _ in 0..<10_000 {
      guard let number = link, let event = try recorded(number) else { break }
      if event.closesEndedPeriod { return .closing }
      if let next = try recorded(number &+ 1), next.closesEndedPeriod, next.counter == event.counter {
        return .count(endingAt: next.time)
      }
      link = event.undoes
    }
    return .other
  }
}
