import ArgumentParser
import Platform
import Varlink

/// `tally show`: how the counters stand, or stood.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counters and formulas, or all of them with their groups, goals and what the last hour brought.",
    discussion: """
      The mark ▸ is at the current counter: the one that gestures count when they name none.
      Example: tally show people dogs --json
      Example: tally show people --at 14:05
      """)

  @OptionGroup var choice: CounterChoice
  @Option(help: ArgumentHelp("How they stood then: 14:05, yesterday 9:00, 2026-11-21.", valueName: "time"))
  var at: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    if let at { return try showPast(core, TimeSpan.moment(at)) }
    let list = try core.call("List")
    let known = FormulaLine.all(of: list)
    if let trouble = list["trouble"]?.string { Output.complain("The last change could not be kept. \(trouble)") }
    let isWhole = choice.names.isEmpty && choice.group == nil
    let formulas = isWhole ? known : known.filter { choice.names.contains($0.name) }
    var rest = choice
    rest.names.removeAll { name in formulas.contains { $0.name == name } }
    let counters = rest.names.isEmpty && !choice.names.isEmpty ? [] : try rest.counters(core)
    if options.json {
      for counter in counters { Output.line(counter.json.description) }
      for formula in formulas { Output.line(formula.json.description) }
    } else if counters.isEmpty, formulas.isEmpty {
      for line in Self.firstSteps { Output.line(line) }
    } else {
      let shown = choice.names.isEmpty ? counters.filter { !$0.isArchived } : counters
      if !shown.isEmpty {
        let overview = try Overview(core, shown, width: Terminal.room, now: Clock.microsecondsSince1970())
        for line in overview.lines() { Output.line(line) }
      }
      for line in shown.isEmpty ? FormulaLine.table(formulas) : FormulaLine.section(formulas) { Output.line(line) }
    }
  }

  /// What somebody does first who has no counter yet.
  static let firstSteps = [
    "There is no counter yet. Make one: tally new people",
    "Or let “tally guide” make one with you, and bind a device to it.",
  ]

  private func showPast(_ core: CoreClient, _ time: Int64) throws {
    let known = CounterLine.all(of: try core.call("List"))
    var parameters = try choice.parameters(core)
    parameters["time"] = .int(time)
    let moment = LocalTime(microseconds: time)
    let values = (try core.call("Past", parameters)["values"]?.array ?? []).map { $0.object ?? [:] }
    let lines = values.map { value in
      let name = value["name"]?.string ?? ""
      let format = known.first { $0.name == name }?.format ?? ValueText()
      return (name, value["value"]?.int, value["value"]?.int.map { format.text($0) } ?? "–")
    }
    let width = lines.map(\.2.columns).max() ?? 0
    if !options.json { Output.line(Output.styled("\(moment.day) \(moment.clock)", .faint)) }
    for (name, value, text) in lines {
      if options.json {
        let object: JSON = [
          "name": .string(name), "value": value.map(JSON.int) ?? .null, "time": .string(moment.iso8601),
        ]
        Output.line(object.description)
      } else {
        Output.line("\(Output.styled(text.padded(to: width, onLeft: true), .bold))  \(name)")
      }
    }
  }
}
