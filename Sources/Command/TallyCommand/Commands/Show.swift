import ArgumentParser
import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// `tally show`: shows the values of counters, now or at a time.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Show counters and formulas with groups, goals and the counts of the last hour; or one with its settings.",
    discussion: """
      The mark ▸ is at the current counter, which gestures count when they name none. With the name of one counter or formula \
      its settings are shown as well. The counts of the last hour are shown once they cover ten minutes. Archived counters are \
      only shown by name or with --archived.

      With --json each counter is a line with the members of the type Counter (man 7 org.tallymark.Counters), but the value of a \
      running stopwatch is its present reading, and times are texts.
      Examples:
        tally show people
        tally show people dogs --json
        tally show people --at 14:05  (as counted until now)
        tally show --tag door  (also: tally --tag door)
      """)

  @OptionGroup var choice: CounterChoice
  @Option(help: ArgumentHelp("Show the values at this time: 14:05, yesterday 9:00, 2026-11-21.", valueName: "time"))
  var at: String?
  @Option(help: ArgumentHelp("Only counters with this tag.", valueName: "tag")) var tag: String?
  @Flag(help: "Only archived counters.") var archived = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    if let at { return try showPast(core, at) }
    let list = try core.call(choice.request)
    let known = list.formulas.map(FormulaLine.init)
    if let trouble = list.trouble { Output.complain("The last change could not be stored. \(trouble)") }
    let isWhole = choice.names.isEmpty && choice.group == nil
    let formulas = known.filter { formula in
      if !choice.names.isEmpty { return true }
      return tag == nil && formula.isArchived == archived && (isWhole || formula.group == choice.group)
    }
    var counters = try choice.counters(core, of: list, canBeNone: !formulas.isEmpty)
    let all = counters
    if let tag { counters = counters.filter { $0.tags.contains(tag) } }
    if archived { counters = counters.filter(\.isArchived) }
    if options.json {
      for counter in counters { Output.line(counter.json.description) }
      for formula in formulas { Output.line(formula.json.description) }
    } else if counters.isEmpty, formulas.isEmpty {
      for line in all.isEmpty ? Self.firstSteps : [nothing(among: all)] { Output.line(line) }
    } else if choice.names.count == 1, let counter = counters.first {
      let sums = try CounterCard.sums(core, of: counter, now: Clock.microsecondsSince1970())
      for line in CounterCard(counter: counter, sums: sums, width: Terminal.room).lines() { Output.line(line) }
      EarlyEnd.remark(of: [counter.name], core.client)
    } else if choice.names.count == 1, let formula = formulas.first {
      let lack = try FormulaLine.lack(of: formula.formula, core)
      for line in formula.card(lack: lack, width: Terminal.room) { Output.line(line) }
    } else {
      let shown = choice.names.isEmpty && !archived ? counters.filter { !$0.isArchived } : counters
      if shown.isEmpty, formulas.isEmpty {
        let names = counters.map(\.name).joined(separator: ", ")
        let which = tag.map { "All counters with the tag “\($0)”" } ?? "All counters"
        return Output.line("\(which) are archived: \(names). Show them: tally show --archived")
      }
      var rest = formulas
      if !shown.isEmpty {
        let names = isWhole ? nil : shown.map(\.name)
        let lastHour = try Overview.lastHour(core, names, now: Clock.microsecondsSince1970())
        let groups = try Overview.groups(core, of: shown, formulas)
        var overview = Overview(shown, groups: groups, lastHour: lastHour, width: Terminal.room)
        overview.formulas = formulas
        for line in overview.lines() { Output.line(line) }
        rest = overview.otherFormulas
      }
      let isOverview = choice.names.isEmpty && !archived
      defer {
        sayArchived(
          isOverview ? counters.filter(\.isArchived) : [],
          isOverview && isWhole && tag == nil ? known.filter(\.isArchived).count : 0)
      }
      for line in shown.isEmpty ? FormulaLine.table(rest) : FormulaLine.section(rest) { Output.line(line) }
    }
  }

  /// Prints how to see the archived counters and formulas, which the overview leaves out.
  private func sayArchived(_ counters: [CounterLine], _ formulas: Int) {
    guard !counters.isEmpty || formulas > 0 else { return }
    func things(_ count: Int, _ word: String) -> String? {
      count == 0 ? nil : count == 1 ? "1 \(word)" : "\(count) \(word)s"
    }
    let subject =
      [things(counters.count, "counter"), things(formulas, "formula")].compactMap(\.self).joined(separator: " and ")
      + (counters.count + formulas == 1 ? " is" : " are")
    // The time of a running stopwatch grows, even if it is archived.
    let running = counters.filter(\.isRunning).map(\.name)
    let clocks = running.isEmpty ? "" : ", \(running.abridged()) still running"
    Output.line(Output.styled("\(subject) archived\(clocks): tally --archived", .faint))
  }

  /// The reason why no counter is shown.
  private func nothing(among all: [CounterLine]) -> String {
    guard let tag else { return "No counter is archived." }
    let tags = Set(all.flatMap(\.tags)).sorted()
    if archived, all.contains(where: { $0.tags.contains(tag) }) { return "No archived counter has the tag “\(tag)”." }
    return "No counter has the tag “\(tag)”." + (tags.isEmpty ? "" : " There are: \(tags.joined(separator: ", ")).")
  }

  /// Hints for users without a counter.
  static let firstSteps = [
    "There is no counter yet. Create one: tally new people",
    "Or use “tally guide” to create one and bind a device to it.",
  ]

  private func showPast(_ core: CoreClient, _ at: String) throws {
    let list = try core.call(.list)
    let time = try TimeSpan.moment(at, choice.days(of: list))
    guard time <= Clock.microsecondsSince1970() else {
      throw ValidationError("“\(at)” is in the future; values are known for a time that has passed.")
    }
    let moment = LocalTime(microseconds: time)
    let reply = try core.call(.past(counters: try choice.namesEver(core), time: time))
    let lines = list.counters.map(CounterLine.init)
    let formats = Dictionary(lines.map { ($0.name, $0.format) }) { first, _ in first }
    // Without names, archived ones are shown only with `--archived`.
    let isNamed = !choice.names.isEmpty
    let hidden = Set(
      list.counters.filter { $0.isArchived != archived }.map(\.name)
        + list.formulas.filter { $0.isArchived != archived }.map(\.name))
    let tagged = tag.map { tag in Set(lines.filter { $0.tags.contains(tag) }.map(\.name)) }
    let values = reply.values.filter { past in
      (isNamed || !hidden.contains(past.name)) && tagged?.contains(past.name) ?? true
    }
    let counters = values.map { past in
      let format = formats[past.name] ?? ValueText()
      var json: JSONObject = [
        "name": .string(past.name), "value": past.value.map(JSON.int) ?? .null, "time": .string(moment.iso8601),
      ]
      if let value = past.value, format.unit != .things { json["text"] = .string(format.unit.text(value)) }
      return (past.name, past.value.map { format.text($0) }, json)
    }
    let formulas = reply.formulas.filter { isNamed || tag == nil && !hidden.contains($0.name) }.map { past in
      var json: JSONObject = [
        "kind": "formula", "name": .string(past.name), "value": past.value.map(JSON.string) ?? .null,
        "time": .string(moment.iso8601),
      ]
      json["text"] = past.text.map(JSON.string)
      return (past.name, past.text.map(ValueText.localised), json)
    }
    if options.json {
      for (_, _, json) in counters + formulas { Output.line(json.description) }
      return
    }
    if counters.isEmpty, formulas.isEmpty, tag != nil {
      return Output.line(nothing(among: lines))
    }
    let rows = (counters + formulas).map { name, text, _ in (name: name, text: text ?? FormulaLine.noValue) }
    let titles = Dictionary(list.counters.map { ($0.name, $0.title) } + list.formulas.map { ($0.name, $0.title) }) {
      $1
    }
    let width = rows.map(\.text.columns).max() ?? 0
    Output.line(Output.styled("\(moment.second), as counted until now", .faint))
    for (name, text) in rows {
      let title = titles[name].flatMap { $0 == name ? nil : Output.styled("  \($0.printableLine)", .faint) } ?? ""
      Output.line("\(Output.styled(text.padded(to: width, onLeft: true), .bold))  \(name)\(title)")
    }
  }
}
