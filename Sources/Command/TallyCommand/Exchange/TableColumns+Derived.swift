/// Columns of a table with a counter in each column that may be no counters.
extension TableColumns {
  /// The names of the columns with a word for other numbers, and of those whose numbers follow from others.
  static func doubtful(_ columns: [(place: Int, name: String)], _ rows: [CSV.Record]) -> [String] {
    let derived = derived(columns.map(\.place), rows)
    return columns.filter { derived.contains($0.place) || Meaning.isOfOtherNumbers(header: $0.name) }.map(\.name)
  }

  /// The reason to leave out a column that is read as values or amounts and may hold the sums of columns of unknown
  /// meaning; `nil` without such a column.
  static func reason(
    toLeaveOutSumsOf unknown: [Column], of columns: [Column], _ meanings: [Meaning?]
  ) -> String? {
    let sum = columns.first {
      [.value, .amount].contains(meanings[$0.place]) && Meaning.isOfSums(header: $0.header)
    }
    return sum.map {
      "the column \(quoted([$0])) may hold the sum of the others. To read \(quoted(unknown)) as a counter each: "
        + choice(.passedOver, [$0])
    }
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
      guard step.count(where: { $0 != 0 }) >= fewest, let probe = step.firstIndex(where: { $0 != 0 }) else {
        return false
      }
      func isDifference(_ one: ArraySlice<Double>, _ other: ArraySlice<Double>) -> Bool {
        // Most pairs differ there.
        abs(step[probe] - (one[one.startIndex + probe] - other[other.startIndex + probe])) < 1e-6
          && isEqual(step, zip(one, other).lazy.map(-))
      }
      let others = columns.indices.filter { $0 != index }
      return others.contains { one in
        isEqual(step, rising[one]) || isEqual(step, falling[one].map(-))
          || others.contains { other in
            other != one
              && (isDifference(rising[one], rising[other]) || isDifference(falling[other], falling[one]))
          }
      }
    }
    let sums = rows.indices.map { row in columns.reduce(0) { $0 + $1[row] } }
    func isSum(_ index: Int) -> Bool {
      guard columns.count > 2, columns[index].count(where: { $0 != 0 }) >= fewest else { return false }
      return rows.indices.allSatisfy { abs(sums[$0] - 2 * columns[index][$0]) < 1e-6 }
    }
    return Set(columns.indices.filter { isSum($0) || isRunning($0) }.map { places[$0] })
  }

  private static func isEqual(_ ones: some Sequence<Double>, _ others: some Sequence<Double>) -> Bool {
    zip(ones, others).allSatisfy { abs($0 - $1) < 1e-6 }
  }
}
