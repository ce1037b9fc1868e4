import Counting

/// Compares amounts that replace those of an earlier import with what was entered by hand since, and new amounts with
/// what was entered by hand: the entry may be the same correction, or the same count, as that of the file.
extension ArchiveImporter {
  /// The counts of one counter and time that a table replaces.
  struct Replacement {
    /// The first row of the time.
    let row: Archive.Count
    let counter: Counter.ID
    /// The time of the row; for a day, that of its count.
    let time: Int64
    /// The sum that earlier imports counted.
    let before: Int128
    /// The event of these imports since which none compared the counts with entries by hand.
    let since: Int64
    /// The difference that this import counts.
    var change: Int128 = 0
  }

  /// Notes a difference between a row and what earlier imports counted.
  ///
  /// - Parameter known: the row as these imports have it.
  mutating func noteReplacement(of row: Archive.Count, _ known: Event, at time: Int64, by change: Int64) {
    guard change != 0 else { return }
    let (before, since) = tableCounts.imported(like: known)
    let new = Replacement(row: row, counter: known.counter, time: time, before: before, since: since)
    replacements[CountMoment(known), default: new].change += Int128(change)
  }

  /// Reports the entries by hand on the days of replaced rows, as far as no import has compared them with these yet.
  ///
  /// - Throws: ``ArchiveError`` if such an entry takes back some of what the earlier import counted.
  mutating func checkReplacements() throws {
    let replaced = replacements.values.filter { $0.change != 0 }
      .sorted { ($0.row.line ?? 0, $0.time, $0.counter) < ($1.row.line ?? 0, $1.time, $1.counter) }
    let days = replaced.map { replacement in
      ledger[replacement.counter].map { ledger.day(containing: replacement.time, for: $0) }
    }
    let entries = try entriesByHand(of: replaced, on: days.compactMap { $0.map { ClosedRange($0) } }.withoutOverlaps())
    guard !entries.isEmpty else { return }
    for (replacement, day) in zip(replaced, days) {
      guard let day, let counter = ledger[replacement.counter], let entries = entries[counter.id] else { continue }
      let ofDay = try entries[entries.partitioningIndex { $0.time >= day.lowerBound }...]
        .prefix { $0.time < day.upperBound }
        .filter { try $0.sequence > replacement.since && store.reader.stands($0.sequence) }
      guard !ofDay.isEmpty else { continue }
      func text(_ number: Int128) -> String { counter.unit.text(Int64(clamping: number)) }
      let amount = replacement.before + replacement.change
      let against = ofDay.filter { ($0.change < 0) != (replacement.before < 0) }
      let byHand = (against.isEmpty ? ofDay : against).reduce(0) { $0 + Int128($1.change) }
      if let last = against.max(by: { $0.sequence < $1.sequence }) {
        let verb = last.change < 0 ? "subtract" : "add"
        throw ArchiveError.correctedByHand(
          counter.name,
          (before: text(replacement.before), now: text(amount), byHand: text(byHand), sum: text(amount + byHand)),
          by: (
            last.sequence,
            "tally \(verb) \(counter.name) \(text(Int128(last.change.magnitude))) --at '\(ledger.instant(last.time))'"
          ), .row(line: replacement.row.line), time(of: replacement.row))
      }
      noteCorrected(
        .init(
          name: counter.name.text, time: time(of: replacement.row), amount: text(amount), byHand: text(byHand),
          sum: text(amount + byHand)))
    }
  }

  /// The new counts of one counter and time of a table.
  struct NewRow {
    /// The first row of the time.
    let row: Archive.Count
    /// The first row as an event.
    let event: Event
    var sum: Int128 = 0
  }

  /// Notes a row that no earlier import brought, unless a person has said that it counts further.
  mutating func noteNew(_ row: Archive.Count, _ event: Event) {
    guard event.change != 0, row.again != .add, enteredLater[event.counter] != nil else { return }
    newRows[CountMoment(event), default: NewRow(row: row, event: event)].sum += Int128(event.change)
  }

  /// Reports the counts that a person entered later for the days, or the times, of new rows.
  ///
  /// - Throws: ``ArchiveError`` if such counts have the amount of the rows.
  mutating func checkNewRows() throws {
    let later = enteredLater.mapValues { $0.sorted { $0.time < $1.time } }
    for new in newRows.values.sorted(by: { ($0.row.line ?? 0, $0.event.time) < ($1.row.line ?? 0, $1.event.time) }) {
      guard let counter = ledger[new.event.counter] else { continue }
      let second = new.event.time - new.event.time % 1_000_000
      let span =
        new.event.cause.isOfDay
        ? ledger.day(containing: new.event.time, for: counter) : second..<second.clampedSum(1_000_000)
      let all = later[counter.id, default: []]
      let entries = try all[all.partitioningIndex { $0.time >= span.lowerBound }...]
        .prefix { $0.time < span.upperBound }
        .filter { try store.reader.stands($0.sequence) && !store.isImported($0) }
      guard !entries.isEmpty else { continue }
      let byHand = entries.reduce(0) { $0 + Int128($1.change) }
      func text(_ number: Int128) -> String { counter.unit.text(Int64(clamping: number)) }
      guard byHand != new.sum else {
        throw ArchiveError.enteredByHand(
          counter.name, text(byHand), entries.map(\.sequence).sorted(), .row(line: new.row.line), time(of: new.row))
      }
      noteCorrected(
        .init(
          name: counter.name.text, time: time(of: new.row), amount: text(new.sum), byHand: text(byHand),
          sum: text(new.sum + byHand)))
    }
  }

  private mutating func noteCorrected(_ row: CounterStore.ImportSummary.Corrected) {
    summary.corrections += 1
    if summary.corrected.count < 5 { summary.corrected.append(row) }
  }

  /// The entries that may be corrections and that were made after the first of the replaced rows was imported, in the
  /// order of their times.
  ///
  /// - Parameter days: those of the rows.
  private mutating func entriesByHand(
    of replaced: [Replacement], on days: [ClosedRange<Int64>]
  ) throws(StoreError) -> [Counter.ID: [Event]] {
    guard let first = replaced.map(\.since).min(), let start = days.first?.lowerBound, let end = days.last?.upperBound
    else { return [:] }
    try flush()
    let filter = EventFilter(counters: Set(replaced.map(\.counter)), from: start, until: end + 1)
    var (position, entries) = (first, [Counter.ID: [Event]]())
    while true {
      let page = try store.search(filter, .after(position), limit: 10_000, in: ledger, mayHold: days.overlap)
      for event in page.events
      where event.sequence <= before.lastSequence && event.mayCorrect && days.overlap(event.time, event.time) {
        if try !store.isImported(event) { entries[event.counter, default: []].append(event) }
      }
      store.onProgress()
      guard let next = page.next else { break }
      position = next
    }
    return entries.mapValues { $0.sorted { $0.time < $1.time } }
  }
}

extension Event {
  /// Whether a person may have made the event to correct what an import counted: a correction, or a count without a
  /// gesture that subtracted or was added later than its time.
  fileprivate var mayCorrect: Bool {
    guard undoes == nil, change != 0, cause.producer != Cause.importer else { return false }
    return kind == .corrected || kind.isCount && cause.gesture == nil && (change < 0 || isLateByHand)
  }

  /// A count that is repeated because the clock was set has the cause of the first one.
  private var isLateByHand: Bool { marks.contains(.late) && !marks.contains(.clockLost) }

  /// Whether a person may have made the event to enter a count later than its time.
  var isEnteredLater: Bool { mayCorrect && kind.isCount && isLateByHand }
}
