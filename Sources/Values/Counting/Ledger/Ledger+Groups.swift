/// Creation and change of groups and formulas, and removal of groups.
extension Ledger {
  mutating func createGroup(_ name: String, _ settings: Settings, _ occasion: Context) throws(CountingError) -> Event {
    let name = try CounterName(name)
    try checkFree(name, for: .group)
    return try create(Group(id: .init(lastID &+ 1), name: name, title: name.text), settings, occasion)
  }

  mutating func removeGroup(_ group: Group, _ occasion: Context) throws(CountingError) -> [Event] {
    var occasion = occasion
    let members = members(of: group.id)
    let formulas = formulas(of: group.id)
    if !members.isEmpty || !formulas.isEmpty { occasion.batch = lastSequence &+ 1 }
    var events: [Event] = []
    for counter in members {
      try checkUnlocked(counter)
      events.append(leaveGroup(counter, occasion))
    }
    for formula in formulas { events.append(leaveGroup(formula, occasion)) }
    events.append(record(.removed, group, occasion, presence: .disappeared))
    return events
  }

  private mutating func leaveGroup(_ member: some NamedEntity, _ occasion: Context) -> Event {
    var after = member
    after[.group] = .none
    after.order = min(nextOrder(of: member.subject, in: nil), Field.orders.upperBound)
    let alterations = [Field.group, .order].map { Alteration($0, from: member[$0], to: after[$0]) }
    return record(.changed, after, occasion, alterations: alterations)
  }

  // MARK: Groups and formulas

  /// Creates a group or a formula, whose name is free.
  mutating func create(
    _ entity: some NamedEntity, _ settings: Settings, _ occasion: Context
  ) throws(CountingError) -> Event {
    var (entity, settings) = (entity, settings)
    settings[.name] = nil
    var alterations = try apply(settings, to: &entity)
    if settings[.order] == nil, let order = crowdedOrder(of: entity.subject, in: nil) {
      alterations.append(Alteration(.order, from: entity[.order], to: .integer(order)))
    }
    return record(.created, entity, occasion, presence: .appeared, alterations: alterations)
  }

  /// Changes settings of a group or a formula.
  mutating func set(
    _ before: some NamedEntity, _ settings: Settings, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    var entity = before
    let alterations = try apply(settings, to: &entity)
    if entity.name != before.name { try checkFree(entity.name, for: entity.subject) }
    let isGroup = entity.subject == .group
    let occasion = forRenaming(before.name, to: entity.name, isGroup: isGroup, occasion)
    let event = record(
      .changed, entity, occasion, marks: alterations.isEmpty ? .notUndoable : [], alterations: alterations)
    return [event] + (try rename(before.name, to: entity.name, isGroup: isGroup, occasion))
  }

  /// Sets the requested fields of a group or a formula.
  ///
  /// - Returns: the field changes.
  private func apply(_ settings: Settings, to entity: inout some NamedEntity) throws(CountingError) -> [Alteration] {
    let before = entity
    for (field, value) in settings {
      guard field.belongs(to: entity.subject) else { throw field.bad("a \(entity.subject.rawValue) has none") }
      entity[field] = field == .group ? try group(value) : try field.checked(value, for: nil)
    }
    if before.title == before.name.text, settings[.title] == nil { entity.title = entity.name.text }
    return entity.alterations(since: before)
  }
}
