/// Comma-separated values as RFC 4180 has them, and as other programs write them.
enum CSV {
  /// One record as a line without its end.
  static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") }

  /// Scalar by scalar: a quote with a combining mark behind it is another character, and still a quote to readers.
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

  /// Why a text is no table.
  struct SyntaxError: Error {
    /// Counted from 1.
    let line: Int
    let reason: String
  }

  /// At most so many fields in a record.
  static let mostFields = 256

  /// The records of a text, with a byte order mark or without, separated by commas, semicolons or tabs, whichever the
  /// first line has most of outside of quotes.
  static func records(_ text: String) throws(SyntaxError) -> [[String]] {
    var scalars = text.unicodeScalars[...]
    if scalars.first == "\u{FEFF}" { scalars = scalars.dropFirst() }
    let separator = separator(of: scalars)
    var (records, record, field) = ([[String]](), [String](), String.UnicodeScalarView())
    var (isQuoted, wasQuoted, line) = (false, false, 1)
    func endField() throws(SyntaxError) {
      guard record.count < mostFields else {
        throw SyntaxError(line: line, reason: "it has more than \(mostFields) columns")
      }
      record.append(String(field))
      (field, wasQuoted) = (.init(), false)
    }
    func endRecord() throws(SyntaxError) {
      try endField()
      if record != [""] { records.append(record) }
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
      default:
        guard !wasQuoted else {
          throw SyntaxError(line: line, reason: "something stands behind a closing quote")
        }
        field.append(scalar)
      }
    }
    guard !isQuoted else { throw SyntaxError(line: line, reason: "a quote is never closed") }
    if !field.isEmpty || !record.isEmpty || wasQuoted { try endRecord() }
    return records
  }

  private static func separator(of text: Substring.UnicodeScalarView) -> Unicode.Scalar {
    var counts: [Unicode.Scalar: Int] = [:]
    var isQuoted = false
    for scalar in text {
      if scalar == "\"" { isQuoted.toggle() }
      if !isQuoted, scalar == "\n" || scalar == "\r" { break }
      if !isQuoted, [",", ";", "\t"].contains(scalar) { counts[scalar, default: 0] += 1 }
    }
    return [",", ";", "\t"].max {
      (counts[$0] ?? 0, $0 == "," ? 1 : 0) < (counts[$1] ?? 0, $1 == "," ? 1 : 0)
    } ?? ","
  }
}
