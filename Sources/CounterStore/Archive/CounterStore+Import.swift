public import Counting

extension CounterStore {
  /// What taking in an archive did, or would do.
  public struct Imported: Equatable, Sendable {
    public var groups: Int64 = 0
    public var counters: Int64 = 0
    public var events: Int64 = 0
    /// Events that were here already.
    public var duplicates: Int64 = 0
    /// The counters that are new or have changed, as they are called here.
    public var names: [String] = []
  }

  /// Takes in an archive that was checked, all of it or nothing; nothing, too, where it is only tried.
  ///
  /// - Returns: what was done, and how things stand then. The ledger that was used so far is of no more use.
  public func take(
    _ archive: Archive, onClash clash: Archive.Clash, at time: Int64, isTrial: Bool,
    in ledger: Ledger
  ) throws -> (Imported, Ledger) {
    try commit(ledger)
    do {
      try begin()
      var intake = Intake(self, ledger, clash, time)
      try intake.take(archive)
      var next = try load()
      try intake.take(archive.formulas, into: &next)
      if isTrial { rollback() } else { try commit(next) }
      next.settle()
      return (intake.result, isTrial ? try load() : next)
    } catch {
      rollback()
      throw error
    }
  }
}

/// One taking in: what the numbers of an archive are here.
private struct Intake {
  private let store: CounterStore
  private let ledger: Ledger
  private let clash: Archive.Clash
  private let time: Int64
  private var numbers: [Counter.ID: Counter.ID] = [:]
  /// The values of the counters that are touched, by their numbers here.
  private var values: [Counter.ID: Int64] = [:]
  private var kept: Set<Counter.ID> = []
  private var merged: Set<Counter.ID> = []
  private var sequences: [Int64: Int64] = [:]
  private var lastID: Int64
  /// Who bears a name here, or bore it until it was removed.
  private var bearers: [Bearer: [Counter.ID]] = [:]
  private var known: [Counter.ID: [Content: [Int64]]] = [:]
  private var taken: Set<String>
  private var touched: [Counter.ID: String] = [:]
  /// Counters that were made for what other counters write, by their names.
  private var made: [String: Counter] = [:]
  private(set) var lastSequence: Int64
  private(set) var result = CounterStore.Imported()

  private struct Bearer: Hashable {
    let name: String
    let isGroup: Bool
  }

  /// What makes two events the same one, wherever they were written down.
  private struct Content: Hashable {
    let time: Int64
    let kind: Event.Kind
    let change: Int64
    let cause: Cause
  }

  init(_ store: CounterStore, _ ledger: Ledger, _ clash: Archive.Clash, _ time: Int64) {
    self.store = store
    self.ledger = ledger
    self.clash = clash
    self.time = time
    lastID = ledger.lastNumber
    lastSequence = ledger.lastSequence
    taken = Set(ledger.all.map(\.name.text))
  }

