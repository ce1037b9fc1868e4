import Counting

/// One taking in of an archive: what its numbers are here, and what has come of it so far.
struct Intake {
  let store: CounterStore
  let ledger: Ledger
  let clash: Archive.Clash
  /// When it happens, in microseconds since 1970.
  let time: Int64
  /// What the numbers of counters, groups and formulas are here.
  var numbers: [Counter.ID: Counter.ID] = [:]
  /// What the numbers of events are here.
  var sequences: [Int64: Int64] = [:]
  /// The values of the counters that are touched, by their numbers here.
  var values: [Counter.ID: Int64] = [:]
  /// What is left out, by its number there.
  var kept: Set<Counter.ID> = []
  /// The counters that were here already and get what is new of another one's history.
  var merged: Set<Counter.ID> = []
  /// What got another name than it had there.
  var renamed: [(from: CounterName, to: CounterName)] = []
  /// The formulas that are new, by their numbers here.
  var formulas: [Counter.ID] = []
  /// Who bears a name here, or bore it until it was removed.
  var bearers: [Bearer: [Counter.ID]] = [:]
  /// The events of counters that are here already.
  var known: [Counter.ID: [Content: [Int64]]] = [:]
  /// The names that nothing new can get.
  var taken: Set<String>
  var touched: [Counter.ID: String] = [:]
  /// Counters that were made for what other counters write, by their names.
  var made: [String: Counter] = [:]
  var lastID: Int64
  var lastSequence: Int64
  var result = CounterStore.Imported()

  struct Bearer: Hashable {
    let name: String
    let subject: Event.Subject
  }

  init(_ store: CounterStore, _ ledger: Ledger, _ clash: Archive.Clash, _ time: Int64) {
    self.store = store
    self.ledger = ledger
    self.clash = clash
    self.time = time
    lastID = ledger.lastNumber
    lastSequence = ledger.lastSequence
    taken = Set(ledger.all.map(\.name.text) + ledger.formulas.map(\.name.text))
  }

  mutating func take(_ archive: Archive) throws {
    for (id, name, kind) in try store.statements.everyName.rows(row: { row throws(StoreError) in
      (row.integer(0), row.text(1), row.text(2))
    }) {
      bearers[Bearer(name: name, subject: .init(rawValue: kind) ?? .counter), default: []].append(.init(id))
    }
    taken.formUnion(archive.counters.lazy.filter { !$0.isRemoved }.map(\.counter.name.text))
    taken.formUnion(archive.formulas.map(\.name.text))
    let firsts = Dictionary(archive.events.map { ($0.counter, $0) }) { first, _ in first }
    for group in archive.groups { try take(group, isRemoved: archive.removed.contains(group.id)) }
    for entry in archive.counters { try take(entry, first: firsts[entry.counter.id]) }
    for formula in archive.formulas {
      try take(formula, isRemoved: archive.removed.contains(formula.id), hasHistory: firsts[formula.id] != nil)
    }
    for event in archive.events { try take(event) }
    try takeCounts(archive)
    for (id, value) in values { try store.statements.saveStanding.run(.integer(value), .integer(id.number)) }
    if ledger.current == nil {
      let standing = archive.counters.filter { !$0.isRemoved && !kept.contains($0.counter.id) }.map(\.counter.id)
      let current = archive.current.flatMap { standing.contains($0) ? $0 : nil } ?? standing.first
      if let number = current.flatMap({ numbers[$0] }) { try store.statements.saveCurrent.run(.integer(number.number)) }
    }
    result.names = touched.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Formulas must make sense among those that were here before.
  ///
  /// - Parameter next: how things stand then.
  func check(_ next: Ledger) throws(ArchiveError) {
    do throws(CountingError) {
      for id in formulas { try next.checkFormula(id) }
    } catch {
      throw .counting(error)
    }
  }

  /// The number of something new: in an empty journal the one that it had, so that the history is the same to the letter.
  mutating func number(for id: Counter.ID) -> Counter.ID {
    let isEmpty = ledger.lastNumber == 0 && ledger.lastSequence == 0
    let number = isEmpty && id.number < 1 << 40 ? id.number : lastID + 1
    lastID = max(lastID, number)
    return Counter.ID(number)
  }

  mutating func append(_ event: Event) throws {
    lastSequence += 1
    try store.write(event, as: lastSequence)
    result.events += 1
  }
}
