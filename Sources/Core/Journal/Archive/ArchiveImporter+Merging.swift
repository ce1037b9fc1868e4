import Counting

/// Adds counts to existing counters, under the counters' rules.
extension ArchiveImporter {
  /// Adds the new events of an existing counter.
  mutating func merge(_ event: Event, into id: Counter.ID) throws {
    guard let counter = ledger[id], !gone.contains(event.sequence) else { return }
    let target = Change.Target.named(counter.name.text)
    let made: [Event]
    switch event.kind {
    case .undone, .redone:
      guard let undone = event.undoes.flatMap({ sequences[states[$0] ?? $0] }) else { return }
      guard let taken = try recorded(undone), taken.presence == .unchanged, try !store.isTakenBack(taken) else {
        return
      }
      let late = try store.lateCount(taken)
      if event.kind == .undone, counter.isLimited {
        let past = try store.endOfPeriod(of: taken).map { end throws(StoreError) in
          try store.value(of: counter, endingAt: end, in: ledger)
        }
        let (change, isFar) = (0 as Int64).subtractingReportingOverflow(taken.change)
        if !isFar, let excess = Ledger.excess(of: change, counter, from: past) {
          throw CountingError.cannotUndo(taken.sequence, reason: excess)
        }
      }
      let takebacks = try late?.events ?? store.takebacks([taken])
      made = try perform(event.kind == .undone ? .undo(takebacks) : .redo(takebacks), event)
        .filter { $0.undoes == undone }
    // The end of a period is not imported: periods follow the schedule of the local counter.
    case .renewed: return
    case let kind where kind.effect != .none:
      guard event.change != 0 else { return }
      if let set = importedValues[id], event.time < set.time {
        throw ArchiveError.inImportedValue(counter.name, set.sequence, ledger.wallTime(set.time))
      }
      do { made = try perform(.merge(target, event.kind, by: event.change), event) } catch let error as CountingError {
        throw ArchiveError.refused(.event(event.sequence), ledger.wallTime(event.time), error)
      }
      noteCut(from: event.change, made)
    // Local settings are not changed.
    default: return
    }
    guard let first = made.first else { return }
    sequences.add(event.sequence, first.sequence)
    changed[id] = counter.name.text
  }

  mutating func add(_ count: Archive.Count) throws {
    let counter = try counter(named: count.name, title: count.title)
    let spellings = try spellings(of: count, for: counter)
    var (event, change) = (spellings[0], spellings[0].change)
    let known = spellings.first(where: tableCounts.has) ?? event
    switch tableCounts.take(known, count.again) {
    case .none: noteNew(count, event)
    case .same where count.again == .add: if change != 0 { summary.doubled += 1 }
    case .other where count.again == .add: break
    case .same:
      // A row with 0, which adds nothing, is no count.
      if event.change != 0 { summary.duplicates += 1 }
      return
    case .other(let sum):
      guard count.again == .replace else {
        throw ArchiveError.otherAmount(
          name: count.name, before: counter.unit.text(Int64(clamping: sum)), now: count.amount,
          time(of: count), line: count.line)
      }
      (event, change) = (tableCounts.difference(to: known), Int64(clamping: Int128(change) - sum))
      noteReplacement(of: count, known, at: spellings[0].time, by: change)
    }
    if change != 0 { noteRepetition(of: event) }
    try merge(change, of: count, like: event, into: counter)
  }

  /// Notes a count that is added, if others of the counter and the time were.
  private mutating func noteRepetition(of event: Event) {
    let counts = added[CountMoment(event), default: 0] + 1
    added[CountMoment(event)] = counts
    let name = event.name.text
    if counts == 2 {
      summary.repetitions += 1
      if summary.repeated.count < 5 { summary.repeated.append(.init(name: name, time: event.time, counts: counts)) }
    } else if let place = summary.repeated.firstIndex(where: { $0.name == name && $0.time == event.time }) {
      summary.repeated[place].counts = counts
    }
  }

  /// Removes the counts that earlier imports added at the time of a count and that are not in the file.
  mutating func replaceRest(of count: Archive.Count) throws {
    guard let counter = counter(called: count.name) else { return }
    let spellings = try spellings(of: count, for: counter)
    guard let known = spellings.first(where: tableCounts.has) else { return }
    let rest = tableCounts.takeRest(of: known)
    noteReplacement(of: count, known, at: spellings[0].time, by: Int64(clamping: -rest))
    try merge(Int64(clamping: -rest), of: count, like: tableCounts.difference(to: known), into: counter)
  }

