/// Where counters stand within their groups, and groups among each other.
extension Ledger {
  /// How far apart neighbours are put, so that others fit in between.
  private static let gap: Int64 = 1 << 20

  /// A place behind all counters of a group.
  func behindLast(of group: Counter.ID?) -> Int64 {
    var last: Int64 = 0
    for counter in counters.entries.values where counter.group == group { last = max(last, counter.order) }
    return last + Self.gap
  }

  mutating func move(_ counter: Counter, to place: Change.Place, _ occasion: Occasion) throws(CountingError) -> [Event]
  {
    try checkUnlocked(counter)
    let group: Counter.ID?
    var others: [Counter]
    let index: Int
    switch place {
    case .first(let name), .last(let name):
      group =
        try name.map { name throws(CountingError) in name.isEmpty ? nil : try findGroup(name).id } ?? counter.group
      others = members(of: group).filter { $0.id != counter.id }
      index = if case .first = place { 0 } else { others.count }
    case .before(let name), .after(let name):
      let neighbour = try find(.named(name))
      guard neighbour.id != counter.id else { throw Field.order.bad("that is the same counter") }
      group = neighbour.group
      others = members(of: group).filter { $0.id != counter.id }
      let position = others.firstIndex { $0.id == neighbour.id } ?? others.count
      index = if case .before = place { position } else { position + 1 }
    }
    var moved = counter
    moved.group = group
    others.insert(moved, at: index)
    return renumber(others.map(\.order), from: index, occasion) { ledger, index, order, occasion in
      var counter = others[index]
      counter.order = order
      return ledger.put(counter, in: occasion)
    }
  }

  mutating func moveGroup(_ group: Group, to place: Change.Place, _ occasion: Occasion) throws(CountingError)
    -> [Event]
  {
    var others = groups.filter { $0.id != group.id }
    let index: Int
    switch place {
    case .first: index = 0
    case .last: index = others.count
    case .before(let name), .after(let name):
      let neighbour = try findGroup(name)
      guard neighbour.id != group.id else { throw Field.order.bad("that is the same group") }
      let position = others.firstIndex { $0.id == neighbour.id } ?? others.count
      index = if case .before = place { position } else { position + 1 }
    }
    others.insert(group, at: index)
    return renumber(others.map(\.order), from: index, occasion) { ledger, index, order, occasion in
      var group = others[index]
      group.order = order
      return ledger.put(group, in: occasion)
    }
  }

  /// Gives what stands at `index` a number between those of its neighbours; where there is none between them, all that
  /// follow get others too, and all of it is one.
  private mutating func renumber(
    _ orders: [Int64], from index: Int, _ occasion: Occasion,
    _ put: (inout Ledger, Int, Int64, Occasion) -> Event?
  ) -> [Event] {
    let before = index > 0 ? orders[index - 1] : nil
    let after = index + 1 < orders.count ? orders[index + 1] : nil
    let between: Int64? =
      switch (before, after) {
      case (nil, nil): Self.gap
      case (nil, let after?): after &- Self.gap
      case (let before?, nil): before &+ Self.gap
      case (let before?, let after?): before < after &- 1 ? before &+ (after &- before) / 2 : nil
      }
    if let between { return [put(&self, index, between, occasion)].compactMap(\.self) }
    var occasion = occasion
    occasion.batch = lastSequence &+ 1
    return orders.indices.compactMap { put(&self, $0, Int64($0 + 1) * Self.gap, occasion) }
  }

  /// Puts a counter where it belongs now; `nil` where it stood there already.
  private mutating func put(_ counter: Counter, in occasion: Occasion) -> Event? {
    guard let before = counters[counter.id] else { return nil }
    let alterations = [Field.group, .order].compactMap { field in
      before[field] == counter[field] ? nil : Alteration(field, from: before[field], to: counter[field])
    }
    guard !alterations.isEmpty else { return nil }
    replace(counter)
    return record(.changed, counter, occasion, alterations: alterations)
  }

  private mutating func put(_ group: Group, in occasion: Occasion) -> Event? {
    guard let before = groupRegistry[group.id], before.order != group.order else { return nil }
    setGroup(group.id, to: group)
    return record(
      .changed, group, occasion, alterations: [Alteration(.order, from: before[.order], to: group[.order])])
  }
}
