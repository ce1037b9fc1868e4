import Calendars
import Counting
import Varlink

/// Tables of other programs, as CSV.
extension ImportFile {
  private static let columnNames: [(meaning: String, words: Set<String>)] = [
    ("record", ["record"]), ("name", ["name", "counter", "label", "item", "category"]),
    ("title", ["title"]),
    ("value", ["value", "count", "total", "number", "tally"]),
    ("time", ["time", "date", "timestamp", "datetime", "when", "created"]),
    ("amount", ["amount", "change", "increment", "delta"]), ("group", ["group"]), ("unit", ["unit"]),
    ("formula", ["formula"]), ("display", ["display"]),
  ]

  /// The entries of a table with names and values, or with times.
  static func table(_ records: [[String]]) throws -> [JSON] {
    guard let first = records.first else { return [] }
    let words = first.map { $0.lowercased().filter { !$0.isWhitespace } }
    var columns: [String: Int] = [:]
    for (meaning, known) in columnNames {
      columns[meaning] = words.firstIndex { known.contains($0) }
    }
    let hasHeader = !columns.isEmpty
    if !hasHeader { columns = guessed(first) }
    let definitions = ValueDefinitions()
    return try records.enumerated().dropFirst(hasHeader ? 1 : 0).flatMap { index, record in
      try lines(record, columns, number: index + 1, definitions)
    }
  }

  /// The unit in the rows of formulas.
  static let formulaUnit = "formula"

  /// The meaning of columns without a header, judged by the first record.
  private static func guessed(_ record: [String]) -> [String: Int] {
    var columns: [String: Int] = [:]
    for (index, field) in record.enumerated() {
      let meaning =
        number(field) != nil ? "value" : (try? ExchangeTime.moment(field)) != nil ? "time" : "name"
      if columns[meaning] == nil { columns[meaning] = index }
    }
    return columns
  }

  private static func lines(
    _ record: [String], _ columns: [String: Int], number: Int, _ definitions: ValueDefinitions
  ) throws -> [JSON] {
    func notNumber(_ text: String) -> String { "“\(text.shortened)” is not a number" }
    func field(_ meaning: String) -> String? {
      guard let index = columns[meaning], record.indices.contains(index) else { return nil }
      let text = record[index].trimmed
      return text.isEmpty ? nil : text
    }
    if let whole = field("record") {
      guard let json = try? JSON(parsing: whole) else {
        throw Fault(line: number, reason: "its record is not JSON")
      }
      do {
        return [try past(ExchangeTime.counted(json), number)]
      } catch let error as TimeError {
        throw Fault(line: number, reason: error.message)
      }
    }
    func name(_ meaning: String, of kind: ValueDefinitions.Kind = .counter) throws -> String? {
      guard let text = field(meaning) else { return nil }
      do throws(ValueDefinitions.Clash) { return try definitions.name(text, of: kind) } catch {
        throw Fault(
          line: number, reason: "“\(error.first.shortened)” and “\(text.shortened)” would both become “\(error.name)”")
      }
    }
    let group = try name("group", of: .group)
    if field("unit") == formulaUnit {
      // Tables of earlier versions have the value alone, which follows from the counters.
      guard let text = field("formula"), let name = try name("name") else { return [] }
      var members: JSONObject = ["name": .string(name), "formula": .string(text)]
      for setting in ["title", "display"] { members[setting] = field(setting).map(JSON.string) }
      return definitions.entries(ofFormula: members, group: group)
    }
    let name = try name("name") ?? "count"
    if let time = field("time") {
      var amount = "1"
      if let text = field("amount") ?? field("value") {
        guard let read = Self.number(text) else { throw Fault(line: number, reason: notNumber(text)) }
        amount = read
      }
      do {
        let moment = try ExchangeTime.moment(time)
        return [try past(["count": ["name": .string(name), "time": .int(moment), "amount": .string(amount)]], number)]
      } catch let error as TimeError {
        throw Fault(line: number, reason: error.message)
      }
    }
    guard let text = field("value") else { throw Fault(line: number, reason: "it has neither a value nor a time") }
    let isStopwatch = field("unit") == "s"
    guard let value = Self.number(text) ?? (isStopwatch && (try? Unit.time.number(text)) != nil ? text : nil) else {
      throw Fault(line: number, reason: notNumber(text))
    }
    var entry: JSONObject = ["name": .string(name), "value": .string(value)]
    let title = field("title") ?? field("name")
    if let title, title != name { entry["title"] = .string(title) }
    let decimals = value.split(separator: ".").dropFirst().first?.utf8.count ?? 0
    return definitions.entries(
      name: name, title: entry["title"]?.string, group: group, isStopwatch: isStopwatch,
      decimals: min(9, decimals)) + [.object(["value": .object(entry)])]
  }

  /// A number in the usual formats of tables: `1 234`, `1,234.5`, `1.234,5`, `12,5`, `+3`.
  static func number(_ text: String) -> String? {
    var text = text.filter { !$0.isWhitespace && $0 != "\u{202F}" && $0 != "'" }
    if text.hasPrefix("+") { text.removeFirst() }
    text = text.replacing("−", with: "-")
    let commas = text.filter { $0 == "," }.count
    let dots = text.split(separator: ".", omittingEmptySubsequences: false)
    if let comma = text.lastIndex(of: ","), let dot = text.lastIndex(of: "."), dot < comma {
      // 1.234,5: the last of the two is the decimal separator.
      text = text.replacing(".", with: "").replacing(",", with: ".")
    } else if commas == 0, dots.count > 2, dots.dropFirst().allSatisfy({ $0.count == 3 }) {
      text = text.replacing(".", with: "")
    } else if text.contains(".") || commas > 1 {
      text = text.replacing(",", with: "")
    } else if commas == 1,
      text.split(separator: ",", omittingEmptySubsequences: false).last?.count == 3
    {
      text = text.replacing(",", with: "")
    } else {
      text = text.replacing(",", with: ".")
    }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    return text
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
