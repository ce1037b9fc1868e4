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
    // A note concerns an earlier event and leaves the subject as it is.
    if event.about != nil || event.subject == .all { logUndo(.nothing) } else { applyToEntity(event, removed) }
    lastSequence = event.sequence
  }

  private mutating func applyToEntity(_ event: Event, _ removed: Entity?) {
    let isCounter = event.subject == .counter
    switch event.presence {
    case .appeared:
      guard let entity = event.kind == .created ? created(event) : revived(removed, event) else {
        return logUndo(.nothing)
      }
      set(Entity.Key(subject: event.subject, id: entity.id), to: entity)
      lastID = max(lastID, entity.id.number)
      if isCounter, current == nil || event.marks.contains(.becameCurrent) { current = entity.id }
    case .disappeared:
      let isCurrent = isCounter && current == event.counter
      let successor = isCurrent ? counters[event.counter].flatMap(successor) : nil
      set(Entity.Key(event), to: nil)
      if isCurrent { current = successor?.id }
    case .unchanged where event.kind == .selected:
      logUndo(.nothing)
      if counters[event.counter] != nil { current = event.counter }
    case .unchanged where isCounter && event.isOnlyValue: setValue(of: event.counter, to: event.value)
    case .unchanged where isCounter: applyFields(event)
    case .unchanged:
      guard var entity = entity(event.subject, event.counter) else { return logUndo(.nothing) }
      entity.apply(event.alterations)
      set(Entity.Key(event), to: entity)
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
    set(Entity.Key(event), to: .counter(counter))
    if let successor, !successor.isArchived { current = successor.id }
    if event.marks.contains(.becameCurrent) { current = counter.id }
  }

  /// Whether the current counter was archived, so that another one must become current.
  func archivedWhileCurrent(_ counter: Counter, before: Counter) -> Bool {
    counter.isArchived && !before.isArchived && current == counter.id
  }

  private func created(_ event: Event) -> Entity? {
    let (id, name) = (event.counter, event.createdName)
    var entity: Entity
    switch event.subject {
    case .counter:
      let (decimals, isStopwatch): (Int64, Bool) =
        if case .decimal(let decimals) = event.unit { (decimals, false) } else { (0, true) }
      entity = .counter(
        Counter(
          id: id, name: name, title: name.text, start: event.value, step: Counter.usualStep(decimals, isStopwatch),
          value: event.value, decimals: decimals, isStopwatch: isStopwatch))
      entity[.began] = .integer(event.time)
    case .group: entity = .group(Group(id: id, name: name, title: name.text))
    case .formula: entity = .formula(Formula(id: id, name: name, text: event[.formula]?.text ?? ""))
    case .all: return nil
    }
    entity.apply(event.alterations)
    if event[.order] == nil {
      entity[.order] = .integer(nextOrder(of: event.subject, in: entity[.group].integer.map(Counter.ID.init)))
    }
    return entity
  }

  private func revived(_ removed: Entity?, _ event: Event) -> Entity? {
    guard var entity = removed, entity.subject == event.subject else { return nil }
    // The entity's group may have been removed in the meantime.
    if let group = entity[.group].integer, groupRegistry[.init(group)] == nil { entity[.group] = .none }
    return entity
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
