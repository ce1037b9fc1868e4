import Fleet

/// The rows for the next reports: first changed registers, then all known rows in turns. A report's length does not
/// grow with the age of a fleet.
///
/// Reports repeat lost messages, and give new stations the counts of absent ones.
struct ReportScheduler {
  /// The number of rows of a period before another period gets its turn.
  private static let portion = 250

  private struct Turn {
    var changed: Set<WriterID> = []
    var ring: ArraySlice<Station.Row> = []
    /// The number of rows of the ring that must still be reported; `Int.max` for all of them.
    var left = 0

    mutating func next(_ count: Int, of period: CounterPeriod, _ station: Station) -> [Station.Row] {
      let first = changed.prefix(count)
      var rows = first.map(Station.Row.register)
      changed.subtract(first)
      while rows.count < count, left > 0 {
        if ring.isEmpty {
          ring = station.rows(of: period)[...]
          left = min(left, ring.count)
          if ring.isEmpty { break }
        }
        let next = ring.prefix(min(left, count - rows.count))
        rows += next
        ring = ring.dropFirst(next.count)
        left -= next.count
      }
      return rows
    }

    var isDone: Bool { changed.isEmpty && left == 0 }
  }

  private var turns: [CounterPeriod: Turn] = [:]
  /// The periods with a turn.
  private var queue: [CounterPeriod] = []

  var isEmpty: Bool { queue.isEmpty }

  /// Adds all known rows of a period to the next reports, the registers of `changed` first.
  mutating func begin(_ period: CounterPeriod, changed: some Sequence<WriterID> = []) {
    if turns[period] == nil { queue.append(period) }
    turns[period, default: Turn()].left = .max
    turns[period]?.changed.formUnion(changed)
  }

  mutating func next(_ most: Int, of station: Station) -> [CounterPeriod: [Station.Row]] {
    var (found, room): ([CounterPeriod: [Station.Row]], Int) = ([:], most)
    var (open, waiting): (ArraySlice<CounterPeriod>, [CounterPeriod]) = (queue[...], [])
    while room > 0 {
      if open.isEmpty { (open, waiting) = (waiting[...], []) }
      guard let period = open.popFirst(), var turn = turns[period] else { break }
      let rows = turn.next(min(Self.portion, room), of: period, station)
      // A period that is no longer kept has no rows.
      found[period, default: []] += rows
      room -= max(rows.count, 1)
      turns[period] = turn.isDone ? nil : turn
      if !turn.isDone { waiting.append(period) }
    }
    queue = open + waiting
    return found
  }
}
