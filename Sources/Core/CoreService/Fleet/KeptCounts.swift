import Fleet

/// Counts that stations made before they heard of a reset, and that stay after it. Each station tells what it kept; all
/// of it is in memory only, because it is news for people.
struct KeptCounts {
  struct Row {
    let reset: Entry
    /// The station that counted.
    let station: String
    /// In the counter's unit.
    let change: Int64
  }

  private var rows: [CounterID: [Row]] = [:]
  /// Whether a station has come that may not have heard what this one kept.
  var isDue = false
  private static let most = 64

  subscript(counter: CounterID) -> [Row] { rows[counter] ?? [] }

  /// A newer reset took all counts away that the stations had heard of.
  mutating func begin(_ reset: Entry, of counter: CounterID) {
    rows[counter]?.removeAll { $0.reset != reset }
  }

  mutating func note(_ row: Row, of counter: CounterID) {
    guard rows[counter] != nil || rows.count < Knowledge.maximumCounters else { return }
    var known = self[counter].filter { $0.reset != row.reset || $0.station != row.station }
    known.append(row)
    rows[counter] = known.suffix(Self.most)
  }
}
