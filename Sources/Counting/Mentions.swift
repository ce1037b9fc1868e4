import Formulas

/// Which formulas mention what, so that a change finds those that it concerns without asking all of them.
struct Mentions: Sendable {
  private var formulas: [Mention: Set<Counter.ID>] = [:]

  private struct Mention: Hashable {
    let name: CounterName
    let isGroup: Bool
  }

  /// The formulas whose text mentions a counter or a formula, or a group.
  func of(_ name: CounterName, isGroup: Bool) -> Set<Counter.ID> {
    formulas[Mention(name: name, isGroup: isGroup)] ?? []
  }

  /// Forgets what one formula mentions, and notes what another one does.
  mutating func replace(_ old: Formula?, with new: Formula?) {
    for (mention, id) in Self.mentions(of: old) {
      formulas[mention]?.remove(id)
      if formulas[mention]?.isEmpty ?? false { formulas[mention] = nil }
    }
    for (mention, id) in Self.mentions(of: new) { formulas[mention, default: []].insert(id) }
  }

  private static func mentions(of formula: Formula?) -> [(Mention, Counter.ID)] {
    guard let formula, let parsed = formula.parsed else { return [] }
    return parsed.expression.references.map { kind, reference in
      (Mention(name: CounterName(trusted: reference.name), isGroup: kind == .group), formula.id)
    }
  }
}
