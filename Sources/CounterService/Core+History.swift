public import CounterStore
public import Counting

extension Core {
  /// Some of the events that `filter` means.
  public func search(_ filter: EventFilter, _ page: CounterStore.Page, limit: Int64) throws -> CounterStore.Found {
    try storing { () throws(StoreError) in try store.search(filter, page, limit: limit, in: ledger) }
  }

  /// What was counted between each two of the moments `bounds`.
  public func totals(of counters: Set<Counter.ID>?, between bounds: [Int64]) throws -> (unit: Unit, totals: [Totals]) {
    try storing { () throws(StoreError) in try store.totals(of: counters, between: bounds, in: ledger) }
  }

  /// What stands out between two moments.
  public func statistics(of counters: Set<Counter.ID>?, from start: Int64, until end: Int64) throws
    -> CounterStore.Statistics
  {
    try storing { () throws(StoreError) in try store.statistics(of: counters, from: start, until: end, in: ledger) }
  }

  /// How counters stood at a moment.
  public func values(of counters: [Counter.ID], at time: Int64) throws -> [Counter.ID: Int64] {
    try storing { () throws(StoreError) in try store.values(of: counters, at: time, in: ledger) }
  }

  /// The counter that bears a name, or that bore it last: before it was removed, or called otherwise.
  ///
  /// - Throws: ``CountingError/noSuchCounter(_:)`` where none ever did.
  public func counterEver(named name: String) throws -> Counter {
    guard let counter = try countersEver(named: [name])[name] else { throw CountingError.noSuchCounter(name.shortened) }
    return counter
  }

  /// The same for many names at once.
  public func countersEver(named names: [String]) throws -> [String: Counter] {
    var counters: [String: Counter] = [:]
    for name in names where counters[name] == nil { counters[name] = try? ledger.find(.named(name)) }
    let missing = Set(names.filter { counters[$0] == nil })
    if !missing.isEmpty {
      let found = try storing { () throws(StoreError) in try store.countersEver(named: missing, in: ledger) }
      counters.merge(found) { standing, _ in standing }
    }
    guard let unknown = names.first(where: { counters[$0] == nil }) else { return counters }
    throw CountingError.noSuchCounter(unknown.shortened)
  }

  /// All groups, counters and formulas, also counters that were removed, without events.
  public func archive() throws -> Archive {
    try storing { () throws(StoreError) in try store.archive(in: ledger) }
  }
}
