import ArgumentParser
import Calendars
import Platform
import Varlink

/// A file that somebody wants taken in, as the lines that the core takes.
struct ImportFile {
  let lines: [String]
  /// The bindings that came with it.
  let bindings: String?

  /// Larger files are backups.
  private static let largest = 12 << 20

  /// - Throws: exit code 1 after saying what is wrong with the file, and on which line.
  init(_ path: String) throws {
    func refuse(_ reason: String) -> ExitCode {
      Output.complain("\(path): \(reason) Nothing was taken in.")
      return CoreClient.refused
    }
    let bytes: [UInt8]
    do {
      bytes = try FileContent.read(path == "-" ? "/dev/stdin" : path, upTo: Self.largest)
    } catch {
      throw refuse("\(SystemError.reason(error.code)).")
    }
    guard bytes.count <= Self.largest else {
      throw refuse("It has more than 12 MB; so much goes by backup and restore.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw refuse("It is not UTF-8.")
    }
    do {
      (lines, bindings) = try Self.lines(text)
    } catch let error as Fault {
      throw refuse("Line \(error.line): \(error.reason).")
    } catch let error as CSV.SyntaxError {
      throw refuse("Line \(error.line): \(error.reason).")
    }
  }

  struct Fault: Error {
    let line: Int
    let reason: String
  }

  /// What a text holds: lines of JSON, or a table.
  static func lines(_ text: String) throws -> ([String], bindings: String?) {
    let start = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
    guard start == "{" else { return (try table(CSV.records(text)), nil) }
    var (lines, bindings) = ([String](), String?.none)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      let json: JSON
      do {
        json = try JSON(parsing: String(line))
        if let text = json.object?["bindings"]?.string {
          bindings = text
          continue
        }
        lines.append((try value(json) ?? ExchangeTime.counted(json)).description)
      } catch let error as TimeError {
        throw Fault(line: index + 1, reason: error.message)
      } catch {
        throw Fault(line: index + 1, reason: "it is no JSON (\(error))")
      }
    }
    return (lines, bindings)
  }

  /// A counter as “tally show --json” prints it says what it stands at.
  private static func value(_ json: JSON) -> JSON? {
    guard let object = json.object, let name = object["name"]?.string,
      let value = object["value"]?.int
    else { return nil }
    let line = CounterLine(object)
    var entry: JSONObject = ["name": .string(name), "value": .string(line.format.plain(value))]
    if line.title != name { entry["title"] = .string(line.title) }
    return .object(["value": .object(entry)])
  }

  // MARK: Tables

  private static let columnNames: [(meaning: String, words: Set<String>)] = [
    ("record", ["record"]), ("name", ["name", "counter", "label", "item", "category"]),
    ("title", ["title"]),
    ("value", ["value", "count", "total", "number", "tally"]),
    ("time", ["time", "date", "timestamp", "datetime", "when", "created"]),
    ("amount", ["amount", "change", "increment", "delta"]),
  ]

  /// The lines of a table with names and values, or with times.
  static func table(_ records: [[String]]) throws -> [String] {
    guard let first = records.first else { return [] }
    let words = first.map { $0.lowercased().filter { !$0.isWhitespace } }
    var columns: [String: Int] = [:]
    for (meaning, known) in columnNames {
      columns[meaning] = words.firstIndex { known.contains($0) }
    }
    let hasHeader = !columns.isEmpty
    if !hasHeader { columns = guessed(first) }
    return try records.enumerated().dropFirst(hasHeader ? 1 : 0).map { index, record in
      try line(record, columns, number: index + 1)
    }
  }

  /// What the columns of a table without names hold, by its first record.
  private static func guessed(_ record: [String]) -> [String: Int] {
    var columns: [String: Int] = [:]
    for (index, field) in record.enumerated() {
      let meaning =
        number(field) != nil ? "value" : (try? ExchangeTime.moment(field)) != nil ? "time" : "name"
      if columns[meaning] == nil { columns[meaning] = index }
    }
    return columns
  }

  private static func line(_ record: [String], _ columns: [String: Int], number: Int) throws
    -> String
  {
    func field(_ meaning: String) -> String? {
      guard let index = columns[meaning], record.indices.contains(index) else { return nil }
      let text = record[index].trimmed
      return text.isEmpty ? nil : text
    }
    if let whole = field("record") {
      guard let json = try? JSON(parsing: whole) else {
        throw Fault(line: number, reason: "its record is no JSON")
      }
      do throws(TimeError) { return try ExchangeTime.counted(json).description } catch {
        throw Fault(line: number, reason: error.message)
      }
    }
    let name = Self.name(field("name") ?? "count")
    if let time = field("time") {
      do throws(TimeError) {
        let moment = try ExchangeTime.moment(time)
        let amount = (field("amount") ?? field("value")).flatMap(Self.number) ?? "1"
        let entry: JSON = [
          "count": ["name": .string(name), "time": .int(moment), "amount": .string(amount)]
        ]
        return entry.description
      } catch {
        throw Fault(line: number, reason: error.message)
      }
    }
    guard let text = field("value"), let value = Self.number(text) else {
      throw Fault(line: number, reason: "it has neither a value nor a time")
    }
    var entry: JSONObject = ["name": .string(name), "value": .string(value)]
    let title = field("title") ?? field("name")
    if let title, title != name { entry["title"] = .string(title) }
    return JSON.object(["value": .object(entry)]).description
  }

  /// A number as people write it in tables: `1 234`, `1,234.5`, `12,5`, `+3`.
  static func number(_ text: String) -> String? {
    var text = text.filter { !$0.isWhitespace && $0 != "\u{202F}" && $0 != "'" }
    if text.hasPrefix("+") { text.removeFirst() }
    text = text.replacing("−", with: "-")
    let commas = text.filter { $0 == "," }.count
    if text.contains(".") || commas > 1 {
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

  /// The name of a counter out of whatever another one called it: what names may not hold becomes a hyphen.
  static func name(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(64) {
      let isKept =
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        || "-_.".unicodeScalars.contains(scalar)
      if isKept { name.append(scalar) } else if name.last != "-", !name.isEmpty { name.append("-") }
    }
    while let last = name.last, last == "-" { name.removeLast() }
    let result = String(name)
    return result.unicodeScalars.contains { $0.properties.isAlphabetic }
      ? result : "counter-\(result)"
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
