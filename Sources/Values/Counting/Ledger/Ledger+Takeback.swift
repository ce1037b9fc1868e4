/// Undo and redo.
extension Ledger {
  /// Undoes events in the given order: their effects on values, fields and presence.
  mutating func takeBack(
    _ events: [Change.Takeback], as kind: Event.Kind, _ scope: Change.UndoScope, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    var occasion = occasion
    if events.count > 1 { occasion.batch = occasion.batch ?? lastSequence &+ 1 }
    let marks: Event.Marks =
      switch scope {
      case .one: []
      case .counter: .lastOfCounter
      case .all: [.lastOfAll, .lastOfCounter]
      }
    var taken: [Event] = []
    for takeback in events {
      let marks = takeback.isOfImport ? marks.union(.ofImport) : marks
      if let end = takeback.end {
        taken += try takeBackLate(takeback.event, until: end, as: kind, marks, occasion)
      } else {
        taken.append(try takeBack(takeback, as: kind, marks, occasion))
      }
    }
    return taken
  }

  /// A part of a sentence about a value that an undo would move beyond a limit, or further beyond it; `nil` if it would
  /// not.
  ///
  /// - Parameter past: the value at the end of the period, if that period has ended.
  public static func excess(of change: Int64, _ counter: Counter, from past: Int64? = nil) -> String? {
    var counter = counter
    counter.value = past ?? counter.value
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    guard !overflow, let limit = limit(crossedBy: change, of: counter) else { return nil }
    let stands = past == nil ? "would stand" : "would have ended its period"
    let bound = change < 0 ? "below its minimum" : "above its maximum"
    return "“\(counter.name)” \(stands) at \(counter.unit.text(value)), \(bound) of \(counter.unit.text(limit))"
  }

  /// Undoes a change of an ended period without an effect on the current one.
  private mutating func takeBackLate(
    _ event: Event, until end: Int64, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    let counter = try counter(of: event)
    try checkUnlocked(counter)
    let (change, isFar) = (0 as Int64).subtractingReportingOverflow(event.change)
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if isFar || overflow {
      throw .overflow(counter.name.text, value: counter.value, change: change, unit: counter.unit)
    }
    var (passing, occasion) = (counter, occasion)
    passing.value = value
    occasion.batch = occasion.batch ?? lastSequence &+ 1
    let taken = record(kind, passing, occasion, change: change, undoes: event.sequence, marks: marks)
    let closing = Context(time: end, cause: occasion.cause, batch: occasion.batch)
    return [taken, record(.renewed, counter, closing, change: event.change)]
  }

  private mutating func takeBack(
    _ takeback: Change.Takeback, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Context
  ) throws(CountingError) -> Event {
    let event = takeback.event
    if event.about != nil, let alteration = event.alterations.first {
      return try note(event, alteration.inverse, kind, undoes: event.sequence, marks: marks, occasion)
    }
    switch event.subject {
    case .all: return record(kind, AllCounters(), occasion, undoes: event.sequence, marks: marks)
    case .group, .formula: return try takeBackLabelled(takeback, as: kind, marks, occasion)
    case .counter: break
    }
    let marks = marks.union(event.marks.intersection(.madeToCount))
    switch event.presence {
    case .appeared:
      let counter = try self.counter(of: event)
      try checkUnlocked(counter)
      // An accidental undo must not end the counting for the fleet.
      if kind == .undone, isShared(counter.id) {
        throw .cannotUndo(
          event.sequence,
          reason: "“\(counter.name)” is counted by the fleet; to remove it here: tally remove \(counter.name)")
      }
      return record(
        kind, counter, occasion, presence: .disappeared, undoes: event.sequence,
        marks: marks.union(marksOfRemoval(of: counter)))
    case .disappeared:
      guard case .counter(let counter)? = takeback.removed else { throw event.isOfNone }
      try checkFree(counter.name, for: .counter)
      return record(
        kind, counter, occasion, presence: .appeared, undoes: event.sequence,
        marks: event.marks.contains(.wasCurrent) ? marks.union(.becameCurrent) : marks, reviving: takeback.removed)
    case .unchanged: return try takeBackChange(event, as: kind, marks, occasion)
    }
  }

