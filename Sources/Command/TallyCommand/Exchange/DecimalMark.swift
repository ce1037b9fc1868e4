import ArgumentParser
import Counting

/// The mark before the decimals of a number; the other one may separate thousands.
enum DecimalMark: String, CaseIterable, ExpressibleByArgument {
  case point, comma

  private var mark: Character { self == .point ? "." : "," }
  private var groupMark: Character { self == .point ? "," : "." }

  /// A number of a table with this mark, in the format of the core: `1 234`, `1,234.5`, `1.234,5`, `1’234`, `12,5`,
  /// `+3`.
  func number(_ text: String) -> String? {
    var digits = text.trimmed[...]
    let sign = digits.first == "-" || digits.first == "−" ? "-" : ""
    if !sign.isEmpty || digits.first == "+" { digits = digits.dropFirst().drop(while: \.isWhitespace) }
    let parts = digits.split(separator: mark, omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, let whole = Self.ungrouped(parts[0], groupMark) else { return nil }
    guard parts.count == 2 else { return sign + whole }
    return Self.isDigits(parts[1]) ? "\(sign)\(whole).\(parts[1])" : nil
  }

  /// The digits of a whole number without group marks, which are this one, spaces or apostrophes; `nil` if these do not
  /// separate groups. The last group has three digits, the first one to three, the others three or (in India) two.
  private static func ungrouped(_ text: Substring, _ mark: Character) -> String? {
    let marks = Set(text.filter { !("0"..."9" ~= $0) })
    guard let found = marks.first else { return text.isEmpty ? nil : String(text) }
    guard marks.count == 1, found == mark || found.isWhitespace || "'’".contains(found) else { return nil }
    let groups = text.split(separator: found, omittingEmptySubsequences: false)
    guard 1...3 ~= groups[0].count, groups[0].first != "0", groups.last?.count == 3,
      groups.dropFirst().dropLast().allSatisfy({ 2...3 ~= $0.count })
    else { return nil }
    return groups.joined()
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// Whether a text is a number with one of the marks.
  static func isNumber(_ text: String) -> Bool { allCases.contains { $0.number(text) != nil } }

  // MARK: Columns

  /// The first numbers of a column that show its decimal mark, or leave it open.
  private struct Evidence {
    /// The first number that has only a reading with a decimal point, and the first that has only one with a comma.
    var point, comma: (text: String, line: Int)?
    /// The first number with two readings.
    var open: (text: String, line: Int)?

    mutating func add(_ text: String, line: Int) {
      switch (DecimalMark.point.number(text), DecimalMark.comma.number(text)) {
      case (.some, nil): point = point ?? (text, line)
      case (nil, .some): comma = comma ?? (text, line)
      case (let one?, let other?) where one != other: open = open ?? (text, line)
      default: break
      }
    }
  }

  /// The marks of the columns of numbers: one for each, from all its numbers; if each number of a column has two
  /// readings, the mark of the other columns.
  ///
  /// - Parameters:
  ///   - stated: the mark that a person has stated for all columns.
  ///   - withPoint: columns that are known to have a decimal point.
  /// - Throws: an ``ImportFile/Fault`` for a column with both marks, or whose numbers all have two readings.
  static func marks(
    of columns: TableColumns, _ rows: [CSV.Record], stated: Self?, _ withPoint: Set<Int>
  ) throws(ImportFile.Fault) -> [Int: Self] {
    var places = columns.counters.filter { !$0.isOfMarks }.map(\.place)
    places += [Meaning.amount, .value].compactMap { columns[$0] }
    if let stated { return Dictionary(places.map { ($0, stated) }) { first, _ in first } }
    // Programs write numbers for other programs with a decimal point.
    if columns.isOfKnownProgram { return Dictionary(places.map { ($0, .point) }) { first, _ in first } }
    var found: [Int: Self] = [:]
    var open: [(place: Int, text: String, line: Int)] = []
    for place in places {
      var evidence = Evidence()
      for row in rows { if let text = row.field(place) { evidence.add(text, line: row.line) } }
      let name = columns.name(of: place)
      switch (evidence.point, evidence.comma) {
      case (let point?, let comma?):
        throw .init(
          line: max(point.line, comma.line),
          reason:
            "the column “\(name.shortened)” has numbers with a decimal point, such as “\(point.text.shortened)” on "
            + "line \(point.line), and with a decimal comma, such as “\(comma.text.shortened)” on line \(comma.line). "
            + "Write all of them with the same mark")
      case (_?, nil): found[place] = .point
      case (nil, _?): found[place] = withPoint.contains(place) ? .point : .comma
      case (nil, nil):
        if withPoint.contains(place) {
          found[place] = .point
        } else if let number = evidence.open {
          open.append((place, number.text, number.line))
        }
      }
    }
    guard let first = open.first else { return found }
    let others = Set(found.values)
    guard others.count == 1, let mark = others.first else {
      let name = columns.name(of: first.place)
      let (point, comma) = (point.number(first.text) ?? "", comma.number(first.text) ?? "")
      throw .init(
        line: first.line,
        reason: "“\(first.text.shortened)” in the column “\(name.shortened)” is \(point.shortened) if the point is the "
          + "decimal mark, and \(comma.shortened) if the comma is. Say which it is: --decimal-mark point or "
          + "--decimal-mark comma")
    }
    for column in open { found[column.place] = mark }
    return found
  }
}
