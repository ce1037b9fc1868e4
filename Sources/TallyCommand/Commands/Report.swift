import ArgumentParser
import Platform
import Varlink

/// `tally report`: what a person sends to others.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the counts as one pastes them into a message: count first, a line each.",
    discussion: """
      Example: tally report kids adults
      Example: tally report --group playground --long --mail
      """)

  @OptionGroup var choice: CounterChoice
  @Flag(help: "With titles, goals, and when it was counted first and last.") var long = false
  @Flag(help: "Begin a mail with it, in the mail program that the desktop uses.") var mail = false
  @Flag(help: "Put it into the clipboard.") var copy = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if mail, copy { throw ValidationError("Either --mail or --copy.") }
    if options.json { throw ValidationError("A report is for people; programs ask tally show --json.") }
  }

  func run() throws {
    let core = try CoreClient(options)
    let counters = try choice.counters(core).filter { !$0.isArchived || !choice.names.isEmpty }
    guard !counters.isEmpty else { throw ValidationError("There is no counter to report.") }
    let lines = try long ? longLines(counters, core) : counters.map(Self.line)
    if mail { return try Mail.begin(subject: subject(counters), lines.joined(separator: "\n") + "\n") }
    if copy { return try Clipboard.put(lines.joined(separator: "\n") + "\n") }
    for line in lines { Output.line(line) }
  }

  private static func line(_ counter: CounterLine) -> String { "\(counter.text) \(counter.name)" }

  private func subject(_ counters: [CounterLine]) -> String {
    choice.group ?? counters.prefix(3).map(Self.line).joined(separator: ", ") + (counters.count > 3 ? ", …" : "")
  }

  private func longLines(_ counters: [CounterLine], _ core: CoreClient) throws -> [String] {
    let now = LocalTime(microseconds: Clock.microsecondsSince1970())
    var lines = ["\(choice.group ?? "Counts"), \(now.day) \(now.clock.prefix(5))"]
    let groups = choice.group == nil ? try Overview.groups(core, counters) : []
    for counter in counters where groups.isEmpty || counter.group == nil { lines += try details(counter, core) }
    for group in groups {
      let members = counters.filter { $0.group == group.name }
      if !members.isEmpty { lines += ["", group.title.printable] }
      for counter in members { lines += try details(counter, core) }
    }
    guard choice.names.isEmpty, choice.group == nil else { return lines }
    return lines + FormulaLine.section(FormulaLine.all(of: try core.call("List")), width: .max)
  }

  private func details(_ counter: CounterLine, _ core: CoreClient) throws -> [String] {
    var line = Self.line(counter)
    if counter.title != counter.name { line += " – \(counter.title.printable)" }
    if let target = counter.target, let percent = counter.percent {
      let left = counter.object["progress"]?.object?["left"]?.int ?? 0
      line += ", goal \(counter.format.text(target)): \(percent) %"
      line += left > 0 ? ", \(counter.format.text(left)) left" : ", reached"
    }
    if counter.isRunning { line += ", running" }
    let found = try core.call("Statistics", ["counter": .string(counter.name)])
    if let first = found["first"]?.int, let last = found["last"]?.int {
      line += ", from \(Self.time(first)) to \(Self.time(last))"
    }
    return [line] + (counter.note.map { ["   \($0.printable)"] } ?? [])
  }

  private static func time(_ moment: Int64) -> String {
    let time = LocalTime(microseconds: moment)
    return "\(time.day) \(time.clock.prefix(5))"
  }
}
