import Counting

/// Comma-separated values as in RFC 4180, with the variants of other programs.
enum CSV {
  /// Formats one record as a line, without the line end.
  ///
  /// A spreadsheet runs a text that begins with `=`, `+`, `-`, `@` or one of their wide forms as a formula, and titles,
  /// notes and names of devices are untrusted. Unless it is a number, such a text gets an apostrophe, which
  /// spreadsheets interpret as the mark of a text and ``table(_:)`` removes.
  static func line(_ fields: [String]) -> String {
    fields.map { quoted(isFormula($0[...]) && Double($0) == nil ? "'\($0)" : $0) }.joined(separator: ",")
  }

  /// A number as a decimal number of its unit; times are seconds.
  static func number(_ number: Int64, _ unit: Unit) -> String {
    unit == .time ? Unit.decimal(6).text(number) : unit.text(number)
  }

  /// Whether a spreadsheet could run a text as a formula, with or without the apostrophes at its start.
  private static func isFormula(_ text: Substring) -> Bool {
    text.unicodeScalars.first { $0 != "'" }.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
  }

  /// A quoted field. Works on Unicode scalars, because parsers see a quote even before a combining mark.
  private static func quoted(_ field: String) -> String {
    let scalars = field.unicodeScalars
    guard scalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
    var text = "\"".unicodeScalars
    for scalar in scalars {
      if scalar == "\"" { text.append(scalar) }
      text.append(scalar)
    }
    text.append("\"")
    return String(text)
  }

  /// The reason why a text is not a table.
  struct SyntaxError: Error {
    /// The number of the line, from 1.
    let line: Int
    let reason: String
  }

  /// The maximum number of fields in a record. Some apps write a line per counter, with a field per count.
  static let mostFields = 1 << 20

  struct Record {
    /// The line of the file on which the record begins, from 1.
    var line: Int
    var fields: [String]
  }

  private static let separators: [Unicode.Scalar] = [",", ";", "\t", "|"]

  /// Parses the records of a text, with or without a byte order mark. A first line such as `sep=;` states the
  /// separator; programs write this line for Excel. Without it, the separator is the most frequent one in the first
  /// line outside of quotes. Empty lines are no records.
  static func table(_ text: String) throws(SyntaxError) -> [Record] {
    var scalars = text.unicodeScalars[...]
    if scalars.first == "\u{FEFF}" { scalars = scalars.dropFirst() }
    let stated = statedSeparator(in: scalars)
    if let stated { scalars = stated.rest }
    let separator = stated?.separator ?? separator(of: scalars)
    var (records, record, field) = ([Record](), [String](), String.UnicodeScalarView())
    let first = stated == nil ? 1 : 2
    var (isQuoted, wasQuoted, line, start) = (false, false, first, first)
    func endField() throws(SyntaxError) {
      guard record.count < mostFields else {
        throw SyntaxError(line: line, reason: "it has more than \(mostFields) columns")
      }
      let text = String(field)
      record.append(text.unicodeScalars.first == "'" && isFormula(text[...]) ? String(field.dropFirst()) : text)
      (field, wasQuoted) = (.init(), false)
    }
    func endRecord() throws(SyntaxError) {
      try endField()
      if record != [""] { records.append(Record(line: start, fields: record)) }
      record = []
    }
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      let following = next < scalars.endIndex ? scalars[next] : nil
      index = next
      switch scalar {
      case "\"" where isQuoted && following == "\"":
        field.append(scalar)
        index = scalars.index(after: next)
      case "\"" where isQuoted: isQuoted = false
      case "\"" where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
      case _ where isQuoted:
        if scalar == "\n" { line += 1 }
        field.append(scalar)
      case separator: try endField()
      case "\r" where following == "\n": continue
      case "\n", "\r":
        try endRecord()
        line += 1
        start = line
      default:
        guard !wasQuoted else {
          throw SyntaxError(line: line, reason: "text follows a closing quote")
        }
        field.append(scalar)
      }
    }
    guard !isQuoted else { throw SyntaxError(line: start, reason: "a quote is not closed") }
    if !field.isEmpty || !record.isEmpty || wasQuoted { try endRecord() }
    return records
  }

  /// The separator in a first line such as `sep=;`, and the text after that line; `nil` without such a line.
  private static func statedSeparator(
    in text: Substring.UnicodeScalarView
  ) -> (separator: Unicode.Scalar, rest: Substring.UnicodeScalarView)? {
    var rest = text
    for scalar in "sep=".unicodeScalars {
      guard rest.popFirst()?.properties.lowercaseMapping == String(scalar) else { return nil }
    }
    guard let separator = rest.popFirst(), separators.contains(separator) else { return nil }
    switch rest.popFirst() {
    case "\n", nil: return (separator, rest)
    case "\r": return (separator, rest.first == "\n" ? rest.dropFirst() : rest)
    default: return nil
    }
  }

  private static func separator(of text: Substring.UnicodeScalarView) -> Unicode.Scalar {
    var counts: [Unicode.Scalar: Int] = [:]
    var isQuoted = false
    for scalar in text {
      if scalar == "\"" { isQuoted.toggle() }
      if !isQuoted, scalar == "\n" || scalar == "\r" { break }
      if !isQuoted, separators.contains(scalar) { counts[scalar, default: 0] += 1 }
    }
    return separators.max {
      (counts[$0] ?? 0, $0 == "," ? 1 : 0) < (counts[$1] ?? 0, $1 == "," ? 1 : 0)
    } ?? ","
  }
}
