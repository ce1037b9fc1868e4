/// The names that formulas mention, found by formula and by name.
struct FormulaDependencies: Sendable {
  private var dependents: [Mention: Set<Counter.ID>] = [:]
  private var mentions: [Counter.ID: Set<Mention>] = [:]

  private struct Mention: Hashable {
    let name: CounterName
    let isGroup: Bool
  }

  /// The formulas whose text mentions a counter or a formula, or a group.
  func of(_ name: CounterName, isGroup: Bool) -> Set<Counter.ID> {
    dependents[Mention(name: name, isGroup: isGroup)] ?? []
  }

  /// The counters and formulas that a formula mentions, each once.
  func names(in formula: Counter.ID) -> some Sequence<CounterName> {
    (mentions[formula] ?? []).lazy.filter { !$0.isGroup }.map(\.name)
  }

  /// Replaces the names in one formula by those in another.
  mutating func replace(_ old: Formula?, with new: Formula?) {
    if let old, let former = mentions.removeValue(forKey: old.id) {
      for mention in former {
        dependents[mention]?.remove(old.id)
        if dependents[mention]?.isEmpty ?? false { dependents[mention] = nil }
      }
    }
    if let new, let parsed = new.parsed {
      let names = Set(
        parsed.expression.references.map { kind, reference in
          Mention(name: CounterName(trusted: reference.name), isGroup: kind == .group)
        })
      mentions[new.id] = names
      for mention in names { dependents[mention, default: []].insert(new.id) }
    }
  }
}
