public import Counting

extension CounterStore {
  /// Some events, and where the search goes on.
  public struct Found: Sendable {
    public let events: [Event]
    /// The event after which (or before which, backwards) the next page begins; `nil` where everything was seen.
    public let next: Int64?
  }

  /// At most `limit` of the events that `filter` means. Fewer may be found before it pauses, to let others in between:
  /// then ``Found/next`` tells where to go on.
  public func search(_ filter: EventFilter, _ page: Page, limit: Int64, in ledger: Ledger) throws(StoreError) -> Found {
    try flush(ledger)
    let range: (first: Int64, last: Int64)
    let direction: EventSearch.Direction
    switch page {
    case .after(let sequence): (range, direction) = ((max(0, sequence).clampedSum(1), ledger.lastSequence), .forwards)
    case .before(let sequence): (range, direction) = ((1, min(max(sequence, 1) - 1, ledger.lastSequence)), .backwards)
    }
    guard range.first <= range.last, limit > 0 else { return Found(events: [], next: nil) }
    var events: [Event] = []
    let end = try past.eventSearch.each(filter, in: range.first...range.last, direction, limit: limit) {
      row throws(StoreError) in events.append(try event(row))
    }
    switch end {
    case .complete: return Found(events: events, next: nil)
    case .reached(let sequence):
      let isAtEnd = sequence == (direction == .forwards ? range.last : range.first)
      return Found(events: events, next: isAtEnd ? nil : sequence)
    }
  }
}
