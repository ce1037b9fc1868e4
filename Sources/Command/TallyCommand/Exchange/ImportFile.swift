import ArgumentParser
import Calendars
import CoreAPI
import Counting
import JSON
import Linux
import Varlink

/// A file to import: entries as lines of JSON, or a table.
struct ImportFile {
  let path: String
  private let content: Content
  let bindings: String?
  /// The recognised format of another program.
  let format: String?
  /// The columns with texts that are left out.
  let leftOut: [String]
  /// Whether the rows were read as days because all of their times are midnights.
  let isOfMidnights: Bool
  /// Whether `tally totals` may have written the table.
  let isOfSums: Bool
  let doubts: Doubts

  /// The name, for the events of the import; `nil` for a stream, and for a name that a cause cannot contain.
  var name: String? {
    let name = String(path.split(separator: "/").last ?? "")
    return path == "-" || path.hasPrefix("/dev/") || !Cause.isLabel(name) ? nil : name
  }

  private enum Content {
    case lines(LineFile)
    case table([JSON])
  }

  /// The maximum size of a table in bytes, which is read into memory. Lines of JSON have no limit.
  private static let largestTable = 64 << 20

  /// Opens a file and checks all of it.
  ///
  /// - Parameters:
  ///   - choices: the meanings of columns of a table.
  ///   - mark: the decimal mark of the numbers; `nil` to find the mark from the numbers.
  ///   - addsAll: whether a row that repeats another row counts.
  /// - Throws: exit code 1 after printing the error with its line.
  init(_ path: String, _ choices: [ColumnChoice] = [], _ mark: DecimalMark? = nil, addsAll: Bool = false) throws {
    self.path = path
    do {
      let file = try Self.file(path)
      if let table = try Self.table(in: file, choices, mark, addsAll: addsAll) {
        (content, bindings, format, leftOut) = (.table(table.entries), nil, table.format, table.leftOut)
        (isOfMidnights, isOfSums, doubts) = (table.isOfMidnights, table.isOfSums, table.doubts)
        return
      }
      guard choices.isEmpty, mark == nil else {
        throw Fault(line: 1, reason: "it is an export, whose entries have no columns")
      }
      (content, format, leftOut, isOfMidnights, isOfSums, doubts) = (.lines(file), nil, [], false, false, Doubts())
      var bindings: String?
      try Self.forEachEntry(of: file) { _ in
      } bindings: {
        bindings = $0
      }
      self.bindings = bindings
    } catch {
      throw Self.refusal(path, error)
    }
  }

  /// Calls the body for each entry, in the form of the core.
  func forEachEntry(_ body: (JSON) throws -> Void) throws {
    switch content {
    case .table(let entries): for entry in entries { try body(entry) }
    case .lines(let file): try Self.forEachEntry(of: file, body) { _ in }
    }
  }

  /// The name of a counter that an entry defines; `nil` for other entries and a removed counter.
  static func counter(in entry: JSON) -> String? {
    guard let counter = entry.object?["counter"]?.object, counter["removed"]?.bool != true else { return nil }
    return counter["name"]?.string
  }

  /// The name and the expression of a formula that an entry defines; `nil` for other entries and a removed formula.
  static func formula(in entry: JSON) -> (name: String, text: String)? {
    guard let formula = entry.object?["formula"]?.object, formula["removed"]?.bool != true,
      let name = formula["name"]?.string, let text = formula["formula"]?.string
    else { return nil }
    return (name, text)
  }

  /// The maximum size of a copied pipe in bytes, the same as that of the events that a core accepts.
  private static let largestCopy = 8 << 30

  /// The file at a path; a copy if it can be read only once, such as a pipe or a terminal.
  ///
  /// - Throws: ``Unreadable`` for a device and for a pipe with too much data, `SystemError`.
  private static func file(_ path: String) throws -> LineFile {
    let path = path == "-" ? "/dev/stdin" : path
    if let file = try LineFile(path: path) { return file }
    guard FileContent.isStreamThatEnds(path) else {
      throw Unreadable(description: "It is a device; tally reads files, pipes and terminals.")
    }
    let copy = try TemporaryFile(in: ServiceProcess.environment("TMPDIR") ?? "/var/tmp")
    try FileContent.forEachPortion(of: path) { portion throws(SystemError) in
      try copy.append(portion)
      return copy.count <= largestCopy
    }
    guard copy.count <= largestCopy else { throw Unreadable(description: "It has more than \(largestCopy >> 30) GiB.") }
    try copy.flush()
    return copy.lines
  }

