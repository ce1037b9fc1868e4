import Counting

/// Creates the entities of an archive that come without their history.
extension ArchiveImporter {
  /// Creates the entities of an archive without history, like the commands that create them.
  mutating func makeEntitiesWithoutHistory(_ archive: Archive) throws {
    let new = archive.entries.filter { entry in
      if case .replayed? = treatments[entry.entity.id] { archive.firstEvents[entry.entity.id] == nil } else { false }
    }
    for case .group(let group) in new.map(\.entity) {
      let made = try perform(.createGroup(name: group.name.text, settings(of: .group(group))))
      if let id = made.first?.counter { treatments[group.id] = .represented(id) }
    }
    for case .counter(let counter) in new.map(\.entity) { try make(counter) }
    var formulas: [Formula] = new.compactMap { if case .formula(let formula) = $0.entity { formula } else { nil } }
    let last = ledger.formulas.map(\.order).max() ?? 0
    // A file of values lists the formulas in their order, but their creation may need another order.
    for index in formulas.indices where formulas[index].order == 0 {
      formulas[index].order = last.clampedSum(Int64(index + 1) << 20)
    }
    // A formula may depend on a later one.
    while !formulas.isEmpty {
      var refused: [Formula] = []
      for formula in formulas where try !make(formula) { refused.append(formula) }
      if refused.count == formulas.count {
        // The names in these formulas are unknown in the archive's source too: the formulas have no value in either
        // journal.
        for formula in refused { try record(formula) }
        return
      }
      formulas = refused
    }
  }

  /// Creates a formula without checking the names in it.
  mutating func record(_ formula: Formula) throws {
    let id = try nextNumber()
    let local = try local(formula)
    if local.name != formula.name { renamed[formula.name] = local.name }
    var settings = settings(of: .formula(local))
    settings[.name] = .text(local.name.text)
    let event = Event(
      sequence: ledger.lastSequence &+ 1, time: time, kind: .created, subject: .formula, counter: id, name: local.name,
      change: 0, value: 0, presence: .appeared, cause: cause, marks: .altered, batch: ledger.first(of: batch),
      alterations: settings.map { Alteration($0.key, from: .none, to: $0.value) })
    do throws(EventFault) {
      _ = try replay.replay(event, on: &ledger)
    } catch {
      throw ArchiveError.event(event.sequence, error.reason)
    }
    try appendOwn([event])
  }

  mutating func make(_ counter: Counter) throws {
    var settings = settings(of: .counter(counter))
    if let group = counter.group,
      let here = number(of: group).flatMap(before.group) ?? number(of: group).flatMap(ledger.group)
    {
      settings[.group] = .text(here.name.text)
    } else {
      settings[.group] = nil
    }
    let name = isTaken(counter.name) ? try freeName(like: counter.name) : counter.name
    if name != counter.name { renamed[counter.name] = name }
    let target = Change.Target.named(name.text)
    // Limits that the value violates must be set after the value.
    let limits = counter.isWithinLimits ? [:] : settings.filter { [.minimum, .maximum].contains($0.key) }
    let made = try perform(
      .create(
        name: name.text, decimals: counter.decimals, isStopwatch: counter.isStopwatch,
        settings.filter { limits[$0.key] == nil }))
    if counter.value != counter.start { try perform(.correct(target, to: .units(counter.value))) }
    if !limits.isEmpty { try perform(.set(target, limits)) }
    if counter.isLocked { try perform(.lock(target, true)) }
    if let id = made.first?.counter {
      treatments[counter.id] = .represented(id)
      changed[id] = name.text
    }
  }

  /// Creates a formula.
  ///
  /// - Returns: whether the names in the formula exist; if not, nothing has changed.
  mutating func make(_ formula: Formula) throws -> Bool {
    let local = try local(formula)
    var settings = settings(of: .formula(local))
    settings[.group] = local.group.flatMap(ledger.group).map { .text($0.name.text) }
    let events: [Event]
    do throws(CountingError) {
      events = try ledger.perform(
        .createFormula(name: local.name.text, settings), at: time, cause: cause, in: batch)
    } catch {
      guard case .badFormula = error else { throw ArchiveError.counting(error) }
      return false
    }
    try appendOwn(events)
    if local.name != formula.name { renamed[formula.name] = local.name }
    return true
  }

  /// A formula with the local names of itself and of the entities in it.
  func local(_ formula: Formula) throws -> Formula {
    var local = formula
    if isTaken(formula.name) { local.name = try freeName(like: formula.name) }
    local.follow(renamed.merging(twinNames) { $1 })
    local.group = formula.group.flatMap(number(of:)).flatMap(ledger.group)?.id
    return local
  }

  func settings(of entity: Entity) -> Settings {
    var settings: Settings = [:]
    for field in Field.allCases where field.isSetting && field != .name && entity[field] != .none {
      settings[field] = entity[field]
    }
    return settings
  }

  mutating func selectCurrent(_ archive: Archive) throws {
    guard before.current == nil, let number = archive.current, archive.firstEvents[number] == nil,
      case .represented(let id)? = treatments[number], let counter = ledger[id], ledger.current != id
    else { return }
    try perform(.select(.named(counter.name.text)))
  }
}

extension Counter {
  fileprivate var isWithinLimits: Bool { value >= minimum ?? .min && value <= maximum ?? .max }
}
