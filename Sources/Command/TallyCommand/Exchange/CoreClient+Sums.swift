import CoreAPI
import Counting
import JSON

extension CoreClient {
  /// Refuses a table of `tally totals` if its rows are what a counter here counted itself: they would count twice.
  ///
  /// - Parameter counters: those that exist here.
  func refuseOwnSums(in file: ImportFile, _ counters: [Counters.Counter]) throws {
    var rows: [String: [(time: Int64, amount: String)]] = [:]
    try file.forEachEntry { entry in
      guard let count = entry.object?["count"]?.object, let name = count["name"]?.string,
        let time = count["time"]?.int, let amount = count["amount"]?.string
      else { return }
      rows[name, default: []].append((time, amount))
    }
    for counter in counters where try isOwn(rows[counter.name] ?? [], of: counter) {
      throw ImportFile.refusal(
        file.path,
        ImportFile.Fault(
          line: 1,
          reason: "the column “\(counter.name)” has what \(counter.name) counted here, which would count twice. Name "
            + "another counter in the header, or count it all the same with --again add"))
    }
  }

  /// Whether rows are the sums of a counter. The last step may have grown since.
  ///
  /// - Parameter rows: the starts of the steps, in order, and the amounts; only the last 1,000 are compared.
  private func isOwn(_ rows: [(time: Int64, amount: String)], of counter: Counters.Counter) throws -> Bool {
    let unit = CounterLine(counter).unit
    let rows = rows.suffix(1000).compactMap { row in (try? unit.number(row.amount)).map { (row.time, amount: $0) } }
    let times = rows.map(\.0)
    guard let last = rows.last, zip(times, times.dropFirst()).allSatisfy(<), rows.contains(where: { $0.amount != 0 })
    else { return false }
    let length = times.count > 1 ? last.0 - times[times.count - 2] : 86_400_000_000
    let sums = try call(.totals(counters: [counter.name], bounds: times + [last.0 + length])).totals.map(\.net)
    return sums.count == rows.count && zip(sums, rows).dropLast().allSatisfy { $0 == $1.amount }
      && (sums.last.map { min(0, $0)...max(0, $0) ~= last.amount } ?? false)
  }
}
