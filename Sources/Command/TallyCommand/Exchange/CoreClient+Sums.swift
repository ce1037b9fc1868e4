import CoreAPI
import Counting
import JSON

extension CoreClient {
  /// The first counter whose sums are the rows of a table of `tally totals`, although no import brought them: they would
  /// count twice.
  ///
  /// - Parameters:
  ///   - counters: those that exist here.
  ///   - isKnown: whether an import brought rows of a counter.
  func ownSums(
    in file: ImportFile, _ counters: [Counters.Counter], unless isKnown: (String) -> Bool
  ) throws -> String? {
    var rows: [String: [(time: Int64, amount: String)]] = [:]
    try file.forEachEntry { entry in
      guard let count = entry.object?["count"]?.object, let name = count["name"]?.string,
        let time = count["time"]?.int, let amount = count["amount"]?.string
      else { return }
      rows[name, default: []].append((time, amount))
    }
    return try counters.first { try isOwn(rows[$0.name] ?? [], of: $0) && !isKnown($0.name) }?.name
  }

  /// Whether rows are the sums of a counter. The last of several steps may have grown since; the length of a single one is
  /// unknown, so its sum must be that of its day or of all time since.
  ///
  /// - Parameter rows: the starts of the steps, in order, and the amounts; only the last 1,000 are compared.
  private func isOwn(_ rows: [(time: Int64, amount: String)], of counter: Counters.Counter) throws -> Bool {
    let unit = CounterLine(counter).unit
    let rows = rows.suffix(1000).compactMap { row in (try? unit.number(row.amount)).map { (row.time, amount: $0) } }
    let times = rows.map(\.0)
    guard let last = rows.last, zip(times, times.dropFirst()).allSatisfy(<), rows.contains(where: { $0.amount != 0 })
    else { return false }
    func sums(until ends: Int64...) throws -> [Int64] {
      try call(.totals(counters: [counter.name], bounds: times + ends)).totals.map(\.net)
    }
    // Months differ in length, and days where clocks change.
    guard let longest = zip(times.dropFirst(), times).map(-).max() else {
      let sums = try sums(until: last.0 + 86_400_000_000, Event.times.upperBound)
      return sums.first == last.amount || sums.reduce(0, &+) == last.amount
    }
    let sums = try sums(until: last.0 + longest + longest / 8)
    return sums.count == rows.count && zip(sums, rows).dropLast().allSatisfy { $0 == $1.amount }
      && (sums.last.map { min(0, $0)...max(0, $0) ~= last.amount } ?? false)
  }
}
