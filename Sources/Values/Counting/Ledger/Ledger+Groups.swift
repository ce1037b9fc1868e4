/// Creation, change and removal of groups.
extension Ledger {
  mutating func createGroup(_ name: String, _ settings: Settings, _ occasion: Context) throws(CountingError) -> Event {
    let name = try CounterName(name)
    guard groupRegistry[name] == nil else { throw .groupExists(name.text) }
    var group = Group(id: .init(lastID &+ 1), name: name, title: name.text)
    var settings = settings
    settings[.name] = nil
    var alterations = try apply(settings, to: &group)
    if settings[.order] == nil, let order = crowdedOrder(of: .group, in: nil) {
      alterations.append(Alteration(.order, from: group[.order], to: .integer(order)))
    }
    return record(.created, group, occasion, presence: .appeared, alterations: alterations)
  }

  mutating func setGroup(_ group: Group, _ settings: Settings, _ occasion: Context) throws(CountingError) -> [Event] {
    var group = group
    let name = group.name
    let alterations = try apply(settings, to: &group)
    if group.name != name, groupRegistry[group.name] != nil { throw .groupExists(group.name.text) }
    let occasion = forRenaming(name, to: group.name, isGroup: true, occasion)
    let event = record(
      .changed, group, occasion, marks: alterations.isEmpty ? .notUndoable : [], alterations: alterations)
    return [event] + (try rename(name, to: group.name, isGroup: true, occasion))
  }

  mutating func removeGroup(_ group: Group, _ occasion: Context) throws(CountingError) -> [Event] {
    var occasion = occasion
    let members = members(of: group.id)
    let formulas = formulas(of: group.id)
    if !members.isEmpty || !formulas.isEmpty { occasion.batch = lastSequence &+ 1 }
    var events: [Event] = []
    for counter in members {
      try checkUnlocked(counter)
      var counter = counter
      let before = counter
      counter.group = nil
      counter.order = min(nextOrder(of: nil), Field.orders.upperBound)
      let alterations = [Field.group, .order].map { Alteration($0, from: before[$0], to: counter[$0]) }
      events.append(record(.changed, counter, occasion, alterations: alterations))
    }
    for formula in formulas {
      var formula = formula
      let before = formula
      formula.group = nil
      formula.order = min(nextFormulaOrder, Field.orders.upperBound)
      let alterations = [Field.group, .order].map { Alteration($0, from: before[$0], to: formula[$0]) }
      events.append(record(.changed, formula, occasion, alterations: alterations))
    }
    events.append(record(.removed, group, occasion, presence: .disappeared))
    return events
  }

  private func apply(_ settings: Settings, to group: inout Group) throws(CountingError) -> [Alteration] {
    let before = group
    for (field, value) in settings {
      guard field.isOfGroups else { throw field.bad("a group has none") }
      group[field] = try field.checked(value, for: nil)
    }
    if before.title == before.name.text, settings[.title] == nil { group.title = group.name.text }
    return Field.allCases.compactMap { field in
      before[field] == group[field] ? nil : Alteration(field, from: before[field], to: group[field])
    }
  }
}
