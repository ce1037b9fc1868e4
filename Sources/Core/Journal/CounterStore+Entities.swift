public import Counting

/// Saved counters, groups and formulas, removed ones included.
extension CounterStore {
  /// A counter, removed or not.
  func counterEver(_ id: Counter.ID) throws(StoreError) -> Counter? {
    try statements.counter.rows(.integer(id.number)) { row throws(StoreError) in CounterRow.counter(row) }.first
  }

  /// The value of a counter, removed or not.
  public func standingValue(of id: Counter.ID) throws(StoreError) -> Int64? { try counterEver(id)?.value }

  /// A name with the kind of its entity.
  struct NameKey: Hashable {
    let name: String
    let subject: Event.Subject
  }

  /// The entities that have each name, or had it when they were removed, in the order of creation.
  func entitiesByName() throws(StoreError) -> [NameKey: [Counter.ID]] {
    var entities: [NameKey: [Counter.ID]] = [:]
    _ = try statements.everyName.each([]) { row throws(StoreError) in
      let subject = Event.Subject(rawValue: row.text(2)) ?? .counter
      entities[NameKey(name: row.text(1), subject: subject), default: []].append(.init(row.integer(0)))
    }
    return entities
  }
}
