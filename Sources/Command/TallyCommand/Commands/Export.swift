import ArgumentParser
import CoreAPI
import Counting
import JSON
import Reports

/// `tally export`: writes values or events for other programs.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Write values or events, as CSV for spreadsheets (RFC 4180), or as lines of JSON.",
    discussion: """
      tally import reads values back, with the settings of the counters. With --json --events everything is written that \
      there is: read into an empty core it gives the same counters and the same history. With --csv --events each row is an \
      event of a counter; --from, --until, names and --group choose them as in tally history. In CSV, times of stopwatches are seconds \
      (unit “s”). Without -o the text goes to standard output.
      Example: tally export --csv > counts.csv
      Example: tally export --csv --events --group venue --from 2026-11-23 -o week.csv
      Example: tally export --json --events -o everything.json
      """)

  @Flag(help: "Write CSV: UTF-8, with a header; times in ISO 8601 with the UTC offset.") var csv = false
  @Flag(help: "Write events instead of the values.") var events = false
  @OptionGroup var choice: CounterChoice
  @OptionGroup var span: TimeSpan
  @OptionGroup var destination: OutputOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if csv == options.json { throw ValidationError("Use either --csv or --json.") }
    let isOfTime = span.from != nil || span.until != nil
    if isOfTime, !events {
      throw ValidationError("Values are those of now. --from and --until can only be used with --csv --events.")
    }
    if events, options.json, isOfTime || !choice.names.isEmpty || choice.group != nil {
      throw ValidationError(
        "--json --events writes everything, to be read back whole. For some counters or a time: --csv --events, or tally "
          + "history --all --json")
    }
  }

  func run() throws {
    let core = try CoreClient(options)
    let file = try destination.output == nil ? OutputFile("-", replaces: false) : destination.file()
    let end = csv ? "\r\n" : "\n"
    if events {
      try (csv ? table : archive)(core) { try file.append($0 + end) }
    } else {
      try file.append(values(core).map { $0 + end }.joined())
    }
    try file.finish()
  }

  private func values(_ core: CoreClient) throws -> [String] {
    let list = try core.call(choice.request)
    var formulas = list.formulas.map(FormulaLine.init).filter { formula in
      !choice.names.isEmpty || choice.group == nil || formula.group == choice.group
    }
    var counters = try choice.counters(core, of: list, canBeNone: true)
    try addLooksOfGroups(to: &counters, &formulas, core)
    let entries = counters.count + formulas.count
    guard csv else {
      return (counters.map(\.json) + formulas.map(\.json)).map { json in
        var object = json.object ?? [:]
        object["entries"] = .int(Int64(entries))
        return JSON.object(object).description
      }
    }
    let settings = SettingColumn.allCases.filter { column in
      counters.enumerated().contains { column.text(of: $1, isFirst: $0 == 0) != nil }
        || formulas.contains { column.text(of: $0) != nil }
    }
    let extra = formulas.isEmpty ? [] : ["formula", "display"]
    let end = entries == 0 ? [] : ["entries"]
    var rows = [["name", "title", "value", "unit", "group"] + settings.map(\.header) + extra + end]
    for (index, counter) in counters.enumerated() {
      rows.append(
        [
          counter.name, counter.title, CSV.number(counter.shown, counter.unit), Self.name(counter.unit),
          counter.group ?? "",
        ] + settings.map { $0.text(of: counter, isFirst: index == 0) ?? "" } + extra.map { _ in "" } + ["\(entries)"])
    }
    for formula in formulas {
      rows.append(
        [
          formula.name, formula.title, formula.formula.value ?? "", ImportFile.formulaUnit, formula.group ?? "",
        ] + settings.map { $0.text(of: formula) ?? "" } + [formula.formula.formula, formula.display, "\(entries)"])
    }
    return rows.map(CSV.line)
  }

  /// Adds the looks of each group to its first counter, or else to its first formula.
  private func addLooksOfGroups(
    to counters: inout [CounterLine], _ formulas: inout [FormulaLine], _ core: CoreClient
  ) throws {
    guard counters.contains(where: { $0.group != nil }) || formulas.contains(where: { $0.group != nil }) else { return }
    var looks = Dictionary(try core.call(.groups).groups.map { ($0.name, Group.members(of: $0)) }) { first, _ in first }
    for place in counters.indices {
      let found = counters[place].group.flatMap { looks.removeValue(forKey: $0) } ?? [:]
      for (member, value) in found { counters[place].counter.object[member] = value }
    }
    for place in formulas.indices {
      var formula = formulas[place].formula
      let found = formula.group.flatMap { looks.removeValue(forKey: $0) } ?? [:]
      for (member, value) in found { formula.object[member] = value }
      formulas[place] = FormulaLine(formula)
    }
  }

  /// Every entry, for tally import.
  private func archive(_ core: CoreClient, _ write: (String) throws -> Void) throws {
    var completeness = Completeness()
    try core.eachArchiveEntry(withHistory: true) {
      try write(JSON.object(completeness.written(ExchangeTime.spelt($0))).description)
    }
    try write(JSON.object(completeness.end).description)
  }

  /// The events as a table, for spreadsheets.
  private func table(_ core: CoreClient, _ write: (String) throws -> Void) throws {
    let (from, until) = try span.moments(core, choice)
    let filter = Counters.EventFilter(counters: try choice.namesEver(core), from: from, until: until)
    try write(CSV.line(KnownFormat.eventColumns))
    try core.eachEvent(filter) {
      // A change of a group or a formula, or of all counters, has no value.
      for event in $0 where !event.counter.isEmpty { try write(Self.row(event)) }
    }
  }

  /// “s” for seconds; empty for counts.
  private static func name(_ unit: Unit) -> String { unit == .time ? "s" : "" }

  private static func row(_ event: Counters.Event) -> String {
    CSV.line([
      "\(event.sequence)", LocalTime(microseconds: event.time).iso8601, event.counter, event.kind,
      CSV.number(event.change, event.unit), CSV.number(event.value, event.unit), event.undoes.map { "\($0)" } ?? "",
      event.cause.producer, event.cause.device ?? "", event.cause.gesture ?? "", event.note ?? "", name(event.unit),
    ])
  }
}