  /// The first line with a text; `nil` for an empty file.
  private static func firstLine(_ file: LineFile) throws -> String? {
    struct Found: Error { let line: String }
    do {
      try file.forEachLine(longest: largestTable) { line in
        let text = String(decoding: line, as: UTF8.self)
        if text.contains(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) { throw Found(line: text) }
      }
    } catch let found as Found {
      return String(found.line.trimmingPrefix("\u{FEFF}"))
    }
    return nil
  }

  /// The table in a file: CSV, or lines of JSON of another program.
  ///
  /// - Returns: `nil` for lines of the core and of tally.
  static func table(
    in file: LineFile, _ choices: [ColumnChoice], _ mark: DecimalMark? = nil, addsAll: Bool = false
  ) throws -> Table? {
    let first = try firstLine(file)?.trimmed ?? ""
    guard first.hasPrefix("{") else {
      guard !first.hasPrefix("[") else {
        throw Fault(
          line: 1, reason: "it is a list; tally reads one JSON object a line, as jq -c '.[]' writes them")
      }
      guard first.prefixMatch(of: /<[!?a-zA-Z]/) == nil else {
        throw Fault(
          line: 1,
          reason: "it is HTML or XML, not a table; it may be a sign-in page. Download the table itself, or save it as "
            + "“CSV UTF-8”")
      }
      return try table(CSV.table(text(file)), choices, mark, addsAll: addsAll)
    }
    guard let object = (try? JSON(parsing: first))?.object, !isOwn(object) else { return nil }
    var (objects, size, number) = ([(line: Int, members: JSONObject)](), 0, 0)
    try file.forEachLine { line in
      number += 1
      size += line.count
      guard size <= largestTable else {
        throw Fault(line: number, reason: "the table has more than \(largestTable >> 20) MB")
      }
      if let json = try json(line, number) {
        guard let object = json.object else { throw Fault(line: number, reason: "it is not an object") }
        objects.append((number, object))
      }
    }
    return try table(objects, choices, mark, addsAll: addsAll)
  }

  /// Whether an object is an entry of the core, or a counter or a formula as printed by tally.
  private static func isOwn(_ object: JSONObject) -> Bool {
    if object.count <= 1 { return isEntry(object) }
    if object["kind"]?.string == "formula" { return object["formula"]?.string != nil }
    return object.count > 3 && object["name"]?.string != nil && object["title"]?.string != nil
      && object["value"]?.int != nil
  }

  /// Whether an object with one member may be an entry: those that are no version and no bindings have members.
  private static func isEntry(_ object: JSONObject) -> Bool {
    object.count == 1
      && object.allSatisfy { ["tallymark", "bindings"].contains($0.key) || $0.value.object != nil }
  }

  static func repetition(of name: String, since line: Int) -> String {
    "“\(name.shortened)” stands on line \(line) too; a counter can have one value only"
  }

