import CoreAPI
import Counting
import JSON

extension CoreClient {
  /// The reason why the rows of a table of `tally totals` would count twice: they are the sums of a counter, although no
  /// import brought them, or an import of values set the counter to a value that contains them.
  ///
  /// - Parameters:
  ///   - counters: those that exist here.
  ///   - known: the number of a counter's rows that an import brought; `nil` if an import would refuse a row.
  func doubledSums(
    in file: ImportFile, _ counters: [Counters.Counter], known: (String) -> Int64?
  ) throws -> String? {
    var (rows, titles): ([String: [Row]], [String: String]) = ([:], [:])
    try file.forEachEntry { entry in
      guard let count = entry.object?["count"]?.object, let name = count["name"]?.string,
        let time = count["time"]?.int, let amount = count["amount"]?.string
      else { return }
      rows[name, default: []].append((time, amount))
      titles[name] = (count["title"]?.string ?? name).lowercased()
    }
    let names = Set(counters.map(\.name))
    for counter in counters {
      // A column may have the counter's title, if no counter has the name.
      let titled = titles.first { !names.contains($0.key) && $0.value == counter.title.lowercased() }?.key
      guard let name = rows[counter.name] != nil ? counter.name : titled, let rows = rows[name] else { continue }
      if let set = try importedValue(of: counter.name),
        case let inValue = rows.count(where: { row in
          row.time < set.time && row.amount.contains { "1"..."9" ~= $0 }
        }), let known = known(name), known < inValue
      {
        return
          "the column “\(name)” has what may be in the value to which an import set \(counter.name), and would count twice. "
          + "Undo that import first: tally undo \(set.sequence). Or count it all the same with --again add"
      }
      if try isOwn(rows, of: counter), known(name) == 0 {
        return
          "the column “\(name)” has what \(counter.name) counted here, which would count twice. Name another counter in the "
          + "header, or count it all the same with --again add"
      }
    }
    return nil
  }

  /// The start of a step in microseconds since 1970, and its sum.
  private typealias Row = (time: Int64, amount: String)

  /// The last event by which an import set a counter to a value, unless it is undone.
  private func importedValue(of name: String) throws -> Counters.Event? {
    var found: Counters.Event?
    var next: Int64? = 0
    while let after = next {
      let page = try call(.history(counters: [name], after: after, limit: 1000, producer: Cause.importer))
      found = page.events.last { $0.kind == "corrected" && !(page.undone ?? []).contains($0.sequence) } ?? found
      next = page.next
    }
    return found
  }

  /// Whether rows are the sums of a counter. The last of several steps may have grown since; the length of a single one is
  /// unknown, so its sum must be that of its day or of all time since. Counts that were entered later may be missing.
  ///
  /// - Parameter rows: the steps, in order; only the last 1,000 are compared.
  private func isOwn(_ rows: [Row], of counter: Counters.Counter) throws -> Bool {
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
      let day = last.0 + 86_400_000_000
      let sums = try sums(until: day, Event.times.upperBound)
      return try sums.reduce(0, &+) == last.amount || isSum(sums[0], last.amount, of: counter, last.0..<day)
    }
    let ends = times.dropFirst() + [last.0 + longest + longest / 8]
    let sums = try sums(until: ends[ends.endIndex - 1])
    guard sums.count == rows.count, let sum = sums.last else { return false }
    let others = sums.indices.dropLast().filter { sums[$0] != rows[$0].amount }
    // Few steps have a count that was entered after the table was written.
    guard others.count <= Self.mostGrownSteps else { return false }
    for index in others {
      let step = times[index]..<ends[ends.startIndex + index]
      guard try isSum(sums[index], rows[index].amount, of: counter, step) else { return false }
    }
    return min(0, sum)...max(0, sum) ~= last.amount
  }

  /// The maximum number of steps whose counts are read.
  private static let mostGrownSteps = 20

  /// Whether an amount is the sum of a step, or was before the last of its counts that were entered later.
  private func isSum(
    _ sum: Int64, _ amount: Int64, of counter: Counters.Counter, _ step: Range<Int64>
  ) throws -> Bool {
    if sum == amount { return true }
    var (before, next) = (sum, Int64?.none)
    repeat {
      let page = try call(
        .history(
          counters: [counter.name], before: next, limit: 1000, from: step.lowerBound, until: step.upperBound))
      for event in page.events where event.isLate && !(page.undone ?? []).contains(event.sequence) {
        before &-= event.change
        if before == amount { return true }
      }
      next = page.next
    } while next != nil
    return false
  }
}
