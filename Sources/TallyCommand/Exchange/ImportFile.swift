import ArgumentParser
import Calendars
import CountersAPI
import Counting
import Platform
import Varlink

/// A file to import: entries as lines of JSON, or a table.
struct ImportFile {
  let path: String
  private let content: Content
  /// The bindings in the file.
  let bindings: String?

  private enum Content {
    case lines(LineFile)
    case table([JSON])
  }

  /// The maximum size of a table in bytes, which is read into memory. Lines of JSON have no limit.
  private static let largestTable = 64 << 20

  /// Opens a file and checks all of it.
  ///
  /// - Throws: exit code 1 after printing the error with its line.
  init(_ path: String) throws {
    self.path = path
    do {
      let file = try Self.file(path)
      guard try Self.isJSON(file) else {
        content = .table(try Self.table(CSV.records(Self.text(file))))
        bindings = nil
        return
      }
      content = .lines(file)
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

  /// The maximum size of what a pipe sends in bytes, as of the events that a core takes.
  private static let largestCopy = 8 << 30

  /// The file at a path; a copy if it can be read only once, such as a pipe or a terminal.
  ///
  /// - Throws: ``Unreadable`` for a device and for a pipe that sends too much, `SystemError`.
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

  private static func isJSON(_ file: LineFile) throws -> Bool {
    struct Found: Error { let isJSON: Bool }
    do {
      try file.forEachLine(longest: largestTable) { line in
        let text = String(decoding: line.prefix(256), as: UTF8.self).unicodeScalars
        guard let first = text.first(where: { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }) else { return }
        throw Found(isJSON: first == "{")
      }
    } catch let found as Found {
      return found.isJSON
    }
    return false
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
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(line: 1, reason: "the file is not UTF-8")
    }
    return text
  }

  private static func forEachEntry(
    of file: LineFile, _ body: (JSON) throws -> Void, bindings: (String) -> Void
  ) throws {
    var number = 0
    let definitions = ValueDefinitions()
    try file.forEachLine { line in
      number += 1
      guard let text = String(validating: line, as: UTF8.self) else {
        throw Fault(line: number, reason: "it is not UTF-8")
      }
      guard text.contains(where: { !$0.isWhitespace }) else { return }
      switch try entry(text, number: number, definitions) {
      case .bindings(let text): bindings(text)
      case .entries(let entries): for entry in entries { try body(entry) }
      }
    }
  }

  private enum Line {
    case entries([JSON])
    case bindings(String)
  }

  private static func entry(_ text: String, number: Int, _ definitions: ValueDefinitions) throws -> Line {
    do {
      let json = try JSON(parsing: number == 1 ? String(text.trimmingPrefix("\u{FEFF}")) : text)
      if let text = json.object?["bindings"]?.string { return .bindings(text) }
      return .entries(try values(json, definitions) ?? [past(ExchangeTime.counted(json), number)])
    } catch let error as TimeError {
      throw Fault(line: number, reason: error.message)
    } catch let error as JSON.SyntaxError {
      throw Fault(line: number, reason: "it is not JSON (\(error))")
    }
  }

  private static func refusal(_ path: String, _ error: any Error) -> ExitCode {
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

  /// The entries of a text with lines of JSON or a table. For tests.
  static func entries(_ text: String) throws -> (entries: [JSON], bindings: String?) {
    let file = try TemporaryFile(in: "/tmp")
    try file.append(text.utf8)
    try file.flush()
    guard try isJSON(file.lines) else { return (try table(CSV.records(text)), nil) }
    var (entries, bindings) = ([JSON](), String?.none)
    try forEachEntry(of: file.lines) {
      entries.append($0)
    } bindings: {
      bindings = $0
    }
    return (entries, bindings)
  }

  /// A counter in the format of “tally show --json” becomes a value entry, after those that define it.
  private static func values(_ json: JSON, _ definitions: ValueDefinitions) -> [JSON]? {
    if let formula = json.object, formula["kind"]?.string == "formula", formula["formula"]?.string != nil {
      return definitions.entries(ofFormula: formula, group: formula["group"]?.string)
    }
    guard let object = json.object, let name = object["name"]?.string, object["value"]?.int != nil else { return nil }
    let line = CounterLine(.init(object))
    let unit = line.isStopwatch ? Unit.decimal(6) : line.unit
    var entry: JSONObject = ["name": .string(name), "value": .string(unit.text(line.shown))]
    let title = line.title == name ? nil : line.title
    if let title { entry["title"] = .string(title) }
    return definitions.entries(
      name: name, title: title, group: line.group, isStopwatch: line.isStopwatch,
      decimals: Int(clamping: min(9, max(0, line.decimals)))) + [.object(["value": .object(entry)])]
  }

  /// The entry, unless it is a count that has not happened yet.
  ///
  /// - Throws: a ``Fault`` for a time in the future, which “tally add --at” refuses as well.
  static func past(_ entry: JSON, _ number: Int) throws(Fault) -> JSON {
    guard let time = entry.object?["count"]?.object?["time"]?.int, time > Clock.microsecondsSince1970() else {
      return entry
    }
    let moment = LocalTime(microseconds: time)
    throw Fault(
      line: number,
      reason: "\(moment.day) \(moment.clock) is in the future; a count must have a time that has passed")
  }

  /// A valid counter name from any text: other characters become a hyphen, and “counter” stands for a text without any
  /// letter.
  static func name(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(CounterName.longest) {
      if CounterName.allows(scalar) { name.append(scalar) } else if name.last != "-" { name.append("-") }
    }
    let marks = "-_.".unicodeScalars
    while let first = name.first, marks.contains(first) { name.removeFirst() }
    while name.last == "-" { name.removeLast() }
    let result = String(name)
    if (try? CounterName(result)) != nil { return result }
    // Digits alone are no name.
    return result.isEmpty ? "counter" : "counter-\(String(name.prefix(CounterName.longest - 8)))"
  }
}

extension String {
  /// Without a second full stop at its end: the reason of an error may end with one.
  fileprivate var withOneStop: String { hasSuffix("..") ? String(dropLast()) : self }
}