/// `tally import`: reads an export, or a table of another program.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import an export, or a table of another counter: names with values, or times.",
    discussion: """
      All of the file is imported, or nothing; one undo takes it back. What was imported before is recognised and not \
      counted again; where the file has another amount for the same counter and time now, nothing is imported until \
      --again says whether it replaces the earlier one. The limits, locks, periods and goals of the counters here \
      apply. A value, unlike a count, replaces the present value of its counter, also one of an older export: the \
      counts since then are left out. Exports of BetterCounter, Counter, HabitBull, Loop Habit Tracker and Track & \
      Graph are recognised, and named. Any other table has lines of CSV, separated by commas, semicolons, tabs or \
      vertical bars, or of JSON; its first line may name the columns. It may have a row for each value, for each \
      count, or for each day with a column for each counter. Times may be seconds or milliseconds since 1970. Nothing \
      is guessed: a column of unknown meaning, or with a name like Total, Target or Week, is refused until --column says \
      what it is. The meanings are \
      \(Meaning.explanation). Characters that a name cannot have become hyphens; two names that would become the same \
      one are refused, and so is an export of which a part is missing. Numbers may be like 1,234.5 or 1.234,5, but not \
      both in one column; where nothing in a table tells 1,234 from 1.234, --decimal-mark does.
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
  @Option(
    help: ArgumentHelp(
      "The decimal mark of the numbers in a table, point or comma; default: the one that all numbers of a column have.",
      valueName: "mark"))
  var decimalMark: DecimalMark?
  @Option(
    help: ArgumentHelp(
      "The treatment of another amount for a counter and time than an earlier import brought: replace, or add, which "
        + "counts all rows of the file, also those that repeat another one or are here already.",
      valueName: "treatment"))
  var again: AgainChoice?
  @OptionGroup var options: CommonOptions

  enum AgainChoice: String, CaseIterable, ExpressibleByArgument { case replace, add }

  func run() throws {
    let file = try ImportFile(file, column, decimalMark, addsAll: again == .add)
    let again = again.flatMap { Counting.Archive.Count.Again(rawValue: $0.rawValue) }
    try CoreClient(options).importFile(file, clash: .merge, again: again, dryRun: dryRun, options)
  }
}
