/// The highest position of each group, where it is known. A search through all counters for each new one would make an
/// import of many counters quadratic.
struct LastOrders: Sendable {
  private var known: [Counter.ID?: Int64] = [:]

  subscript(group: Counter.ID?) -> Int64? {
    get { known[group] }
    set { known[group] = newValue }
  }

  mutating func replace(_ before: Counter?, with after: Counter?) {
    if let before, after.map({ ($0.group, $0.order) != (before.group, before.order) }) ?? true,
      known[before.group] == before.order
    {
      known[before.group] = nil
    }
    if let after, let last = known[after.group] { known[after.group] = max(last, after.order) }
  }
}

/// Positions of counters within their groups, and of groups and formulas.
extension Ledger {
  /// The distance between neighbours, which leaves room for moves.
  static let gap: Int64 = 1 << 20

  /// The position after the last counter of a group.
  func nextOrder(of group: Counter.ID?) -> Int64 { (lastOrders[group] ?? lastOrder(in: group)) &+ Self.gap }

  /// The position of the last counter of a group; 0 without any.
  func lastOrder(in group: Counter.ID?) -> Int64 {
    var last: Int64 = 0
    for counter in counters.entries.values where counter.group == group { last = max(last, counter.order) }
    return last
  }

  /// The position of a new entity, if the one after all others is out of range. The first event of the entity states
  /// this position: of equal positions the older entity comes first.
  ///
  /// - Parameter group: the group of a counter.
  public func crowdedOrder(of subject: Event.Subject, in group: Counter.ID?) -> Int64? {
    let next =
      switch subject {
      case .counter: nextOrder(of: group)
      case .group: nextGroupOrder
      case .formula: nextFormulaOrder
      case .all: Self.gap
      }
    return Field.orders ~= next ? nil : Field.orders.upperBound
  }

  /// The position after the last group.
  var nextGroupOrder: Int64 { (groups.last?.order ?? 0) &+ Self.gap }

  /// The position after all formulas.
  var nextFormulaOrder: Int64 { (formulaRegistry.entries.values.map(\.order).max() ?? 0) &+ Self.gap }

  mutating func move(_ counter: Counter, to place: Change.Place, _ occasion: Context) throws(CountingError) -> [Event] {
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
    let events = renumber(others.map(\.order), from: index, occasion) { ledger, index, order, occasion in
      var counter = others[index]
      counter.order = order
      return ledger.put(counter, in: occasion)
    }
    // The counter is there already: an undo has nothing to revert.
    return events.isEmpty ? [record(.changed, counter, occasion, marks: .notUndoable)] : events
  }

  /// Moves a formula among the formulas of a group, which follow its counters.
  mutating func move(_ formula: Formula, to place: Change.Place, _ occasion: Context) throws(CountingError) -> [Event] {
    let group: Counter.ID?
    var others: [Formula]
    let index: Int
    switch place {
    case .first(let name), .last(let name):
      group =
        try name.map { name throws(CountingError) in name.isEmpty ? nil : try findGroup(name).id } ?? formula.group
      others = formulas(of: group).filter { $0.id != formula.id }
      index = if case .first = place { 0 } else { others.count }
    case .before(let name), .after(let name):
      guard let neighbour = self.formula(named: name) else {
        throw Field.order.bad("“\(name.shortened)” is not a formula; formulas follow the counters of their group")
      }
      guard neighbour.id != formula.id else { throw Field.order.bad("that is the same formula") }
      group = neighbour.group
      others = formulas(of: group).filter { $0.id != formula.id }
      let position = others.firstIndex { $0.id == neighbour.id } ?? others.count
      index = if case .before = place { position } else { position + 1 }
    }
    var moved = formula
    moved.group = group
    others.insert(moved, at: index)
    let events = renumber(others.map(\.order), from: index, occasion) { ledger, index, order, occasion in
      var formula = others[index]
      formula.order = order
      return ledger.put(formula, in: occasion)
    }
    return events.isEmpty ? [record(.changed, formula, occasion, marks: .notUndoable)] : events
  }

  mutating func moveGroup(_ group: Group, to place: Change.Place, _ occasion: Context) throws(CountingError)
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
    let events = renumber(others.map(\.order), from: index, occasion) { ledger, index, order, occasion in
      var group = others[index]
      group.order = order
      return ledger.put(group, in: occasion)
    }
    return events.isEmpty ? [record(.changed, group, occasion, marks: .notUndoable)] : events
  }

  /// Gives the element at `index` a position between those of its neighbours, its present one if possible. If there is
  /// no free position, all elements get new ones in the same batch.
  private mutating func renumber(
    _ orders: [Int64], from index: Int, _ occasion: Context,
    _ put: (inout Ledger, Int, Int64, Context) -> Event?
  ) -> [Event] {
    let before = index > 0 ? orders[index - 1] : nil
    let after = index + 1 < orders.count ? orders[index + 1] : nil
    let present = orders[index]
    let between: Int64? =
      switch (before, after) {
      case _ where (before.map { $0 < present } ?? true) && (after.map { present < $0 } ?? true): present
      case (nil, nil): Self.gap
      case (nil, let after?): after &- Self.gap
      case (let before?, nil): before &+ Self.gap
      case (let before?, let after?): before < after &- 1 ? before &+ (after &- before) / 2 : nil
      }
    if let between, Field.orders ~= between { return [put(&self, index, between, occasion)].compactMap(\.self) }
    var occasion = occasion
    occasion.batch = lastSequence &+ 1
    return orders.indices.compactMap { put(&self, $0, Int64($0 + 1) * Self.gap, occasion) }
  }

  /// Moves a counter; `nil` if the position does not change.
  private mutating func put(_ counter: Counter, in occasion: Context) -> Event? {
    guard let before = counters[counter.id] else { return nil }
    let alterations = [Field.group, .order].compactMap { field in
      before[field] == counter[field] ? nil : Alteration(field, from: before[field], to: counter[field])
    }
    guard !alterations.isEmpty else { return nil }
    return record(.changed, counter, occasion, alterations: alterations)
  }

  private mutating func put(_ formula: Formula, in occasion: Context) -> Event? {
    guard let before = formulaRegistry[formula.id] else { return nil }
    let alterations = [Field.group, .order].compactMap { field in
      before[field] == formula[field] ? nil : Alteration(field, from: before[field], to: formula[field])
    }
    guard !alterations.isEmpty else { return nil }
    return record(.changed, formula, occasion, alterations: alterations)
  }

  private mutating func put(_ group: Group, in occasion: Context) -> Event? {
    guard let before = groupRegistry[group.id], before.order != group.order else { return nil }
    return record(
      .changed, group, occasion, alterations: [Alteration(.order, from: before[.order], to: group[.order])])
  }
}
