import Counting

/// Adds counts to existing counters, under the counters' rules.
extension ArchiveImporter {
  /// Adds the new events of an existing counter.
  mutating func merge(_ event: Event, into id: Counter.ID) throws {
    guard let counter = ledger[id] else { return }
    let target = Change.Target.named(counter.name.text)
    let made: [Event]
    switch event.kind {
    case .undone, .redone:
      guard let undone = event.undoes.flatMap({ sequences[$0] }) else { return }
      guard let taken = try recorded(undone), taken.presence == .unchanged, try !store.isTakenBack(taken) else {
        return
      }
      let takebacks = try store.lateCount(taken)?.events ?? store.takebacks([taken])
      made = try perform(event.kind == .undone ? .undo(takebacks) : .redo(takebacks), event)
        .filter { $0.undoes == undone }
    // The end of a period is not imported: periods follow the schedule of the local counter.
    case .renewed: return
    case let kind where kind.effect != .none:
      guard event.change != 0 else { return }
      made = try perform(.merge(target, event.kind, by: event.change), event)
    // Local settings are not changed.
    default: return
    }
    guard let first = made.first else { return }
    sequences.add(event.sequence, first.sequence)
    changed[id] = counter.name.text
  }

  mutating func add(_ count: Archive.Count) throws {
    let counter = try counter(named: count.name, title: count.title)
    let event = try event(of: count, for: counter)
    var change = event.change
    switch tableCounts.take(event) {
    case .none: break
    case .same:
      summary.duplicates += 1
      return
    case .other(let sum):
      switch count.again {
      case .add: break
      case .replace: change = Int64(clamping: Int128(change) - sum)
      case nil:
        throw ArchiveError.otherAmount(
          name: count.name, before: counter.unit.text(Int64(clamping: sum)), now: count.amount)
      }
    }
    if change != 0 {
      try perform(.merge(.named(counter.name.text), change < 0 ? .subtracted : .added, by: change), event)
    }
    changed[counter.id] = counter.name.text
  }

  /// A count of a table as an event of a local counter, without a position in the journal.
  func event(of count: Archive.Count, for counter: Counter) throws -> Event {
    let change = try counter.unit.number(count.amount)
    return Event(
      sequence: 0, time: count.time, kind: change < 0 ? .subtracted : .added, counter: counter.id, name: counter.name,
      change: change, value: 0, cause: Self.cause)
  }

  mutating func add(_ value: Archive.Value) throws {
    let counter = try counter(named: value.name, title: value.title)
    let isNew = created.contains(.init(subject: .counter, id: counter.id))
    let isSame = try counter.unit.number(value.value) == counter.value
    // A new counter may have the value because the import itself has set it.
    if isSame, !isNew {
      summary.duplicates += 1
      return
    }
    if !isSame { try perform(.correct(.named(counter.name.text), to: .text(value.value))) }
    changed[counter.id] = counter.name.text
  }

  /// Returns the counter with this name; creates a missing counter with the decimals of all its numbers.
  mutating func counter(named name: String, title: String?) throws -> Counter {
    if let here = try? ledger.find(.named(name)) { return here }
    let settings: Settings = title.map { [.title: .text($0)] } ?? [:]
    try perform(.create(name: name, decimals: tableDecimals[name] ?? 0, settings))
    return try ledger.find(.named(name))
  }
}