  mutating func take(_ archive: Archive) throws {
    for row in try store.statements.everyName.rows(row: { row throws(StoreError) in
      (row.integer(0), row.text(1), row.text(2))
    }) {
      bearers[Bearer(name: row.1, isGroup: row.2 == "group"), default: []].append(.init(row.0))
    }
    for group in archive.groups {
      try take(group, isRemoved: archive.removedGroups.contains(group.id))
    }
    let firsts = Dictionary(archive.events.map { ($0.counter, $0) }) { first, _ in first }
    for entry in archive.counters { try take(entry, first: firsts[entry.counter.id]) }
    for event in archive.events { try take(event) }
    try takeCounts(archive)
    for (id, value) in values {
      try store.statements.saveStanding.run(.integer(value), .integer(id.number))
    }
    if ledger.current == nil {
      let standing = archive.counters.filter { !$0.isRemoved && !kept.contains($0.counter.id) }.map(\.counter.id)
      let current = archive.current.flatMap { standing.contains($0) ? $0 : nil } ?? standing.first
      if let number = current.flatMap({ numbers[$0] }) { try store.statements.saveCurrent.run(.integer(number.number)) }
    }
    result.names = touched.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Formulas mention each other, so they are made in whatever order works.
  mutating func take(_ formulas: [Formula], into next: inout Ledger) throws {
    var waiting = formulas.filter { formula in !ledger.formulas.contains { $0.name == formula.name }
    }
    let cause = Cause(producer: "import")
    while !waiting.isEmpty {
      var refusal: CountingError?
      var left: [Formula] = []
      for formula in waiting {
        var made: [Event] = []
        var settings: Settings = [:]
        for field in Field.allCases
        where field.isSetting && formula[field] != .none && field != .name && field != .order {
          settings[field] = formula[field]
        }
        do throws(CountingError) {
          made = try next.perform(
            .createFormula(name: formula.name.text, settings), at: time, cause: cause)
        } catch {
          refusal = error
          left.append(formula)
          continue
        }
        for event in made { try store.append(event, to: next) }
        result.events += Int64(made.count)
      }
      if left.count == waiting.count, let refusal { throw ArchiveError.counting(refusal) }
      waiting = left
    }
  }

  // MARK: Groups and counters

  /// The number of something new: in an empty journal the one that it had, so that the history is the same to the letter.
  private mutating func number(for id: Counter.ID) -> Counter.ID {
    let isEmpty = ledger.lastNumber == 0 && ledger.lastSequence == 0
    let number = isEmpty && id.number < 1 << 40 ? id.number : lastID + 1
    lastID = max(lastID, number)
    return Counter.ID(number)
  }

  private mutating func take(_ group: Group, isRemoved: Bool) throws {
    let here = (try? ledger.findGroup(group.name.text))?.id
    // One that is removed in both places was taken in before.
    if let here = here
      ?? (isRemoved ? bearers[Bearer(name: group.name.text, isGroup: true)]?.last : nil)
    {
      numbers[group.id] = here
      return
    }
    let id = number(for: group.id)
    numbers[group.id] = id
    var new = Group(id: id, name: group.name, title: group.title)
    for field in Field.allCases where field.isOfGroups { new[field] = group[field] }
    try store.statements.saveCounter.run(CounterRow.values(of: new))
    if isRemoved {
      try store.statements.removeCounter.run(.integer(id.number))
    } else {
      result.groups += 1
    }
  }

  private mutating func take(_ entry: Archive.Entry, first: Event?) throws {
    let counter = entry.counter
    var name = counter.name
    if let here = try earlier(counter, first) { return try merge(counter, into: here) }
    if !entry.isRemoved, let here = try? ledger.find(.named(name.text)) {
      switch clash {
      case .refuse: throw ArchiveError.clash(name.text)
      case .keep:
        kept.insert(counter.id)
        return
      case .rename: name = try free(name)
      case .merge: return try merge(counter, into: here)
      }
    }
    let id = number(for: counter.id)
    var new = Counter(
      id: id, name: name, title: counter.title, start: counter.start, step: counter.step,
      value: counter.value,
      decimals: counter.decimals, isStopwatch: counter.isStopwatch)
    for field in Field.allCases where field != .name { new[field] = counter[field] }
    new.group = counter.group.flatMap { numbers[$0] }
    new.isLocked = counter.isLocked
    try store.statements.saveCounter.run(CounterRow.values(of: new))
    try store.statements.addStanding.run(.integer(id.number), .integer(counter.value))
    if entry.isRemoved { try store.statements.removeCounter.run(.integer(id.number)) }
    numbers[counter.id] = id
    values[id] = counter.value
    taken.insert(name.text)
    result.counters += 1
    touched[id] = name.text
    guard first == nil, !entry.isRemoved else { return }
    // Its value is the fold of its events here as well.
    try append(
      Event(
        sequence: 0, time: time, kind: .created, counter: id, name: name, change: 0,
        value: counter.value,
        presence: .appeared, cause: Cause(producer: "import")))
  }

  /// The same counter as it was taken in before: it was made at the same time, by the same cause.
  private func earlier(_ counter: Counter, _ first: Event?) throws -> Counter? {
    guard let first, clash == .merge else { return nil }
    for id in bearers[Bearer(name: counter.name.text, isGroup: false)] ?? [] {
      let event = try store.search(EventFilter(counters: [id]), .after(0), limit: 1, in: ledger)
        .events.first
      guard let event, Self.content(event) == Self.content(first) else { continue }
      return try store.statements.counter.rows(.integer(id.number)) { row throws(StoreError) in
        CounterRow.counter(row)
      }.first
    }
    return nil
  }

  private mutating func merge(_ counter: Counter, into here: Counter) throws {
    guard here.decimals == counter.decimals, here.isStopwatch == counter.isStopwatch else {
      throw ArchiveError.otherKind(here.name.text)
    }
    numbers[counter.id] = here.id
    merged.insert(here.id)
    values[here.id] = here.value
  }

  private func free(_ name: CounterName) throws -> CounterName {
    for number in 2...10_000 {
      let candidate = "\(String(name.text.unicodeScalars.prefix(CounterName.longest - 6)))-\(number)"
      if !taken.contains(candidate) { return try CounterName(candidate) }
    }
    throw ArchiveError.clash(name.text)
  }

  // MARK: Events

  private mutating func take(_ event: Event) throws {
    if event.subject == .formula { return }
    guard event.subject != .all else { return try appendMapped(event, to: .init(0)) }
    guard !kept.contains(event.counter), let id = numbers[event.counter] else { return }
    guard merged.contains(id) else {
      // Groups that are here already keep their own story.
      if event.subject == .group, id.number <= ledger.lastNumber { return }
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
  private mutating func duplicate(_ event: Event, of id: Counter.ID) throws -> Int64? {
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

  private static func content(_ event: Event) -> Content {
    Content(time: event.time, kind: event.kind, change: event.change, cause: event.cause)
  }

  private mutating func appendMapped(
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

  private mutating func append(_ event: Event) throws {
    lastSequence += 1
    try store.write(event, as: lastSequence)
    result.events += 1
  }

  // MARK: What other counters write

  private mutating func takeCounts(_ archive: Archive) throws {
    for (name, moment, amount) in archive.counts {
      let counter = try counter(named: name, title: nil, like: amount)
      let change = try counter.unit.number(amount)
      let event = Event(
        sequence: 0, time: moment, kind: change < 0 ? .subtracted : .added, counter: counter.id,
        name: counter.name,
        change: change, value: 0, cause: Cause(producer: "import"))
      if counter.id.number <= ledger.lastNumber, try duplicate(event, of: counter.id) != nil {
        result.duplicates += 1
        continue
      }
      try self.change(counter, by: change, event)
    }
    for (name, title, text) in archive.values {
      let counter = try counter(named: name, title: title, like: text)
      let value = try counter.unit.number(text)
      let (change, overflow) = value.subtractingReportingOverflow(
        values[counter.id] ?? counter.value)
      if overflow {
        throw ArchiveError.counting(.overflow(name.shortened, value: counter.value, change: value))
      }
      guard change != 0 else {
        result.duplicates += 1
        continue
      }
      try self.change(
        counter, by: change,
        Event(
          sequence: 0, time: time, kind: .corrected, counter: counter.id, name: counter.name,
          change: change, value: 0,
          cause: Cause(producer: "import")))
    }
  }

  private mutating func change(_ counter: Counter, by change: Int64, _ event: Event) throws {
    let (value, overflow) = (values[counter.id] ?? counter.value).addingReportingOverflow(change)
    if overflow {
      throw ArchiveError.counting(
        .overflow(counter.name.text, value: counter.value, change: change))
    }
    values[counter.id] = value
    touched[counter.id] = counter.name.text
    try append(
      Event(
        sequence: 0, time: event.time, kind: event.kind, counter: counter.id, name: counter.name,
        change: change,
        value: value, cause: event.cause))
  }

  /// The counter of a name, which is made if there is none, with as many decimals as `text` has.
  private mutating func counter(named name: String, title: String?, like text: String) throws
    -> Counter
  {
    if let counter = made[name] { return counter }
    if let here = try? ledger.find(.named(name)) { return here }
    lastID += 1
    let id = Counter.ID(lastID)
    let decimals = Int64(
      min(9, text.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0))
    let checkedTitle = try Field.title.accepted(title.map(Field.Value.text) ?? .none).text
    let checked = try CounterName(name)
    var counter = Counter(
      id: id, name: checked, title: checkedTitle ?? checked.text, start: 0,
      step: (0..<decimals).reduce(1) { step, _ in step * 10 },
      value: 0, decimals: decimals)
    counter.order = id.number << 20
    made[name] = counter
    result.counters += 1
    touched[id] = name
    try store.statements.saveCounter.run(CounterRow.values(of: counter))
    try store.statements.addStanding.run(.integer(id.number), 0)
    try append(
      Event(
        sequence: 0, time: time, kind: .created, counter: id, name: checked, change: 0, value: 0,
        presence: .appeared,
        cause: Cause(producer: "import")))
    values[id] = 0
    return counter
  }
}
