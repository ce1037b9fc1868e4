import Counting

/// What an archive says has happened.
extension Intake {
  /// What makes two events the same one, wherever they were written down.
  struct Content: Hashable {
    let time: Int64
    let kind: Event.Kind
    let change: Int64
    let cause: Cause
  }

  mutating func take(_ event: Event) throws {
    guard event.subject != .all else { return try appendMapped(event, to: .init(0)) }
    guard !kept.contains(event.counter), let id = numbers[event.counter] else { return }
    guard merged.contains(id) else {
      // Groups and formulas that are here already keep their own story.
      if event.subject != .counter, id.number <= ledger.lastNumber { return }
      return try appendMapped(event, to: id)
    }
    if let here = try duplicate(event, of: id) {
      sequences[event.sequence] = here
      result.duplicates += 1
      return
    }
    // Of a counter that is here already only what changes its value is new.
    guard event.change != 0 || event.kind.isCount else { return }
    if let undone = event.undoes, sequences[undone] == nil { return }
    let (value, overflow) = (values[id] ?? 0).addingReportingOverflow(event.change)
    if overflow {
      throw ArchiveError.counting(
        .overflow(event.name.text, value: values[id] ?? 0, change: event.change))
    }
    values[id] = value
    touched[id] = ledger[id]?.name.text ?? event.name.text
    try appendMapped(event, to: id, value: value, isPlain: true)
  }

  /// The event here that `event` is, if it was taken in before, or was made here.
  mutating func duplicate(_ event: Event, of id: Counter.ID) throws -> Int64? {
    if known[id] == nil {
      var contents: [Content: [Int64]] = [:]
      var position: Int64 = 0
      while true {
        let found = try store.search(
          EventFilter(counters: [id]), .after(position), limit: 10_000, in: ledger)
        for event in found.events {
          contents[Self.content(event), default: []].append(event.sequence)
        }
        guard let next = found.next else { break }
        position = next
      }
      for key in contents.keys { contents[key]?.reverse() }
      known[id] = contents
    }
    return known[id]?[Self.content(event)]?.popLast()
  }

  static func content(_ event: Event) -> Content {
    Content(time: event.time, kind: event.kind, change: event.change, cause: event.cause)
  }

  mutating func appendMapped(
    _ event: Event, to id: Counter.ID, value: Int64? = nil, isPlain: Bool = false
  ) throws {
    let sequence = lastSequence + 1
    sequences[event.sequence] = sequence
    var alterations: [Alteration] = []
    for alteration in isPlain ? [] : event.alterations {
      guard alteration.field == .group else {
        alterations.append(alteration)
        continue
      }
      let groups = [alteration.before, alteration.after].map {
        $0.integer.flatMap { numbers[.init($0)]?.number }
      }
      alterations.append(Alteration(.group, from: .init(groups[0]), to: .init(groups[1])))
    }
    var marks = event.marks
    if alterations.isEmpty { marks.remove(.altered) }
    try append(
      Event(
        sequence: 0, time: event.time, kind: event.kind, subject: event.subject, counter: id,
        name: event.name,
        change: event.change, value: value ?? event.value,
        presence: isPlain ? .unchanged : event.presence,
        undoes: event.undoes.flatMap { sequences[$0] }, cause: event.cause, marks: marks,
        boundary: event.boundary,
        about: event.about.flatMap { sequences[$0] }, batch: event.batch.flatMap { sequences[$0] },
        alterations: alterations, note: event.note))
  }
}
