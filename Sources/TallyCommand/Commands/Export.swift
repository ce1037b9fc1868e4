import ArgumentParser
import CountersAPI
import Counting
import Plots
import Varlink

/// `tally export`: writes values or events for other programs.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Write values, or every event, as CSV (RFC 4180) or lines of JSON; tally import reads them back.",
    discussion: """
      With --events everything is written that there is: read into an empty core it gives the same counters and the same \
      history. In CSV the column “record” holds what the others leave out. Times of stopwatches are seconds (unit “s”). \
      Without -o the text goes to standard output.
      Example: tally export --csv > counts.csv
      Example: tally export --csv --events -o everything.csv
      """)

  @Flag(help: "Write CSV: UTF-8, with a header; times in ISO 8601 with the UTC offset.") var csv = false
  @Flag(help: "Write every event instead of the values.") var events = false
  @OptionGroup var destination: OutputOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if csv == options.json { throw ValidationError("Use either --csv or --json.") }
  }

  func run() throws {
    let core = try CoreClient(options)
    let file = try destination.output == nil ? OutputFile("-", replaces: false) : destination.file()
    let end = csv ? "\r\n" : "\n"
    if events {
      try history(core) { try file.append($0 + end) }
    } else {
      try file.append(values(core).map { $0 + end }.joined())
    }
    try file.finish()
  }

  private func values(_ core: CoreClient) throws -> [String] {
    let list = try core.call(.list)
    let (counters, formulas) = (list.counters.map(CounterLine.init), list.formulas.map(FormulaLine.init))
    guard csv else { return (counters.map(\.json) + formulas.map(\.json)).map(\.description) }
    let extra = formulas.isEmpty ? [] : ["formula", "display"]
    return [CSV.line(["name", "title", "value", "unit", "group"] + extra)]
      + counters.map {
        CSV.line(
          [$0.name, $0.title, Self.plain($0.shown, $0.unit), Self.name($0.unit), $0.group ?? ""] + extra.map { _ in "" }
        )
      }
      + formulas.map {
        CSV.line([
          $0.name, $0.title, $0.formula.value ?? "", ImportFile.formulaUnit, $0.group ?? "", $0.formula.formula,
          $0.display,
        ])
      }
  }

  private func history(_ core: CoreClient, _ write: (String) throws -> Void) throws {
    if csv { try write(CSV.line(Self.columns)) }
    func put(_ entry: JSONObject) throws { try write(csv ? Self.row(entry) : JSON.object(entry).description) }
    var completeness = Completeness()
    try core.eachArchiveEntry(withHistory: true) { try put(completeness.written(ExchangeTime.spelt($0))) }
    try put(completeness.end)
  }

  private static let columns = [
    "sequence", "time", "counter", "kind", "change", "value", "undoes", "producer", "device",
    "gesture", "note", "unit", "record",
  ]

  /// A number as a decimal number of its unit.
  private static func plain(_ number: Int64, _ unit: Unit) -> String {
    unit == .time ? Unit.decimal(6).text(number) : unit.text(number)
  }

  /// “s” for seconds; empty for counts.
  private static func name(_ unit: Unit) -> String { unit == .time ? "s" : "" }

  private static func row(_ entry: JSONObject) -> String {
    let event = entry["event"]?.object
    let unit = Counters.Event(event ?? [:]).unit
    let fields = columns.dropLast().map { name in
      switch (name, event?[name]) {
      case ("unit", _): event == nil ? "" : Self.name(unit)
      case ("change", .int(let number)?), ("value", .int(let number)?): plain(number, unit)
      case (_, let value): value.map { $0.string ?? ($0.int.map(String.init) ?? "") } ?? ""
      }
    }
    return CSV.line(fields + [JSON.object(entry).description])
  }
}

/// `tally import`: reads an export, or a table of another program.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import an export, or a table of another counter: names with values, or times.",
    discussion: """
      All of the file is imported, or nothing; one undo takes it back. What was imported before is recognised and not \
      counted again. The limits, locks, periods and goals of the counters here apply. Exports of BetterCounter, Counter, \
      HabitBull, Loop Habit Tracker and Track & Graph are recognised, and named. Any other table has lines of CSV, separated \
      by commas, semicolons or tabs, or of JSON; its first line may name the columns. It may have a row for each value, for \
      each count, or for each day with a column for each counter. Times may be seconds or milliseconds since 1970. Nothing \
      is guessed: a column of unknown meaning is refused until --column says what it is. The meanings are \
      \(Meaning.explanation). Characters that a name cannot have become hyphens; two names that would become the same one \
      are refused, and so is an export of which a part is missing.
      Example: tally import counts.csv --dry-run
      Example: tally import walks.csv --column name=Dog --column amount=Km
      """)

  @Argument(help: "The file; “-” reads standard input.", completion: .file()) var file: String
  @Flag(help: "Only show what would change, with each value before and after.") var dryRun = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The meaning of a column, which is named by its header, or its number if there is none; may be repeated.",
      valueName: "meaning=column"))
  var column: [ColumnChoice] = []
  @OptionGroup var options: CommonOptions

  func run() throws {
    let file = try ImportFile(file, column)
    try CoreClient(options).importFile(file, clash: .merge, dryRun: dryRun, options)
  }
}
