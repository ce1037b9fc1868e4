import Fleet

/// What the next reports say: the registers that have changed first, then all that is known, in turns. So the length of a
/// report does not grow with the age of a fleet.
///
/// Reports repair what was lost on the way, and tell new stations of those that are gone.
struct ReportTurns {
  /// The rows of a period before those of another one.
  private static let portion = 250

  private struct Turn {
    var changed: Set<WriterID> = []
    var ring: ArraySlice<Station.Row> = []
    /// How many rows of the ring must still be told; more than there are for all of them.
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

  /// Whether there is nothing to report.
  var isEmpty: Bool { queue.isEmpty }

  /// All that is known of a period is to be told once more, the registers of these writers first.
  mutating func begin(_ period: CounterPeriod, changed: some Sequence<WriterID> = []) {
    if turns[period] == nil { queue.append(period) }
    turns[period, default: Turn()].left = .max
    turns[period]?.changed.formUnion(changed)
  }

  /// The rows of the next report.
  mutating func next(_ most: Int, of station: Station) -> [CounterPeriod: [Station.Row]] {
    var (found, room): ([CounterPeriod: [Station.Row]], Int) = ([:], most)
    var (open, waiting): (ArraySlice<CounterPeriod>, [CounterPeriod]) = (queue[...], [])
    while room > 0 {
      if open.isEmpty { (open, waiting) = (waiting[...], []) }
      guard let period = open.popFirst(), var turn = turns[period] else { break }
      let rows = turn.next(min(Self.portion, room), of: period, station)
      // A period that is not kept any more has none.
      found[period, default: []] += rows
      room -= max(rows.count, 1)
      turns[period] = turn.isDone ? nil : turn
      if !turn.isDone { waiting.append(period) }
    }
    queue = open + waiting
    return found
  }
}
