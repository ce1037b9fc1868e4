import Counting

/// Replays the events of new entities.
extension ArchiveImporter {
  /// The local ID of an entity; `nil` if the entity has no local counterpart.
  func number(of id: Counter.ID) -> Counter.ID? {
    switch treatments[id] {
    case .replayed(let here): here
    case .merged(let here), .represented(let here): here
    case .dropped, nil: nil
    }
  }

  mutating func add(_ event: Event) throws {
    if let here = duplicates[event.sequence] {
      sequences.add(event.sequence, here)
      summary.duplicates += 1
      return
    }
    if let about = event.about { return try addNote(event, about) }
    if event.subject == .all {
      // Events about all counters of the archive do not apply to the counters that exist here.
      if before.lastSequence == 0 { try addAsIs(event, as: .all) }
      return
    }
    switch treatments[event.counter] {
    case .merged(let id): try merge(event, into: id)
    case .replayed(let id): try addAsIs(event, as: id ?? (try newNumber(for: event.counter)))
    case .represented, .dropped: break
    case nil: throw ArchiveError.missing(event.counter.number)
    }
  }

  /// The local ID of a new entity. In an empty journal entities keep their IDs, so that the history is identical.
  func newNumber(for id: Counter.ID) throws(ArchiveError) -> Counter.ID {
    let isEmpty = before.lastNumber == 0 && before.lastSequence == 0
    return isEmpty && id.number > ledger.lastNumber && id.number < 1 << 40 ? id : try nextNumber()
  }

  func nextNumber() throws(ArchiveError) -> Counter.ID {
    let (number, overflow) = ledger.lastNumber.addingReportingOverflow(1)
    guard !overflow else { throw .counting(.badSetting("id", reason: "all numbers are in use")) }
    return Counter.ID(number)
  }

  /// Appends an event of a new entity or of all counters, with local IDs and sequence numbers.
  mutating func addAsIs(_ event: Event, as id: Counter.ID, about: Int64? = nil) throws {
    // The local current counter does not change.
    if before.current != nil, event.kind == .selected { return }
    var undoes: Int64?
    if let undone = event.undoes {
      guard let here = sequences[undone] else { return }
      undoes = here
    }
    var alterations = about == nil ? try alterations(of: event, id) : event.alterations
    if event.kind == .created, event[.order] == nil {
      let group = alterations.last { $0.field == .group }?.after.integer.map(Counter.ID.init)
      if let order = ledger.crowdedOrder(of: event.subject, in: group) {
        alterations.append(Alteration(.order, from: .none, to: .integer(order)))
      }
    }
    var marks = event.marks
    if alterations.isEmpty { marks.remove(.altered) } else { marks.insert(.altered) }
    if before.current != nil { marks.subtract([.wasCurrent, .becameCurrent]) }
    let sequence = ledger.lastSequence &+ 1
    let name = event.kind == .created ? event.name : ledger.entity(event.subject, id)?.name ?? event.name
    let mapped = Event(
      sequence: sequence, time: event.time, kind: event.kind, subject: event.subject, counter: id, name: name,
      unit: event.unit, change: event.change, value: event.value, presence: event.presence, undoes: undoes,
      cause: event.cause, marks: marks, boundary: event.boundary, about: about, batch: batch(of: event, sequence),
      alterations: alterations)
    do throws(EventFault) {
      try replay.replay(mapped, on: &ledger)
    } catch {
      throw ArchiveError.event(event.sequence, error.reason)
    }
    try append([mapped])
    sequences.add(event.sequence, sequence)
    guard event.kind == .created else { return }
    treatments[event.counter] = .replayed(id)
    if event.subject == .counter { changed[id] = ledger[id]?.name.text ?? event.name.text }
  }

  mutating func batch(of event: Event, _ sequence: Int64) -> Int64? {
    guard let batch = event.batch else { return nil }
    if let here = batches[batch] { return here }
    batches[batch] = sequence
    return sequence
  }

  /// The field changes of an event with local names and IDs.
  mutating func alterations(of event: Event, _ id: Counter.ID) throws -> [Alteration] {
    let present = event.kind == .created ? nil : ledger.entity(event.subject, id)
    return try event.alterations.map { alteration in
      var after = alteration.after
      switch alteration.field {
      case .group: after = .init(after.integer.flatMap { number(of: .init($0)) }.flatMap(ledger.group)?.id.number)
      case .name: after = .text(try name(after.text ?? "", of: event.subject, id).text)
      case .formula:
        if let text = after.text {
          var formula = Formula(id: id, name: event.name, text: text)
          formula.follow(renamed.merging(twinNames) { $1 })
          after = .text(formula.text)
        }
      default: break
      }
      return Alteration(alteration.field, from: present.map { $0[alteration.field] } ?? alteration.before, to: after)
    }
  }

  /// The local name for the name `text` in the archive.
  mutating func name(_ text: String, of subject: Event.Subject, _ id: Counter.ID) throws -> CounterName {
    let name: CounterName
    do throws(CountingError) { name = try CounterName(text) } catch { throw ArchiveError.counting(error) }
    guard subject != .group else {
      guard let taken = try? ledger.findGroup(name.text), taken.id != id else { return name }
      return try Self.freeName(like: name) { (try? ledger.findGroup($0.text)) != nil }
    }
    let bearer = (try? ledger.find(.named(name.text)))?.id ?? ledger.formula(named: name.text)?.id
    guard let bearer, bearer != id else {
      renamed[name] = nil
      return name
    }
    let free = try freeName(like: name)
    renamed[name] = free
    return free
  }

  mutating func addNote(_ event: Event, _ about: Int64) throws {
    // If the event existed here already, its note is not changed.
    guard let here = sequences[about], duplicates[about] == nil, let alteration = event.alterations.first else {
      return
    }
    if event.subject == .all { return try addAsIs(event, as: .all, about: here) }
    if case .replayed(let id?)? = treatments[event.counter] { return try addAsIs(event, as: id, about: here) }
    guard let subject = try recorded(here) else { return }
    let made = try perform(
      .note(subject, alteration.after.text, standing: try store.standingValue(of: subject.counter)), event)
    if let sequence = made.first?.sequence { sequences.add(event.sequence, sequence) }
  }
}
