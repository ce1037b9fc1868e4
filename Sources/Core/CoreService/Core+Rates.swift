import Counting
import Journal

/// The times of the earliest counts of counters whose rate a formula uses. Kept in memory, so that a formula needs no
/// query.
extension Core {
  /// Computes the times of all rated counters again, after a change of the whole state.
  func updateRatedCounters() {
    ratedCounters = ledger.ratedCounters
    setEarliest([:])
    updateEarliest(of: ratedCounters)
  }

  func updateRates(after events: [Event]) {
    if events.contains(where: \.mayConcernRatedCounters) {
      let before = ratedCounters
      ratedCounters = ledger.ratedCounters
      setEarliest(ledger.earliest.filter { ratedCounters.contains($0.key) })
      updateEarliest(of: ratedCounters.subtracting(before))
    }
    guard !ratedCounters.isEmpty else { return }
    var earliest = ledger.earliest
    var unknown: Set<Counter.ID> = []
    // The late counts, which are not in the value, because their period was closed again.
    let late = Set(events.lazy.filter(\.closesEndedPeriod).map { $0.sequence - 1 })
    for event in events where event.subject == .counter && ratedCounters.contains(event.counter) {
      // A new start or period changes which counts are in the value, and counts of other stations may be earlier.
      guard event[.began] == nil, event[.period] == nil, event.kind != .learned else {
        unknown.insert(event.counter)
        continue
      }
      guard event.change != 0, let counter = ledger[event.counter], let known = earliest[counter.id] ?? counter.began
      else { continue }
      if event.undoes != nil {
        // An undone count may have been the earliest one; a redone count may become the earliest again.
        if let time = try? store.countTime(of: event), time <= known { unknown.insert(event.counter) }
      } else if event.kind.isCount, event.time < known, !late.contains(event.sequence) {
        earliest[counter.id] = event.time
      }
    }
    if earliest != ledger.earliest { setEarliest(earliest) }
    updateEarliest(of: unknown)
  }

  /// Computes the times of the earliest counts of these counters; skips counters that no formula uses as a rate.
  func updateEarliest(of counters: Set<Counter.ID>) {
    let counters = counters.intersection(ratedCounters)
    guard !counters.isEmpty else { return }
    var earliest = ledger.earliest
    for id in counters {
      // Without a time, as for a counter on a damaged page, the rate is computed from the counter's start.
      earliest[id] = ledger[id].flatMap { try? store.earliestCount(of: $0, in: ledger) }
    }
    setEarliest(earliest)
  }
}

extension Event {
  /// Whether the event may change the set of counters whose rate a formula uses: an event of a formula, or one that
  /// creates, removes, restores or renames a counter.
  fileprivate var mayConcernRatedCounters: Bool {
    subject == .formula || subject == .counter && (presence != .unchanged || self[.name] != nil)
  }
}
