import Formulas

/// Whether a formula makes sense among the others.
extension Ledger {
  /// So many formulas may build on each other, one behind the other.
  static let longestChain = 64

  /// Makes sure that a formula which came from elsewhere makes sense here.
  ///
  /// - Throws: ``CountingError/badFormula(_:_:)``, and where there are more formulas than there may be.
  public func checkFormula(_ id: Counter.ID) throws(CountingError) {
    guard formulaRegistry.entries.count <= Self.mostFormulas else {
      throw Field.formula.bad("there are \(Self.mostFormulas) already")
    }
    if let formula = formulaRegistry[id] { try check(formula) }
  }

  /// - Throws: ``CountingError/badFormula(_:_:)`` for names that mean nothing, and for going round in a circle.
  func check(_ formula: Formula) throws(CountingError) {
    guard let parsed = formula.parsed else { return }
    do throws(FormulaError) {
      var heights: [Counter.ID: Int] = [:]
      var height = 0
      for (kind, reference) in parsed.expression.references {
        guard let other = try target(of: reference, kind, in: formula) else { continue }
        height = max(height, self.height(of: other, &heights) + 1)
      }
      guard height + depth(above: formula) <= Self.longestChain else {
        throw FormulaError(
          at: 0, "More than \(Self.longestChain) formulas would build on each other, one behind the other.")
      }
    } catch {
      throw .badFormula(parsed.text, error)
    }
  }

  /// The formula that is meant, or `nil` for a counter or a group.
  private func target(
    of reference: Expression.Reference, _ kind: Expression.ReferenceKind, in formula: Formula
  ) throws(FormulaError) -> Formula? {
    let name = CounterName(trusted: reference.name)
    func fault(_ text: String) -> FormulaError { FormulaError(at: reference.position, text) }
    if kind == .group {
      guard groupRegistry[name] != nil else { throw fault("There is no group called “\(reference.name.shortened)”.") }
      return nil
    }
    if counters[name] != nil { return nil }
    guard kind == .value else {
      guard name == formula.name || formulaRegistry[name] != nil else {
        throw fault(Self.unknown(reference.name, "counter"))
      }
      throw fault("“\(reference.name)” is a formula; only a counter has that.")
    }
    if name == formula.name { throw fault("A formula cannot build on itself.") }
    guard let other = formulaRegistry[name] else { throw fault(Self.unknown(reference.name, "counter or formula")) }
    var seen: Set<Counter.ID> = []
    if builds(other, on: formula.id, &seen) {
      throw fault("“\(reference.name)” builds on “\(formula.name)” itself: that goes round in a circle.")
    }
    return other
  }

  private static func unknown(_ name: String, _ kind: String) -> String {
    let hint = name.contains("-") ? "; to subtract, write spaces around the minus" : ""
    return "There is no \(kind) called “\(name.shortened)”\(hint)."
  }

  /// The formulas that a formula mentions.
  private func parts(of formula: Formula) -> [Formula] {
    formula.parsed?.expression.references.compactMap { kind, reference in
      kind == .value ? formulaRegistry[CounterName(trusted: reference.name)] : nil
    } ?? []
  }

  private func builds(_ formula: Formula, on id: Counter.ID, _ seen: inout Set<Counter.ID>) -> Bool {
    guard seen.insert(formula.id).inserted else { return false }
    for part in parts(of: formula) where part.id == id || builds(part, on: id, &seen) { return true }
    return false
  }

  /// How many formulas lie below one, at most one behind the other. They go round in no circle.
  private func height(of formula: Formula, _ known: inout [Counter.ID: Int]) -> Int {
    if let height = known[formula.id] { return height }
    // What undoing brought together without anybody's check ends here.
    known[formula.id] = Self.longestChain
    var height = 0
    for part in parts(of: formula) { height = max(height, self.height(of: part, &known) + 1) }
    known[formula.id] = height
    return height
  }

  /// How many formulas build on one, at most one behind the other.
  private func depth(above formula: Formula) -> Int {
    var depth = 0
    var level = mentions.of(formula.name, isGroup: false)
    while !level.isEmpty, depth <= Self.longestChain {
      depth += 1
      level = level.reduce(into: []) { above, id in
        if let name = formulaRegistry[id]?.name { above.formUnion(mentions.of(name, isGroup: false)) }
      }
    }
    return depth
  }
}
