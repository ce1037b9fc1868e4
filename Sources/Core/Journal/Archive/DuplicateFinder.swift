import Counting

/// Finds the events of an archive that the journal has already. The memory depends on the size of the archive, not of
/// the journal.
///
/// Of several equal events, those with the same undos and redos are paired. Undos and redos follow from the event that
/// they undo, in their order: both sides may have undone the same event. An event, undo or redo whose import was undone
/// does not exist, here or in the archive: other journals may have received it in another way.
struct DuplicateFinder {
  /// The local sequence numbers of the events found, by their sequence numbers in the archive.
  private(set) var sequences: [Int64: Int64] = [:]
  /// The archive's events that need not be imported, because their import was undone there.
  private(set) var gone: Set<Int64> = []
  /// For the undos of imports in the archive, the events after which the same state was in effect.
  private(set) var states: [Int64: Int64] = [:]
  private(set) var tableCounts = TableCounts()
  /// The counts on the days of a table that a person entered later, in the order of the journal.
  private(set) var enteredLater: [Counter.ID: [Event]] = [:]

  /// An event of the archive.
  private struct Wanted {
    let sequence: Int64
    let event: CounterEvent
    /// The content without the change: a limit may have shortened the same count on one of the two sides.
    let shape: CounterEvent
    let isLimited: Bool
    var chain = UndoChain()
  }

  /// A local event that has no exact duplicate in the archive. It equals events of the archive except for its undos and
  /// redos, or except for its change.
  private struct Spare {
    let sequence: Int64
    let isLimited: Bool
    let chain: UndoChain
  }

  private struct Exact: Hashable {
    let event: CounterEvent
    let chain: UndoChain
  }

  private var wanted: [Wanted] = []
  /// Indices of the wanted events, in descending order.
  private var exact: [Exact: [Int]] = [:]
  /// The number of wanted events of each shape.
  private var shapes: [CounterEvent: Int] = [:]
  private var spares: [CounterEvent: [Spare]] = [:]
  private var limitedSpares: [CounterEvent: [Spare]] = [:]
  private var tables: Set<CounterEvent> = []
  private var tableMoments: Set<CountMoment> = []
  /// The times of counts of tables that have a part of a second, by their second.
  private var tableParts: [CountMoment: Int64] = [:]
  private var counters: Set<Counter.ID> = []
  /// The times to search, in no order; they may overlap.
  private var spans: [ClosedRange<Int64>] = []

  /// The maximum number of equal local events that are compared with one event of the archive.
  private static let mostCompared = 64

  /// - Parameters:
  ///   - merged: the local counters that events are added to, by the IDs of the archive.
  ///   - counts: the counts of tables, as local events.
  ///   - isEmpty: whether the journal has no events.
  init(_ archive: Archive, merged: [Counter.ID: Counter.ID], counts: [Event], isEmpty: Bool) throws {
    spans = archive.span.map { [$0] } ?? []
    counters = Set(merged.values)
    if !merged.isEmpty || !isEmpty && archive.concernsAll {
      // The indices of the original events, by the sequence number of the latest undo or redo.
      var origins: [Int64: Int] = [:]
      try archive.events.each { event in
        if let origin = event.undoes.flatMap({ origins.removeValue(forKey: $0) }) {
          origins[event.sequence] = origin
          addTaker(event, to: origin)
        }
        let id = event.subject == .counter ? merged[event.counter] : event.subject == .all && !isEmpty ? .all : nil
        // The end of a period after a late count, or after its undo, is not compared: the local count ends the period
        // itself.
        guard let id, event.undoes == nil, event.about == nil, !event.closesEndedPeriod else { return }
        if event.cause.isOfDay { widen(to: event.time) }
        counters.insert(id)
        origins[event.sequence] = wanted.count
        wanted.append(
          Wanted(
            sequence: event.sequence, event: CounterEvent(id, event),
            shape: CounterEvent(id, event, ignoringChange: true), isLimited: event.marks.contains(.limited)))
      }
    }
    for index in wanted.indices.reversed() where !wanted[index].chain.isGone {
      exact[Exact(event: wanted[index].event, chain: wanted[index].chain), default: []].append(index)
      shapes[wanted[index].shape, default: 0] += 1
    }
    for count in counts {
      tables.insert(CounterEvent(count.counter, count))
      tableMoments.insert(CountMoment(count))
      let second = count.time - count.time % 1_000_000
      if count.time != second { tableParts[CountMoment(count, at: second)] = count.time }
      counters.insert(count.counter)
      spans.append(second...second + 999_999)
      if count.cause.isOfDay { widen(to: count.time) }
    }
  }

  /// Adds an undo or redo of a wanted event.
  private mutating func addTaker(_ taker: Event, to index: Int) {
    let event = wanted[index].sequence
    let before = wanted[index].chain.sequences(from: event).last
    wanted[index].chain.add(taker)
    guard taker.marks.contains(.ofImport) else { return }
    let state = wanted[index].chain.sequences(from: event).last
    states[taker.sequence] = state
    gone.insert(taker.sequence)
    if taker.kind == .redone { state.map { _ = gone.remove($0) } } else { before.map { _ = gone.insert($0) } }
  }

