/// Columns of a table with a counter in each column that may be no counters.
extension TableColumns {
  /// The names of the columns with a word for other numbers, and of those whose numbers follow from others.
  static func doubtful(_ columns: [(place: Int, name: String)], _ rows: [CSV.Record]) -> [String] {
    let derived = derived(columns.map(\.place), rows)
    return columns.filter { derived.contains($0.place) || Meaning.isOfOtherNumbers(header: $0.name) }.map(\.name)
  }

  /// The minimum number of sums that are no chance.
  private static let fewest = 3

  /// The places of columns whose numbers follow from those of others: the sum of all others in each row, or the running
  /// sum of another one, or of the difference of two others.
  private static func derived(_ places: [Int], _ rows: [CSV.Record]) -> Set<Int> {
    let columns = places.map { place in
      rows.map { row in
        row.field(place).flatMap { DecimalMark.point.number($0) ?? DecimalMark.comma.number($0) }.flatMap(Double.init)
          ?? 0
      }
    }
    let steps = columns.map { zip($0.dropFirst(), $0).map(-) }
    // The rows may be in descending order.
    let (rising, falling) = (columns.map { $0.dropFirst() }, columns.map { $0.dropLast() })
    func isRunning(_ index: Int) -> Bool {
      let step = steps[index]
      guard step.count(where: { $0 != 0 }) >= fewest else { return false }
      let others = columns.indices.filter { $0 != index }
      return others.contains { one in
        isEqual(step, rising[one]) || isEqual(step, falling[one].map(-))
          || others.contains { other in
            other != one
              && (isEqual(step, zip(rising[one], rising[other]).lazy.map(-))
                || isEqual(step, zip(falling[other], falling[one]).lazy.map(-)))
          }
      }
    }
    func isSum(_ index: Int) -> Bool {
      guard columns.count > 2, columns[index].count(where: { $0 != 0 }) >= fewest else { return false }
      return rows.indices.allSatisfy { row in
        let sum = columns.reduce(-columns[index][row]) { $0 + $1[row] }
        return abs(sum - columns[index][row]) < 1e-6
      }
    }
    return Set(columns.indices.filter { isSum($0) || isRunning($0) }.map { places[$0] })
  }

  private static func isEqual(_ ones: some Sequence<Double>, _ others: some Sequence<Double>) -> Bool {
    zip(ones, others).allSatisfy { abs($0 - $1) < 1e-6 }
  }
}
