import Fleet

/// Counts that stations made before they received a reset, and that the reset did not remove. Each station reports its
/// own counts. In memory only, because the counts are only shown to people.
struct LateCounts {
  struct Row {
    let reset: Entry
    let station: String
    /// The kept count, in the counter's unit.
    let change: Int64
  }

  private var rows: [CounterID: [Row]] = [:]
  /// Whether a new station may have missed the counts that this one kept.
  var isDue = false
  private static let most = 64

  subscript(counter: CounterID) -> [Row] { rows[counter] ?? [] }

  /// Removes the rows of earlier resets, because a newer reset includes the counts that stations had reported.
  mutating func begin(_ reset: Entry, of counter: CounterID) {
    rows[counter]?.removeAll { $0.reset != reset }
  }

  mutating func note(_ row: Row, of counter: CounterID) {
    guard rows[counter] != nil || rows.count < ReplicaStore.maximumCounters else { return }
    var known = self[counter].filter { $0.reset != row.reset || $0.station != row.station }
    known.append(row)
    rows[counter] = known.suffix(Self.most)
  }
}
