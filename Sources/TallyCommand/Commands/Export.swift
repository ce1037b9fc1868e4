import ArgumentParser
import Varlink

/// `tally export`: values or events for other programs.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Write values, or every event, as CSV (RFC 4180) or lines of JSON; tally import reads them back.",
    discussion: """
      With --events everything is written that there is: read into an empty core it gives the same counters and the same
      history. In CSV the column “record” holds what the others leave out.
      Example: tally export --csv > counts.csv
      Example: tally export --csv --events -o everything.csv
      """)

  @Flag(help: "As CSV: UTF-8, with a header, times in ISO 8601 with the offset.") var csv = false
  @Flag(help: "Every event instead of the values.") var events = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to; without it standard output.", valueName: "file"),
    completion: .file())
  var output = "-"
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if csv == options.json { throw ValidationError("Either --csv or --json.") }
  }

  func run() throws {
    let core = try CoreClient(options)
    let lines = events ? try history(core) : try values(core)
    let end = csv ? "\r\n" : "\n"
    try OutputFile.write(lines.map { $0 + end }.joined(), to: output)
  }

  private func values(_ core: CoreClient) throws -> [String] {
    let counters = CounterLine.all(of: try core.call("List"))
    guard csv else { return counters.map(\.json.description) }
    return [CSV.line(["name", "title", "value", "group"])]
      + counters.map { CSV.line([$0.name, $0.title, $0.format.plain($0.value), $0.group ?? ""]) }
  }

  private func history(_ core: CoreClient) throws -> [String] {
    var lines = csv ? [CSV.line(Self.columns)] : []
    try core.eachArchiveLine(withHistory: true) { line in
      let spelt = ExchangeTime.spelt(line)
      lines.append(csv ? Self.row(spelt) : spelt.description)
    }
    return lines
  }

  private static let columns = [
    "sequence", "time", "counter", "kind", "change", "value", "undoes", "producer", "device",
    "gesture", "note", "record",
  ]

  private static func row(_ line: JSON) -> String {
    let event = line.object?["event"]?.object
    let fields = columns.dropLast().map { name in
      event?[name].map { $0.string ?? ($0.int.map(String.init) ?? "") } ?? ""
    }
    return CSV.line(fields + [line.description])
  }
}

/// `tally import`: takes in what an export, or another counter, wrote.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take in an export, or a table of another counter: names with values, or times.",
    discussion: """
      What was taken in before is recognised and not counted again. All of the file is taken in, or nothing; it may have
      12 MB, which are some 40,000 events, and more goes by tally backup and tally restore. A table may be separated by commas, semicolons or tabs; its first line may name the columns: name, value, title, time, amount.
      Example: tally import counts.csv --dry-run
      """)

  @Argument(help: "The file; “-” reads standard input.", completion: .file()) var file: String
  @Flag(help: "Only say what would change.") var dryRun = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let lines = try ImportFile(file).lines
    try CoreClient(options).take(lines, clash: "merge", dryRun: dryRun, options)
  }
}
