/// Checks formulas against the other formulas.
///
/// A formula may refer to something that was removed; then it has no value. It never depends on itself, nor on a chain
/// of more than ``longestChain`` formulas. Each change of a formula's text or name is therefore checked after it is in
/// the registry, and rolled back if the check fails.
extension Ledger {
  /// The maximum length of a chain of formulas that depend on each other.
  static let longestChain = 64

  /// Checks imported formulas, which are in the ledger already. They may refer to counters that were removed elsewhere.
  ///
  /// - Throws: ``CountingError/badFormula(_:_:)``, and ``CountingError/badSetting(_:reason:)`` if there are too many.
  public func checkFormulas(_ ids: [Counter.ID]) throws(CountingError) {
    guard formulaRegistry.entries.count <= Self.mostFormulas else {
      throw Field.formula.bad("there are \(Self.mostFormulas) already")
    }
    var chains = Chains()
    for id in ids {
      if let formula = formulaRegistry[id] { try checkChains(of: formula, &chains) }
    }
  }

  /// - Throws: ``CountingError/badFormula(_:_:)`` for unknown names, cycles, and chains that are too long.
  func check(_ formula: Formula) throws(CountingError) {
    try checkNames(in: formula)
    try checkChains(of: formula)
  }

  // MARK: Names

  private func checkNames(in formula: Formula) throws(CountingError) {
    guard let parsed = formula.parsed else { return }
    do throws(FormulaError) {
      for (kind, reference) in parsed.expression.references {
        let name = CounterName(trusted: reference.name)
        if let reason = fault(of: name, reference.name, kind, in: formula) {
          throw FormulaError(at: reference.position, reason)
        }
      }
    } catch {
      throw .badFormula(parsed.text, error)
    }
  }

  private func fault(
    of name: CounterName, _ spelling: String, _ kind: Expression.ReferenceKind, in formula: Formula
  ) -> String? {
    switch kind {
    case .group: groupRegistry.id(of: name) == nil ? "There is no group called “\(spelling.shortened)”." : nil
    case _ where counters.id(of: name) != nil: nil
    case .counter:
      formulaRegistry.id(of: name) == nil
        ? unknown(name, spelling, "counter") : "“\(spelling)” is a formula; this function needs a counter."
    case .value where name == formula.name: "A formula cannot build on itself."
    case .value: formulaRegistry.id(of: name) == nil ? unknown(name, spelling, "counter or formula") : nil
    }
  }

  private func unknown(_ name: CounterName, _ spelling: String, _ kind: String) -> String {
    if groupRegistry.id(of: name) != nil { return "“\(spelling)” is a group. Its sum is sum(group:\(spelling))." }
    let hint = spelling.contains("-") ? "; to subtract, write spaces around the minus" : ""
    return "There is no \(kind) called “\(spelling.shortened)”\(hint)."
  }

  // MARK: Chains

  /// Lengths of chains, each computed once while the formulas do not change.
  private struct Chains {
    var below: [Counter.ID: Int] = [:]
    var above: [Counter.ID: Int] = [:]

    /// The length of a chain whose formulas are being visited.
    static let open = -1
  }

  /// A formula depends on itself.
  private struct Circle: Error {
    let formula: Counter.ID
  }

  /// Checks a formula in the registry that has a new text or a new name, which other formulas may use.
  ///
  /// - Throws: ``CountingError/badFormula(_:_:)`` for cycles and chains that are too long.
  func checkChains(of formula: Formula) throws(CountingError) {
    var chains = Chains()
    try checkChains(of: formula, &chains)
  }

  private func checkChains(of formula: Formula, _ chains: inout Chains) throws(CountingError) {
    let length: Int
    do throws(Circle) {
      length =
        try self.length(from: formula.id, &chains.below, over: parts)
        + self.length(from: formula.id, &chains.above, over: users)
    } catch {
      throw .badFormula(formula.text, circleFault(in: formula))
    }
    guard length <= Self.longestChain else {
      let reason = "More than \(Self.longestChain) formulas would build on each other, one behind the other."
      throw .badFormula(formula.text, FormulaError(at: 0, reason))
    }
  }

  /// Reports the first reference of a formula that leads into a cycle.
  private func circleFault(in formula: Formula) -> FormulaError {
    for (kind, reference) in formula.parsed?.expression.references ?? [] where kind != .group {
      guard let part = formulaRegistry.id(of: CounterName(trusted: reference.name)) else { continue }
      var known = [formula.id: Chains.open]
      do throws(Circle) {
        _ = try length(from: part, &known, over: parts)
      } catch {
        let reason =
          error.formula == formula.id
          ? "“\(reference.name)” builds on “\(formula.name)” itself: that goes round in a circle."
          : "“\(reference.name)” builds on formulas that go round in a circle."
        return FormulaError(at: reference.position, reason)
      }
    }
    return FormulaError(at: 0, "Formulas that build on this one go round in a circle.")
  }

  /// The length of the longest chain that begins with a formula and goes from neighbour to neighbour: the number of
  /// steps.
  private func length(
    from id: Counter.ID, _ known: inout [Counter.ID: Int], over neighbours: (Counter.ID) -> [Counter.ID]
  ) throws(Circle) -> Int {
    if let length = known[id] {
      if length == Chains.open { throw Circle(formula: id) }
      return length
    }
    known[id] = Chains.open
    var length = 0
    for other in neighbours(id) { length = max(length, try self.length(from: other, &known, over: neighbours) + 1) }
    known[id] = length
    return length
  }

  /// The formulas that a formula depends on.
  private func parts(of id: Counter.ID) -> [Counter.ID] { mentions.names(in: id).compactMap(formulaRegistry.id(of:)) }

  /// The formulas that depend on a formula.
  private func users(of id: Counter.ID) -> [Counter.ID] {
    formulaRegistry[id].map { Array(mentions.of($0.name, isGroup: false)) } ?? []
  }
}
