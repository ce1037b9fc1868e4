import Fleet

/// The rows for the next reports: first changed rows, then others in turns. A report's length does not grow with the
/// age of a fleet.
///
/// Reports repeat lost messages, and give new stations the counts of absent ones. Changes are reported with a few other
/// rows, chosen at random, so that each row is repeated from time to time. All rows are reported at a connection and to
/// new stations.
struct ReportScheduler {
  /// The number of rows of a period before another period gets its turn.
  private static let portion = 250
  /// The number of unchanged rows that are reported with changes: as many as fit into a message.
  static let repeated = 40

  private struct Turn {
    var changed: Set<Station.Row> = []
    var ring: ArraySlice<Station.Row> = []
    /// The number of rows of the ring that must still be reported; `Int.max` for all of them.
    var left = 0
    /// Whether other rows are reported with the changes.
    var isRepeating = false

    mutating func next(_ count: Int, of period: CounterPeriod, _ station: Station) -> [Station.Row] {
      var rows = Array(changed.prefix(count))
      changed.subtract(rows)
      if isRepeating, left == 0 {
        ring = Self.some(of: station.rows(of: period))
        left = ring.count
      }
      isRepeating = false
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

    /// Consecutive rows, starting at a random one.
    private static func some(of rows: [Station.Row]) -> ArraySlice<Station.Row> {
      guard rows.count > ReportScheduler.repeated else { return rows[...] }
      let start = Int.random(in: 0..<rows.count)
      let last = rows[start...].prefix(ReportScheduler.repeated)
      return last + rows.prefix(ReportScheduler.repeated - last.count)
    }

    var isDone: Bool { changed.isEmpty && left == 0 && !isRepeating }
  }

  private var turns: [CounterPeriod: Turn] = [:]
  /// The periods in ``turns``, in the order of their turns.
  private var queue: [CounterPeriod] = []

  var isEmpty: Bool { queue.isEmpty }

  /// Adds all known rows of a period to the next reports.
  mutating func begin(_ period: CounterPeriod) { change(period) { $0.left = .max } }

  /// Adds changed rows to the next reports.
  mutating func add(_ changed: some Sequence<Station.Row>, of period: CounterPeriod) {
    change(period) {
      $0.changed.formUnion(changed)
      $0.isRepeating = true
    }
  }

  private mutating func change(_ period: CounterPeriod, _ body: (inout Turn) -> Void) {
    if turns[period] == nil { queue.append(period) }
    body(&turns[period, default: Turn()])
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