  /// Widens the search by the three days in which another period or zone may have put a row of a day.
  private mutating func widen(to time: Int64) {
    spans.append(time.clampedSum(-259_200_000_000)...time.clampedSum(259_200_000_000))
  }

  /// The moment of a count of a table in the second of an event, if one of the two times has no part of a second.
  private func tableMoment(inSecondOf event: Event) -> CountMoment? {
    guard !tableMoments.isEmpty, event.kind.isCount, !event.cause.isOfDay else { return nil }
    let start = event.time - event.time % 1_000_000
    let second = CountMoment(event, at: start)
    if event.time == start { return tableParts[second].map { CountMoment(event, at: $0) } }
    return tableMoments.contains(second) ? second : nil
  }

  mutating func search(_ store: CounterStore, in ledger: Ledger) throws(StoreError) {
    // The rows of a table may be years apart, with many events between them.
    let spans = spans.withoutOverlaps()
    guard let first = spans.first, let last = spans.last, !counters.isEmpty else { return }
    let filter = EventFilter(counters: counters, from: first.lowerBound, until: last.upperBound + 1)
    var position: Int64 = 0
    while true {
      let page = try store.search(filter, .after(position), limit: 10_000, in: ledger, mayHold: spans.overlap)
      for event in page.events where event.about == nil && event.undoes == nil {
        if !tableMoments.isEmpty, event.isEnteredLater { enteredLater[event.counter, default: []].append(event) }
        try compare(event, store)
      }
      store.onProgress()
      guard let next = page.next else { break }
      position = next
    }
    pairSpares()
  }

  private mutating func compare(_ event: Event, _ store: CounterStore) throws(StoreError) {
    let count = CounterEvent(event.counter, event)
    let shape = CounterEvent(event.counter, event, ignoringChange: true)
    let isCount = event.kind.isCount && tableMoments.contains(CountMoment(event))
    let near = isCount ? nil : tableMoment(inSecondOf: event)
    let most = shapes[shape] ?? 0
    guard isCount || near != nil || most > 0 else { return }
    let chain = try store.undoChain(of: event)
    // Only the undo of an import undoes a row of a table, also where a later import brought both.
    if !chain.isUndone {
      if isCount { tableCounts.add(event, isExact: tables.contains(count)) }
      if let near { tableCounts.add(event, inSecondOf: near) }
    }
    if chain.isGone { return }
    if let index = exact[Exact(event: count, chain: chain)]?.popLast() {
      pair(wanted[index], with: event.sequence, chain)
      return
    }
    // This event has no exact duplicate in the archive.
    let spare = Spare(sequence: event.sequence, isLimited: event.marks.contains(.limited), chain: chain)
    if spares[count]?.count ?? 0 < most * 2 { spares[count, default: []].append(spare) }
    if limitedSpares[shape]?.count ?? 0 < most * 2 { limitedSpares[shape, default: []].append(spare) }
  }

  /// Pairs the events of the archive that are undone or redone differently here, or that a limit shortened.
  private mutating func pairSpares() {
    var used: Set<Int64> = []
    /// Removes and returns the last of the spares that fits; only the last ones are compared.
    func take(_ spares: inout [Spare]?, if fits: (Spare) -> Bool) -> Spare? {
      while let last = spares?.last, used.contains(last.sequence) { spares?.removeLast() }
      guard let index = spares?.suffix(Self.mostCompared).lastIndex(where: fits) else { return nil }
      let spare = spares?.remove(at: index)
      if let spare { used.insert(spare.sequence) }
      return spare
    }
    for event in spares.keys { spares[event]?.reverse() }
    for shape in limitedSpares.keys { limitedSpares[shape]?.reverse() }
    for event in wanted where sequences[event.sequence] == nil && !event.chain.isGone {
      if let spare = take(&spares[event.event], if: { _ in true }) { pair(event, with: spare.sequence, spare.chain) }
    }
    for event in wanted where sequences[event.sequence] == nil && !event.chain.isGone {
      let spare = take(&limitedSpares[event.shape]) { spare in
        !used.contains(spare.sequence) && (event.isLimited || spare.isLimited)
      }
      if let spare { pair(event, with: spare.sequence, spare.chain) }
    }
  }

  /// Pairs an event, and its undos and redos, with the local ones, in their order.
  private mutating func pair(_ event: Wanted, with sequence: Int64, _ chain: UndoChain) {
    for (there, here) in zip(event.chain.sequences(from: event.sequence), chain.lasts(from: sequence)) {
      sequences[there] = here
    }
  }
}

/// Spans of times.
extension [ClosedRange<Int64>] {
  /// The same times in order, without overlaps.
  func withoutOverlaps() -> [ClosedRange<Int64>] {
    var joined: [ClosedRange<Int64>] = []
    for span in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound >= span.lowerBound {
        joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, span.upperBound)
      } else {
        joined.append(span)
      }
    }
    return joined
  }

  /// Whether a time of spans ``withoutOverlaps()`` is between two times.
  func overlap(_ earliest: Int64, _ latest: Int64) -> Bool {
    let place = partitioningIndex { $0.upperBound >= earliest }
    return place < count && self[place].lowerBound <= latest
  }
}