  private mutating func merge(
    _ change: Int64, of count: Archive.Count, like event: Event, into counter: Counter
  ) throws {
    guard change != 0 else { return }
    changed[counter.id] = counter.name.text
    let merge = Change.merge(.named(counter.name.text), change < 0 ? .subtracted : .added, by: change)
    noteCut(from: change, try perform(merge, event, isOwn: true))
  }

  /// Notes the part of a change that a limit cut off.
  private mutating func noteCut(from change: Int64, _ made: [Event]) {
    guard let event = made.first(where: { $0.marks.contains(.limited) }) else { return }
    let rest = Int128(change) - Int128(event.change)
    if rest > 0 { cut[event.counter, default: (0, 0)].added += rest }
    if rest < 0 { cut[event.counter, default: (0, 0)].subtracted -= rest }
  }

  /// A count of a table as an event of a local counter, without a position in the journal; for the start of a day also the
  /// event that it would be if the file spelt the day with the time 00:00, or without it.
  ///
  /// - Returns: one event or two.
  /// - Throws: ``ArchiveError/dayToCome(_:_:_:line:)``, ``ArchiveError/toCome(_:_:line:)``, and `CountingError` for an
  ///   amount.
  func spellings(of count: Archive.Count, for counter: Counter) throws -> [Event] {
    let change = try counter.unit.number(count.amount)
    func event(at moment: Int64, _ gesture: String?) -> Event {
      Event(
        sequence: 0, time: moment, kind: change < 0 ? .subtracted : .added, counter: counter.id, name: counter.name,
        change: change, value: 0, cause: Cause(producer: cause.producer, device: cause.device, gesture: gesture))
    }
    let plain = event(at: count.time, nil)
    guard count.day != nil || count.time <= time else {
      throw ArchiveError.toCome(counter.name.text, ledger.wallTime(count.time), line: count.line)
    }
    guard let day = count.day ?? ledger.day(beginningAt: count.time) else { return [plain] }
    let start = ledger.start(of: day, for: counter).flatMap { Event.times ~= $0 ? $0 : nil } ?? count.time
    let ofDay = event(
      at: ledger.middle(ofDayFrom: start, of: counter, now: time), "\(Cause.day)\(day)")
    guard count.day != nil else { return [plain, ofDay] }
    guard start <= time else {
      throw ArchiveError.dayToCome(counter.name.text, day, ledger.wallTime(start), line: count.line)
    }
    return [ofDay, plain]
  }

  mutating func add(_ value: Archive.Value) throws {
    let counter = try counter(named: value.name, title: value.title)
    let isNew = created.contains(.init(subject: .counter, id: counter.id))
    let isSame = try counter.unit.number(value.value) == counter.value
    // A new counter may have the value because the import itself has set it.
    if isSame && !isNew || outdated.contains(counter.id) {
      summary.duplicates += 1
      if !isSame { summary.kept.append(.init(counter: counter, value: value.value)) }
      return
    }
    if !isSame {
      let wanted = try counter.unit.number(value.value).subtractingReportingOverflow(counter.value).partialValue
      let change = Change.correct(.named(counter.name.text), to: .text(value.value))
      noteCut(
        from: wanted, try isNew ? perform(change, since: value.time, in: counter, line: value.line) : perform(change))
    }
    changed[counter.id] = counter.name.text
  }

  /// Sets a new counter to the value that it has since a time.
  private mutating func perform(_ change: Change, since time: Int64?, in counter: Counter, line: Int64?) throws
    -> [Event]
  {
    guard let time else { return try perform(change) }
    guard Event.times ~= time, time <= self.time else {
      throw ArchiveError.toCome(counter.name.text, ledger.wallTime(time), line: line)
    }
    let event = Event(
      sequence: 0, time: time, kind: .corrected, counter: counter.id, name: counter.name, change: 0, value: 0,
      cause: cause)
    return try perform(change, event, isOwn: true)
  }

  /// Returns the counter with this name; creates a missing counter with the decimals of all its numbers.
  mutating func counter(named name: String, title: String?) throws -> Counter {
    if let here = counter(called: name) { return here }
    let settings: Settings = title.map { [.title: .text($0)] } ?? [:]
    try perform(.create(name: name, decimals: tableDecimals[name] ?? 0, settings))
    let new = try ledger.find(.named(name))
    changed[new.id] = name
    return new
  }
}
