/// Changes of settings.
extension Ledger {
  mutating func set(_ counter: Counter, _ settings: Settings, _ occasion: Context) throws(CountingError) -> [Event] {
    try checkUnlocked(counter)
    try checkShared(counter, settings)
    var counter = counter
    let before = counter
    var alterations = try apply(settings, to: &counter, at: occasion.time)
    // The value keeps its counts, so the first period begins with the earliest of them.
    if counter.period != before.period {
      // Times by a lost clock say nothing of the earliest count.
      if before.period == nil, isClockLost(at: occasion.time) {
        beginPeriod(of: &counter, at: occasion.time)
      } else if case .earliestCount(let earliest)? = occasion.past {
        counter.began = earliest
      }
      if counter.began != before.began {
        alterations.append(Alteration(.began, from: before[.began], to: counter[.began]))
      }
    }
    if let reached = counter.updateReached(at: occasion.time) { alterations.append(reached) }
    if counter.name != before.name { try checkFree(counter.name, for: .counter) }
    let occasion = forRenaming(before.name, to: counter.name, isGroup: false, occasion)
    // An archived counter is not the current one, unless no other counter is left.
    let successor = archivedWhileCurrent(counter, before: before) ? successor(of: before) : nil
    var marks: Event.Marks = successor.map { !$0.isArchived } ?? false ? .wasCurrent : []
    if before.isArchived { marks.formUnion(marksOfAppearance(of: counter)) }
    // The settings were the same already: an undo has nothing to revert.
    if alterations.isEmpty { marks = .notUndoable }
    let event = record(.changed, counter, occasion, marks: marks, alterations: alterations)
    return [event] + (try rename(before.name, to: counter.name, isGroup: false, occasion))
  }

  mutating func lock(_ counter: Counter, _ isLocked: Bool, _ occasion: Context) -> Event {
    record(isLocked ? .locked : .unlocked, counter, occasion)
  }

  /// Sets the requested fields that apply.
  ///
  /// - Returns: the field changes.
  func apply(_ settings: Settings, to counter: inout Counter, at time: Int64) throws(CountingError) -> [Alteration] {
    let before = counter
    for (field, value) in settings {
      guard field.isSetting else { throw .badSetting(field.rawValue, reason: "it cannot be set directly") }
      guard field.isOfCounters else { throw field.bad("a counter has none") }
      switch field {
      case .group: counter[field] = try group(value)
      case .period: try setPeriod(value.text, of: &counter, at: time)
      default: counter[field] = try field.checked(value, for: before)
      }
    }
    // A title that was never set follows the name.
    if before.title == before.name.text, settings[.title] == nil { counter.title = counter.name.text }
    try counter.check()
    return counter.alterations(since: before)
  }

  func group(_ value: Field.Value) throws(CountingError) -> Field.Value {
    guard let name = value.text, !name.isEmpty else { return .none }
    return .integer(try findGroup(name).id.number)
  }

  /// Sets or removes the note about an event.
  mutating func note(
    _ event: Event, _ text: String?, _ standing: Int64?, _ occasion: Context
  ) throws(CountingError) -> Event {
    let text = try Field.note.checked(.init(text), for: nil).text ?? ""
    let alteration = Alteration(
      .note, from: .init(event.note), to: text.isEmpty ? .none : .text(text))
    return try note(event, alteration, .noted, standing: standing, occasion)
  }

  /// Sets or removes the note, for an undo. Notes are kept when the counter is removed.
  mutating func note(
    _ event: Event, _ alteration: Alteration, _ kind: Event.Kind, standing: Int64? = nil, undoes: Int64? = nil,
    marks: Event.Marks = [], _ occasion: Context
  ) throws(CountingError) -> Event {
    let counter = counters[event.counter]
    if let counter { try checkUnlocked(counter) }
    let note = Event(
      sequence: lastSequence &+ 1, time: occasion.time, kind: kind, subject: event.subject, counter: event.counter,
      name: event.name, unit: event.unit, change: 0, value: counter?.value ?? standing ?? event.value, undoes: undoes,
      cause: occasion.cause,
      marks: marks.union(.altered), about: event.about ?? event.sequence, batch: occasion.batch,
      alterations: [alteration])
    apply(note)
    return note
  }
}
