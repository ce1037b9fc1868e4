/// Creation, change and removal of formulas.
extension Ledger {
  /// The maximum number of formulas.
  static let mostFormulas = 1000

  /// - Throws: ``CountingError/noSuchFormula(_:)``.
  public func findFormula(_ name: String) throws(CountingError) -> Formula {
    guard let formula = formula(named: name) else { throw .noSuchFormula(name.shortened) }
    return formula
  }

  public func formula(named name: String) -> Formula? {
    name.utf8.count <= CounterName.longest * 4 ? formulaRegistry[CounterName(trusted: name)] : nil
  }

  /// The formula that a change names; `nil` for anything else.
  func formula(_ target: Change.Target) -> Formula? {
    if case .named(let name) = target { formula(named: name) } else { nil }
  }

  mutating func createFormula(
    _ name: String, _ settings: Settings, _ occasion: Context
  ) throws(CountingError) -> Event {
    let name = try CounterName(name)
    try checkFree(name, for: .formula)
    guard formulaRegistry.entries.count < Self.mostFormulas else {
      throw Field.formula.bad("there are \(Self.mostFormulas) already")
    }
    let formula = Formula(id: .init(lastID &+ 1), name: name, text: "")
    let text = settings[.formula] ?? .text("")
    let event = try create(formula, settings.merging([.formula: text]) { $1 }, occasion)
    if let formula = formulaRegistry[formula.id] { try check(formula) }
    return event
  }

  mutating func setFormula(
    _ formula: Formula, _ settings: Settings, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    let events = try set(formula, settings, occasion)
    guard let after = formulaRegistry[formula.id] else { return events }
    if after.text != formula.text { try check(after) } else if after.name != formula.name { try checkChains(of: after) }
    return events
  }

  mutating func remove(_ formula: Formula, _ occasion: Context) -> Event {
    record(.removed, formula, occasion, presence: .disappeared)
  }

  // MARK: Renaming

  /// The occasion of a rename and its effects on formulas, which form one batch.
  func forRenaming(_ name: CounterName, to newName: CounterName, isGroup: Bool, _ occasion: Context) -> Context {
    guard name != newName, !mentions.of(name, isGroup: isGroup).isEmpty, occasion.batch == nil else { return occasion }
    var occasion = occasion
    occasion.batch = lastSequence &+ 1
    return occasion
  }

  /// Replaces the old name in all formulas that refer to it.
  mutating func rename(
    _ name: CounterName, to newName: CounterName, isGroup: Bool, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    guard name != newName else { return [] }
    var events: [Event] = []
    for id in mentions.of(name, isGroup: isGroup).sorted() {
      guard var formula = formulaRegistry[id], let parsed = formula.parsed else { continue }
      let before = formula[.formula]
      formula.text = parsed.renaming([name.text: newName.text], isGroup: isGroup)
      guard formula.parsed != nil else {
        throw Field.name.bad("the formula “\(formula.name)”, which refers to it, would become too long")
      }
      let alteration = Alteration(.formula, from: before, to: formula[.formula])
      events.append(record(.changed, formula, occasion, alterations: [alteration]))
    }
    return events
  }
}
