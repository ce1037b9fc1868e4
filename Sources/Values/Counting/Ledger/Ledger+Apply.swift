/// The effect of an event on the state. Performing a change, importing, repairing and verifying a journal all use this
/// code. Two readers do not, because ten million events take seconds to apply: a journal is loaded from the rows that
/// are saved with its events (a verification compares both), and the values of an earlier time are computed from the
/// changes around it.
extension Ledger {
  /// Applies `event`, the next one in the order of all events.
  ///
  /// Never fails: an event that does not fit the state changes the existing parts of it. ``check(_:reviving:)`` finds
  /// such events beforehand.
  ///
  /// - Parameter removed: the entity that the event restores, in its state before the removal.
  public mutating func apply(_ event: Event, reviving removed: Entity? = nil) {
    switch event.subject {
    // A note concerns an earlier event and leaves the subject as it is.
    case _ where event.about != nil, .all: logUndo(.nothing)
    case .counter: applyToCounter(event, removed)
    case .group: applyToGroup(event, removed)
    case .formula: applyToFormula(event, removed)
    }
    lastSequence = event.sequence
  }

  // MARK: Counters

  private mutating func applyToCounter(_ event: Event, _ removed: Entity?) {
    switch event.presence {
    case .appeared:
      guard let counter = event.kind == .created ? created(event) : revived(removed) else { return logUndo(.nothing) }
      setCounter(counter.id, to: counter)
      lastID = max(lastID, counter.id.number)
      if current == nil || event.marks.contains(.becameCurrent) { current = counter.id }
    case .disappeared:
      guard let counter = counters[event.counter] else { return logUndo(.nothing) }
      let successor = current == counter.id ? successor(of: counter) : nil
      setCounter(counter.id, to: nil)
      if current == counter.id { current = successor?.id }
    case .unchanged where event.kind == .selected:
      logUndo(.nothing)
      if counters[event.counter] != nil { current = event.counter }
    case .unchanged where event.isOnlyValue: setValue(of: event.counter, to: event.value)
    case .unchanged: applyFields(event)
    }
  }

  private mutating func applyFields(_ event: Event) {
    guard let before = counters[event.counter] else { return logUndo(.nothing) }
    var counter = before
    counter.value = event.value
    if event.kind == .locked { counter.isLocked = true }
    if event.kind == .unlocked { counter.isLocked = false }
    counter.apply(event.alterations)
    let successor = archivedWhileCurrent(counter, before: before) ? successor(of: before) : nil
    setCounter(counter.id, to: counter)
    if let successor, !successor.isArchived { current = successor.id }
    if event.marks.contains(.becameCurrent) { current = counter.id }
  }

  /// Whether the current counter was archived, so that another one must become current.
  func archivedWhileCurrent(_ counter: Counter, before: Counter) -> Bool {
    counter.isArchived && !before.isArchived && current == counter.id
  }

  private func created(_ event: Event) -> Counter {
    let (decimals, isStopwatch): (Int64, Bool) =
      switch event.unit {
      case .decimal(let decimals): (decimals, false)
      case .time: (0, true)
      }
    let name = event.createdName
    var counter = Counter(
      id: event.counter, name: name, title: name.text, start: event.value,
      step: Counter.usualStep(decimals, isStopwatch), value: event.value, decimals: decimals, isStopwatch: isStopwatch)
    counter.began = event.time
    counter.apply(event.alterations)
    if event[.order] == nil { counter.order = nextOrder(of: counter.group) }
    return counter
  }

  private func revived(_ removed: Entity?) -> Counter? {
    guard case .counter(var counter)? = removed else { return nil }
    // Its group may have been removed in the meantime.
    if let group = counter.group, groupRegistry[group] == nil { counter.group = nil }
    return counter
  }

  // MARK: Groups and formulas

  private mutating func applyToGroup(_ event: Event, _ removed: Entity?) {
    switch event.presence {
    case .appeared where event.kind == .created:
      let name = event.createdName
      var group = Group(id: event.counter, name: name, title: name.text)
      for alteration in event.alterations { group[alteration.field] = alteration.after }
      if event[.order] == nil { group.order = nextGroupOrder }
      setGroup(group.id, to: group)
      lastID = max(lastID, group.id.number)
    case .appeared:
      if case .group(let group)? = removed { setGroup(group.id, to: group) } else { logUndo(.nothing) }
    case .disappeared: setGroup(event.counter, to: nil)
    case .unchanged:
      guard var group = groupRegistry[event.counter] else { return logUndo(.nothing) }
      for alteration in event.alterations { group[alteration.field] = alteration.after }
      setGroup(group.id, to: group)
    }
  }

  private mutating func applyToFormula(_ event: Event, _ removed: Entity?) {
    switch event.presence {
    case .appeared where event.kind == .created:
      var formula = Formula(id: event.counter, name: event.createdName, text: event[.formula]?.text ?? "")
      for alteration in event.alterations { formula[alteration.field] = alteration.after }
      if event[.order] == nil { formula.order = nextFormulaOrder }
      setFormula(formula.id, to: formula)
      lastID = max(lastID, formula.id.number)
    case .appeared:
      guard case .formula(var formula)? = removed else { return logUndo(.nothing) }
      // Its group may have been removed in the meantime.
      if let group = formula.group, groupRegistry[group] == nil { formula.group = nil }
      setFormula(formula.id, to: formula)
    case .disappeared: setFormula(event.counter, to: nil)
    case .unchanged:
      guard var formula = formulaRegistry[event.counter] else { return logUndo(.nothing) }
      for alteration in event.alterations { formula[alteration.field] = alteration.after }
      setFormula(formula.id, to: formula)
    }
  }
}

extension Event {
  /// The name that a `created` event states.
  public var createdName: CounterName { self[.name]?.text.map(CounterName.init(trusted:)) ?? name }

  /// Whether the event changed only the value of a counter.
  var isOnlyValue: Bool {
    guard alterations.isEmpty, !marks.contains(.becameCurrent) else { return false }
    switch kind {
    case .locked, .unlocked, .selected: return false
    default: return true
    }
  }
}

extension Counter {
  mutating func apply(_ alterations: [Alteration]) {
    for alteration in alterations { self[alteration.field] = alteration.after }
  }
}
