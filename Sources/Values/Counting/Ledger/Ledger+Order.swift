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

  /// The position after the last counter of a group, after the last group, or after all formulas.
  func nextOrder(of subject: Event.Subject, in group: Counter.ID?) -> Int64 {
    let last =
      switch subject {
      case .counter: lastOrders[group] ?? lastOrder(in: group)
      case .group: groups.last?.order
      case .formula: formulaRegistry.entries.values.map(\.order).max()
      case .all: nil as Int64?
      }
    return (last ?? 0) &+ Self.gap
  }

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
    Field.orders ~= nextOrder(of: subject, in: group) ? nil : Field.orders.upperBound
  }

  mutating func move(_ counter: Counter, to place: Change.Place, _ occasion: Context) throws(CountingError) -> [Event] {
    try checkUnlocked(counter)
    var moved = counter
    let neighbour = try place.neighbour.map { name throws(CountingError) in try find(.named(name)) }
    guard neighbour?.id != counter.id else { throw Field.order.bad("that is the same counter") }
    let named = try group(of: place)
    moved.group = neighbour.map(\.group) ?? named ?? counter.group
    return insert(moved, into: members(of: moved.group), place, beside: neighbour, occasion)
  }

  /// Moves a formula among the formulas of a group, which follow its counters.
  mutating func move(_ formula: Formula, to place: Change.Place, _ occasion: Context) throws(CountingError) -> [Event] {
    var moved = formula
    let neighbour = try place.neighbour.map { name throws(CountingError) in
      guard let neighbour = self.formula(named: name) else {
        throw Field.order.bad("“\(name.shortened)” is not a formula; formulas follow the counters of their group")
      }
      return neighbour
    }
    guard neighbour?.id != formula.id else { throw Field.order.bad("that is the same formula") }
    let named = try group(of: place)
    moved.group = neighbour.map(\.group) ?? named ?? formula.group
    return insert(moved, into: formulas(of: moved.group), place, beside: neighbour, occasion)
  }

  mutating func moveGroup(_ group: Group, to place: Change.Place, _ occasion: Context) throws(CountingError)
    -> [Event]
  {
    let neighbour = try place.neighbour.map { name throws(CountingError) in try findGroup(name) }
    guard neighbour?.id != group.id else { throw Field.order.bad("that is the same group") }
    return insert(group, into: groups, place, beside: neighbour, occasion)
  }

  /// The group that a place names, `.some(nil)` for none; `nil` if it names no group.
  private func group(of place: Change.Place) throws(CountingError) -> Counter.ID?? {
    switch place {
    case .first(let name?), .last(let name?): .some(name.isEmpty ? nil : try findGroup(name).id)
    case .first, .last, .before, .after: nil
    }
  }

  /// Puts an element, which may be among the others already, into its place.
  private mutating func insert<Element: NamedEntity>(
    _ element: Element, into others: [Element], _ place: Change.Place, beside neighbour: Element?, _ occasion: Context
  ) -> [Event] {
    var others = others.filter { $0.id != element.id }
    let position = others.firstIndex { $0.id == neighbour?.id } ?? others.count
    let index =
      switch place {
      case .first: 0
      case .last, .before: position
      case .after: position + 1
      }
    others.insert(element, at: index)
    let events = renumber(others.map(\.order), from: index, occasion) { ledger, index, order, occasion in
      var element = others[index]
      element.order = order
      return ledger.put(element, in: occasion)
    }
    // The element is there already: an undo has nothing to revert.
    return events.isEmpty ? [record(.changed, element, occasion, marks: .notUndoable)] : events
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
    occasion.batch = occasion.batch ?? lastSequence &+ 1
    return orders.indices.compactMap { put(&self, $0, Int64($0 + 1) * Self.gap, occasion) }
  }

  /// Moves an element; `nil` if the position does not change.
  private mutating func put<Element: NamedEntity>(_ element: Element, in occasion: Context) -> Event? {
    guard let before = entity(element.subject, element.id) else { return nil }
    let alterations = element.alterations(of: [.group, .order], since: before)
    return alterations.isEmpty ? nil : record(.changed, element, occasion, alterations: alterations)
  }
}

extension Change.Place {
  /// The name of the neighbour.
  fileprivate var neighbour: String? {
    switch self {
    case .before(let name), .after(let name): name
    case .first, .last: nil
    }
  }
}
