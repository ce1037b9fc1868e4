import Formulas

/// Making formulas, changing them, and taking them away.
extension Ledger {
  /// So many formulas there may be.
  static let mostFormulas = 1000

  /// - Throws: ``CountingError/noSuchFormula(_:)``.
  public func findFormula(_ name: String) throws(CountingError) -> Formula {
    guard let formula = formula(named: name) else { throw .noSuchFormula(name.shortened) }
    return formula
  }

  public func formula(named name: String) -> Formula? {
    name.utf8.count <= CounterName.longest * 4 ? formulaRegistry[CounterName(trusted: name)] : nil
  }

  mutating func createFormula(
    _ name: String, _ settings: Settings, _ occasion: Occasion
  ) throws(CountingError) -> Event {
    let name = try CounterName(name)
    try checkFree(name)
    guard formulaRegistry.entries.count < Self.mostFormulas else {
      throw Field.formula.bad("there are \(Self.mostFormulas) already")
    }
    var formula = Formula(id: .init(lastID &+ 1), name: name, text: "")
    var settings = settings
    settings[.name] = nil
    if settings[.formula] == nil { settings[.formula] = .text("") }
    let alterations = try apply(settings, to: &formula)
    if settings[.order] == nil { formula.order = (formulas.last?.order ?? 0) &+ (1 << 20) }
    setFormula(formula.id, to: formula)
    lastID = formula.id.number
    return record(.created, formula, occasion, presence: .appeared, alterations: alterations)
  }

  mutating func setFormula(
    _ formula: Formula, _ settings: Settings, _ occasion: Occasion
  ) throws(CountingError) -> [Event] {
    var formula = formula
    let name = formula.name
    let alterations = try apply(settings, to: &formula)
    if formula.name != name { try checkFree(formula.name) }
    let occasion = forRenaming(name, to: formula.name, isGroup: false, occasion)
    setFormula(formula.id, to: formula)
    let event = record(.changed, formula, occasion, alterations: alterations)
    return [event] + (try rename(name, to: formula.name, isGroup: false, occasion))
  }

  mutating func remove(_ formula: Formula, _ occasion: Occasion) -> Event {
    setFormula(formula.id, to: nil)
    return record(.removed, formula, occasion, presence: .disappeared)
  }

  private func apply(_ settings: Settings, to formula: inout Formula) throws(CountingError) -> [Alteration] {
    let before = formula
    for (field, value) in settings {
      guard field.isOfFormulas else { throw field.bad("a formula has none") }
      formula[field] = try field.checked(value, for: nil)
    }
    if before.title == before.name.text, settings[.title] == nil { formula.title = formula.name.text }
    if formula.text != before.text { try check(formula) }
    return Field.allCases.compactMap { field in
      before[field] == formula[field] ? nil : Alteration(field, from: before[field], to: formula[field])
    }
  }

  // MARK: Renaming

  /// An occasion on which formulas follow something that gets another name: all of it is one.
  func forRenaming(_ name: CounterName, to newName: CounterName, isGroup: Bool, _ occasion: Occasion) -> Occasion {
    guard name != newName, !mentions.of(name, isGroup: isGroup).isEmpty, occasion.batch == nil else { return occasion }
    var occasion = occasion
    occasion.batch = lastSequence &+ 1
    return occasion
  }

  /// Lets the formulas that mention something call it by its new name.
  mutating func rename(
    _ name: CounterName, to newName: CounterName, isGroup: Bool, _ occasion: Occasion
  ) throws(CountingError) -> [Event] {
    guard name != newName else { return [] }
    var events: [Event] = []
    for id in mentions.of(name, isGroup: isGroup).sorted() {
      guard var formula = formulaRegistry[id], let parsed = formula.parsed else { continue }
      let before = formula[.formula]
      formula.text = parsed.renaming(name.text, to: newName.text, isGroup: isGroup)
      guard formula.parsed != nil else {
        throw Field.name.bad("the formula “\(formula.name)”, which mentions it, would get too long")
      }
      setFormula(id, to: formula)
      let alteration = Alteration(.formula, from: before, to: formula[.formula])
      events.append(record(.changed, formula, occasion, alterations: [alteration]))
    }
    return events
  }

  // MARK: Taking back

  mutating func takeBackFormula(
    _ takeback: Change.Takeback, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Occasion
  ) throws(CountingError) -> Event {
    let event = takeback.event
    if event.presence == .disappeared {
      guard case .formula(let formula)? = takeback.removed else { throw .noSuchFormula(event.name.text) }
      try checkFree(formula.name)
      setFormula(formula.id, to: formula)
      return record(kind, formula, occasion, presence: .appeared, undoes: event.sequence, marks: marks)
    }
    guard var formula = formulaRegistry[event.counter] else { throw .noSuchFormula(event.name.text) }
    if event.presence == .appeared {
      setFormula(formula.id, to: nil)
      return record(kind, formula, occasion, presence: .disappeared, undoes: event.sequence, marks: marks)
    }
    let name = formula.name
    for alteration in event.alterations { formula[alteration.field] = alteration.before }
    if formula.name != name { try checkFree(formula.name) }
    setFormula(formula.id, to: formula)
    return record(
      kind, formula, occasion, undoes: event.sequence, marks: marks, alterations: event.alterations.map(\.inverse))
  }
}
