/// Making settings others.
extension Ledger {
  mutating func set(_ counter: Counter, _ settings: Settings, _ occasion: Occasion) throws(CountingError) -> [Event] {
    try checkUnlocked(counter)
    var counter = counter
    let before = counter
    var alterations = try apply(settings, to: &counter, at: occasion.time)
    if let reached = counter.updateReached(at: occasion.time) { alterations.append(reached) }
    if counter.name != before.name { try checkFree(counter.name) }
    let occasion = forRenaming(before.name, to: counter.name, isGroup: false, occasion)
    // One that is put away is not what gestures mean.
    let isHandedOn = counter.isArchived && !before.isArchived && current == counter.id
    let heir = isHandedOn ? successor(of: before) : nil
    set(counter.id, to: counter)
    disarm(counter)
    if let heir, !heir.isArchived { current = heir.id }
    let event = record(
      .changed, counter, occasion, marks: current == counter.id || !isHandedOn ? [] : .wasCurrent,
      alterations: alterations)
    return [event] + (try rename(before.name, to: counter.name, isGroup: false, occasion))
  }

  mutating func lock(_ counter: Counter, _ isLocked: Bool, _ occasion: Occasion) -> Event {
    var counter = counter
    counter.isLocked = isLocked
    replace(counter)
    return record(isLocked ? .locked : .unlocked, counter, occasion)
  }

  /// Sets what was asked for where it makes sense.
  ///
  /// - Returns: what that altered.
  func apply(_ settings: Settings, to counter: inout Counter, at time: Int64) throws(CountingError) -> [Alteration] {
    let before = counter
    for (field, value) in settings {
      guard field.isSetting else { throw .badSetting(field.rawValue, reason: "it follows from what happens") }
      guard !field.isOnlyOfFormulas else { throw field.bad("a counter has none") }
      switch field {
      case .group: counter[field] = try group(value)
      case .period: try setPeriod(value.text, of: &counter, at: time)
      default: counter[field] = try field.checked(value, for: before)
      }
    }
    // A title that nobody chose is the name.
    if before.title == before.name.text, settings[.title] == nil { counter.title = counter.name.text }
    try counter.check()
    return Field.allCases.compactMap { field in
      before[field] == counter[field] ? nil : Alteration(field, from: before[field], to: counter[field])
    }
  }

  private func group(_ value: Field.Value) throws(CountingError) -> Field.Value {
    guard let name = value.text, !name.isEmpty else { return .none }
    return .integer(try findGroup(name).id.number)
  }

  /// Notes something about an event, or takes the note away.
  mutating func note(_ event: Event, _ text: String?, _ occasion: Occasion) throws(CountingError) -> Event {
    let text = try Field.note.checked(.init(text), for: nil).text ?? ""
    let alteration = Alteration(
      .note, from: .init(event.note), to: text.isEmpty ? .none : .text(text))
    return try note(event, alteration, .noted, occasion)
  }

  /// The same, and its taking back. What is noted about outlasts the counter that it happened to.
  mutating func note(
    _ event: Event, _ alteration: Alteration, _ kind: Event.Kind, undoes: Int64? = nil, marks: Event.Marks = [],
    _ occasion: Occasion
  ) throws(CountingError) -> Event {
    let counter = counters[event.counter]
    if let counter { try checkUnlocked(counter) }
    note(event.counter)
    lastSequence &+= 1
    return Event(
      sequence: lastSequence, time: occasion.time, kind: kind, subject: event.subject, counter: event.counter,
      name: event.name, unit: event.unit, change: 0, value: counter?.value ?? event.value, undoes: undoes,
      cause: occasion.cause,
      marks: marks.union(.altered), about: event.about ?? event.sequence, batch: occasion.batch,
      alterations: [alteration])
  }
}
