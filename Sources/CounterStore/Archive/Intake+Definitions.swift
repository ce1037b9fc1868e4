import Counting

/// What an archive says there is: groups, counters and formulas.
extension Intake {
  mutating func take(_ group: Group, isRemoved: Bool) throws {
    let here = (try? ledger.findGroup(group.name.text))?.id
    // One that is removed in both places was taken in before.
    if let here = here
      ?? (isRemoved ? bearers[Bearer(name: group.name.text, subject: .group)]?.last : nil)
    {
      numbers[group.id] = here
      return
    }
    let id = number(for: group.id)
    numbers[group.id] = id
    var new = Group(id: id, name: group.name, title: group.title)
    for field in Field.allCases where field.isOfGroups { new[field] = group[field] }
    try store.statements.saveCounter.run(CounterRow.values(of: new))
    if isRemoved {
      try store.statements.removeCounter.run(.integer(id.number))
    } else {
      result.groups += 1
    }
  }

  mutating func take(_ entry: Archive.Entry, first: Event?) throws {
    let counter = entry.counter
    var name = counter.name
    if let here = try earlier(counter, first) { return try merge(counter, into: here) }
    if !entry.isRemoved {
      let here = try? ledger.find(.named(name.text))
      if let here, clash == .merge { return try merge(counter, into: here) }
      if here != nil || ledger.formula(named: name.text) != nil {
        guard let other = try another(name, for: counter.id) else { return }
        name = other
      }
    }
    let id = number(for: counter.id)
    var new = Counter(
      id: id, name: name, title: counter.title, start: counter.start, step: counter.step,
      value: counter.value,
      decimals: counter.decimals, isStopwatch: counter.isStopwatch)
    for field in Field.allCases where field != .name { new[field] = counter[field] }
    new.group = counter.group.flatMap { numbers[$0] }
    new.isLocked = counter.isLocked
    try store.statements.saveCounter.run(CounterRow.values(of: new))
    try store.statements.addStanding.run(.integer(id.number), .integer(counter.value))
    if entry.isRemoved { try store.statements.removeCounter.run(.integer(id.number)) }
    numbers[counter.id] = id
    values[id] = counter.value
    taken.insert(name.text)
    result.counters += 1
    touched[id] = name.text
    guard first == nil, !entry.isRemoved else { return }
    // Its value is the fold of its events here as well.
    try append(
      Event(
        sequence: 0, time: time, kind: .created, counter: id, name: name, change: 0,
        value: counter.value,
        presence: .appeared, cause: Cause(producer: "import")))
  }

  /// The same counter as it was taken in before: it was made at the same time, by the same cause.
  private func earlier(_ counter: Counter, _ first: Event?) throws -> Counter? {
    guard let first, clash == .merge else { return nil }
    for id in bearers[Bearer(name: counter.name.text, subject: .counter)] ?? [] {
      let event = try store.search(EventFilter(counters: [id]), .after(0), limit: 1, in: ledger)
        .events.first
      guard let event, Self.content(event) == Self.content(first) else { continue }
      return try store.statements.counter.rows(.integer(id.number)) { row throws(StoreError) in
        CounterRow.counter(row)
      }.first
    }
    return nil
  }

  mutating func merge(_ counter: Counter, into here: Counter) throws {
    guard here.decimals == counter.decimals, here.isStopwatch == counter.isStopwatch else {
      throw ArchiveError.otherKind(here.name.text)
    }
    numbers[counter.id] = here.id
    merged.insert(here.id)
    values[here.id] = here.value
  }

  /// The name that something gets whose own one is taken here; `nil` where it is left out.
  private mutating func another(_ name: CounterName, for id: Counter.ID) throws -> CounterName? {
    switch clash {
    case .refuse, .merge: throw ArchiveError.clash(name.text)
    case .keep:
      kept.insert(id)
      return nil
    case .rename:
      let other = try free(name)
      renamed.append((name, other))
      return other
    }
  }

  private func free(_ name: CounterName) throws -> CounterName {
    for number in 2...10_000 {
      let candidate = "\(String(name.text.unicodeScalars.prefix(CounterName.longest - 6)))-\(number)"
      if !taken.contains(candidate) { return try CounterName(candidate) }
    }
    throw ArchiveError.clash(name.text)
  }

  // MARK: Formulas

  mutating func take(_ formula: Formula, isRemoved: Bool, hasHistory: Bool) throws {
    var name = formula.name
    if !isRemoved {
      let here = ledger.formula(named: name.text)
      // What is here stays, with its own story.
      if let here, clash != .rename {
        numbers[formula.id] = here.id
        return
      }
      if here != nil || (try? ledger.find(.named(name.text))) != nil {
        guard let other = try another(name, for: formula.id) else { return }
        name = other
      }
    } else if let here = bearers[Bearer(name: name.text, subject: .formula)]?.last {
      // One that is removed in both places was taken in before.
      numbers[formula.id] = here
      return
    }
    let id = number(for: formula.id)
    numbers[formula.id] = id
    var new = Formula(id: id, name: name, text: formula.text)
    for field in Field.allCases where field.isOfFormulas && field != .name { new[field] = formula[field] }
    for (from, to) in renamed { new.follow(from, to: to) }
    taken.insert(name.text)
    try store.statements.saveCounter.run(CounterRow.values(of: new))
    guard !isRemoved else { return try store.statements.removeCounter.run(.integer(id.number)) }
    formulas.append(id)
    result.formulas += 1
    guard !hasHistory else { return }
    try append(
      Event(
        sequence: 0, time: time, kind: .created, subject: .formula, counter: id, name: name, change: 0, value: 0,
        presence: .appeared, cause: Cause(producer: "import")))
  }
}