  /// The value in a line; `nil` for an empty line.
  private static func json(_ line: ArraySlice<UInt8>, _ number: Int) throws -> JSON? {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Fault(line: number, reason: "it is not UTF-8")
    }
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do {
      return try JSON(parsing: number == 1 ? String(text.trimmingPrefix("\u{FEFF}")) : text)
    } catch {
      throw Fault(
        line: number, reason: "it is not JSON (\(error)); tally reads one JSON object a line, as jq -c . writes them")
    }
  }

  private static func text(_ file: LineFile) throws -> String {
    var bytes: [UInt8] = []
    try file.forEachLine(longest: largestTable) { line in
      guard bytes.count + line.count <= largestTable else {
        throw Fault(line: 1, reason: "the table has more than \(largestTable >> 20) MB")
      }
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
    }
    guard !bytes.starts(with: "SQLite format 3".utf8) else {
      throw Fault(line: 1, reason: "the file is a backup, which replaces a whole journal: tally restore FILE")
    }
    let workbooks: [[UInt8]] = [Array("PK\u{3}\u{4}".utf8), [0xD0, 0xCF, 0x11, 0xE0]]
    guard !workbooks.contains(where: bytes.starts(with:)) else {
      throw Fault(line: 1, reason: "the file is a workbook of a spreadsheet program; save its sheet as “CSV UTF-8”")
    }
    if let text = utf16(bytes) { return text }
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) { return text }
    let zeros = [0, 1].map { side in stride(from: side, to: bytes.count, by: 2).count { bytes[$0] == 0 } }
    if let most = zeros.max(), most * 4 > bytes.count, zeros.contains(where: { $0 * 8 < most }) {
      throw Fault(
        line: 1,
        reason: "it is UTF-16 without a byte order mark. Save the file as “CSV UTF-8”, or convert it: iconv -f "
          + "UTF-16\(zeros[0] < zeros[1] ? "LE" : "BE") -t UTF-8")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil } ?? 0
    throw Fault(
      line: line + 1,
      reason: "it is not UTF-8. Save the file as “CSV UTF-8”, or convert it: iconv -f WINDOWS-1252 -t UTF-8")
  }

  /// The text of a file in UTF-16 with a byte order mark, as spreadsheets write “Unicode text”; `nil` for other files.
  private static func utf16(_ bytes: [UInt8]) -> String? {
    guard bytes.count > 1, [[0xFF, 0xFE], [0xFE, 0xFF]].contains(bytes.prefix(2)) else { return nil }
    let low = bytes[0] == 0xFF ? 0 : 1
    // The byte after the last pair is the line end that was added.
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + 1 - low]) << 8 | UInt16(bytes[$0 + low])
    }
    return String(validating: units, as: UTF16.self)
  }

  static func forEachEntry(
    of file: LineFile, _ body: (JSON) throws -> Void, bindings: (String) -> Void
  ) throws {
    var number = 0
    var completeness = Completeness()
    let definitions = ValueDefinitions()
    var lines: [String: Int] = [:]
    try file.forEachLine { line in
      number += 1
      guard let json = try json(line, number), let entry = try completeness.checked(json, line: number) else { return }
      if let text = entry.object?["bindings"]?.string { return bindings(text) }
      do {
        guard let (name, entries) = values(entry, number, definitions) else {
          guard entry.object.map(isEntry) ?? false else {
            throw Fault(
              line: number,
              reason: "it is no entry of an export, and no counter with a “name” and a whole number as its “value”. "
                + "Correct it, or leave it out")
          }
          return try body(past(ExchangeTime.counted(entry), number))
        }
        if let line = lines.updateValue(number, forKey: name) {
          throw Fault(line: number, reason: repetition(of: name, since: line))
        }
        for entry in entries { try body(entry) }
      } catch let error as TimeError {
        throw Fault(line: number, reason: error.message)
      }
    }
    try completeness.finish(line: number)
  }

  static func refusal(_ path: String, _ error: any Error) -> ExitCode {
    let reason =
      switch error {
      case let error as Fault: "Line \(error.line): \(error.reason).".withOneStop
      case let error as CSV.SyntaxError: "Line \(error.line): \(error.reason).".withOneStop
      case let error as SystemError: "\(SystemError.reason(error.code))."
      default: "\(error)"
      }
    Output.complain("\(path): \(reason) Nothing was imported.")
    return CoreClient.refused
  }

  private struct Unreadable: Error, CustomStringConvertible { let description: String }

  struct Fault: Error {
    let line: Int
    let reason: String
  }

  /// Converts a counter or a formula in the format of “tally show --json” to the entries that define it; for a counter
  /// also the entry that sets its value if it exists.
  private static func values(
    _ json: JSON, _ number: Int, _ definitions: ValueDefinitions
  ) -> (name: String, entries: [JSON])? {
    guard let object = json.object, let name = object["name"]?.string else { return nil }
    if object["kind"]?.string == "formula" {
      guard object["formula"]?.string != nil else { return nil }
      return (name, definitions.entries(ofFormula: object, group: object["group"]?.string, line: number))
    }
    guard object["value"]?.int != nil else { return nil }
    let line = CounterLine(.init(object))
    let unit = line.isStopwatch ? Unit.decimal(6) : line.unit
    var value: JSONObject = ["name": .string(name), "value": .string(unit.text(line.shown))]
    if line.title != name, !line.title.isEmpty { value["title"] = .string(line.title) }
    var settings = object
    settings["value"] = .int(line.shown)
    let set: JSON = ["value": .object(value)]
    return (name, definitions.counter(settings, group: line.group, line: number) + [set.stating(line: number)])
  }

  /// Returns the entry with its line, unless it is a count or a value in the future.
  ///
  /// - Throws: a ``Fault`` for a time in the future, which “tally add --at” refuses as well.
  static func past(_ entry: JSON, _ number: Int) throws(Fault) -> JSON {
    let object = (entry.object?["count"] ?? entry.object?["value"])?.object
    guard let time = object?["time"]?.int, time > Clock.microsecondsSince1970() else {
      return entry.stating(line: number)
    }
    let moment = LocalTime(microseconds: time)
    throw Fault(
      line: number,
      reason: "\(moment.day) \(moment.clock) is in the future; a count must have a time that has passed")
  }
}

extension JSON {
  /// An entry with its line of the file, which errors of the core name.
  func stating(line: Int) -> JSON {
    guard let (kind, value) = object?.first(where: { _ in true }), var members = value.object else { return self }
    members["line"] = .int(Int64(line))
    return [kind: .object(members)]
  }
}

extension String {
  /// The text without a doubled full stop at its end: the reason of an error may itself end with a full stop.
  fileprivate var withOneStop: String { hasSuffix("..") ? String(dropLast()) : self }
}
