/// A table in Markdown, its columns as wide as they need to be.
struct Table {
  private var rows: [[String]]

  init(_ head: [String]) { rows = [head] }

  mutating func add(_ row: [String]) { rows.append(row) }

  func write() {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for (number, row) in rows.enumerated() {
      let cells = row.enumerated().map { column, cell in
        cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      print("| " + cells.joined(separator: " | ") + " |")
      if number == 0 { print("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|") }
    }
    print("")
  }
}

/// A number with so many digits after the point.
func decimal(_ value: Double, _ digits: Int = 2) -> String {
  let scale = digits == 2 ? 100 : 10
  let whole = Int((abs(value) * Double(scale)).rounded())
  let fraction = String(whole % scale)
  let zeros = String(repeating: "0", count: digits - fraction.count)
  return (value < 0 && whole > 0 ? "-" : "") + "\(whole / scale).\(zeros)\(fraction)"
}
