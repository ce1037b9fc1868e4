public import Counting

extension JournalReader {
  /// Events, and where to continue the search.
  public struct Found: Sendable {
    public let events: [Event]
    /// The event after which (or before which, backwards) the next page starts; `nil` at the end.
    public let next: Int64?
  }

  /// Returns at most `limit` events that match `filter`. A long search pauses with fewer events; ``Found/next`` is the
  /// position for the next call.
  ///
  /// - Parameter mayHold: whether to read a block with events between two times; `nil` for all blocks.
  public func search(
    _ filter: EventFilter, _ page: Page, limit: Int64, mayHold: ((Int64, Int64) -> Bool)? = nil
  ) throws(StoreError) -> Found {
    let newest = try lastSequence()
    let range: (first: Int64, last: Int64)
    let direction: EventSearch.Direction
    switch page {
    case .after(let sequence): (range, direction) = ((max(0, sequence).clampedSum(1), newest), .forwards)
    case .before(let sequence): (range, direction) = ((1, min(max(sequence, 1) - 1, newest)), .backwards)
    }
    guard range.first <= range.last, limit > 0 else { return Found(events: [], next: nil) }
    var events: [Event] = []
    let end = try past.eventSearch.each(
      filter, in: range.first...range.last, direction, limit: limit, mayHold: mayHold
    ) { row throws(StoreError) in events.append(try event(row)) }
    switch end {
    case .complete: return Found(events: events, next: nil)
    case .reached(let sequence):
      let isAtEnd = sequence == (direction == .forwards ? range.last : range.first)
      return Found(events: events, next: isAtEnd ? nil : sequence)
    }
  }
}