  private mutating func takeBackChange(
    _ event: Event, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Context
  ) throws(CountingError) -> Event {
    var counter = try counter(of: event)
    try checkUnlocked(counter)
    let (change, overflow) = (0 as Int64).subtractingReportingOverflow(event.change)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: event.change, unit: counter.unit) }
    let (value, beyond) = counter.value.addingReportingOverflow(change)
    if beyond { throw .overflow(counter.name.text, value: counter.value, change: change, unit: counter.unit) }
    let before = counter
    // The end of the period follows from the clock.
    let setsPeriod = event.alterations.contains { $0.field == .period }
    for alteration in event.alterations
    where alteration.field != .renewsAt && !leadsToLostGroup(alteration) && !isFixed(alteration.field, of: counter) {
      // A period has ended since.
      if alteration.field == .began, setsPeriod, counter[.began] != alteration.after { continue }
      counter[alteration.field] = alteration.before
    }
    counter.value = value
    if counter.period != before.period { counter.renewsAt = renewal(of: counter, after: occasion.time) }
    // Later events may have changed whether the target is reached.
    _ = counter.updateReached(at: occasion.time)
    // A separate undo may have given the name to another counter. An error here would block all earlier undos for good.
    if counter.name != before.name, (try? checkFree(counter.name, for: .counter)) == nil { counter.name = before.name }
    let alterations = counter.alterations(since: before)
    var marks = marks
    if event.marks.contains(.wasCurrent) { marks.insert(.becameCurrent) }
    let successor = archivedWhileCurrent(counter, before: before) ? successor(of: before) : nil
    if let successor, !successor.isArchived { marks.insert(.wasCurrent) }
    return record(
      kind, counter, occasion, change: change, undoes: event.sequence, marks: marks, alterations: alterations)
  }

  /// Undoes an event of a group or a formula.
  private mutating func takeBackLabelled(
    _ takeback: Change.Takeback, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Context
  ) throws(CountingError) -> Event {
    let event = takeback.event
    if event.presence == .disappeared {
      guard let removed = takeback.removed, removed.subject == event.subject else { throw event.isOfNone }
      try checkFree(removed.name, for: removed.subject)
      let revival = record(
        kind, removed, occasion, presence: .appeared, undoes: event.sequence, marks: marks, reviving: removed)
      if let formula = removed.formula { try checkChains(of: formula) }
      return revival
    }
    guard let before = entity(event.subject, event.counter) else { throw event.isOfNone }
    if event.presence == .appeared {
      if let group = before.group, !members(of: group.id).isEmpty || !formulas(of: group.id).isEmpty {
        throw .cannotUndo(
          event.sequence, reason: "counters or formulas belong to the group “\(group.name)”; move or remove them first")
      }
      return record(kind, before, occasion, presence: .disappeared, undoes: event.sequence, marks: marks)
    }
    var after = before
    for alteration in event.alterations where !leadsToLostGroup(alteration) {
      after[alteration.field] = alteration.before
    }
    if after.name != before.name { try checkFree(after.name, for: after.subject) }
    // A formula that was removed loses a group that is removed meanwhile.
    let alterations = after.alterations(since: before)
    let reversal = record(kind, after, occasion, undoes: event.sequence, marks: marks, alterations: alterations)
    if let formula = after.formula { try checkChains(of: formula) }
    return reversal
  }

  /// Whether the undo of an alteration would restore a group that was removed by a separate undo of another event. An
  /// error would block all earlier undos for good.
  private func leadsToLostGroup(_ alteration: Alteration) -> Bool {
    alteration.field == .group && alteration.before.integer.map { groupRegistry[.init($0)] == nil } ?? false
  }

  private func counter(of event: Event) throws(CountingError) -> Counter {
    guard let counter = counters[event.counter] else { throw event.isOfNone }
    return counter
  }
}

extension Event {
  /// The error of an event whose entity does not exist.
  fileprivate var isOfNone: CountingError {
    switch subject {
    case .group: .noSuchGroup(name.text)
    case .formula: .noSuchFormula(name.text)
    case .counter, .all: .noSuchCounter(name.text)
    }
  }
}
