import ArgumentParser
import CoreAPI
import JSON
import Linux
import Reports
import Text
import Varlink

/// `tally report`: prints the values for a message.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a line with value and title for each counter and formula, to paste into a message.",
    discussion: """
      Example: tally report kids adults
      Example: tally report --group playground --long --mail
      Example: tally report kids --text
      """)

  @OptionGroup var choice: CounterChoice
  @Flag(help: "Add goals, notes, and the times of the first and the last count.") var long = false
  @Flag(help: "Start a mail with the report in the mail program of the desktop.") var mail = false
  @Flag(help: "Start a text message with the report, through a phone that the desktop is connected to.")
  var text = false
  @Flag(help: "Copy the report to the clipboard.") var copy = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    let ways = [mail, text, copy].filter(\.self).count
    if ways > 1 { throw ValidationError("Use only one of --mail, --text and --copy.") }
    if options.json, ways > 0 { throw ValidationError("Use --json without --mail, --text and --copy.") }
  }

  func run() throws {
    let core = try CoreClient(options)
    let list = try core.call(choice.request)
    let formulas = list.formulas.map(FormulaLine.init).filter { formula in
      !choice.names.isEmpty || !formula.isArchived && (choice.group == nil || formula.group == choice.group)
    }
    let counters = try choice.unarchived(core, of: list, canBeNone: !formulas.isEmpty)
    guard !counters.isEmpty || !formulas.isEmpty else {
      throw ValidationError("There is no counter to report. Create one: tally new people")
    }
    if options.json {
      for line in counters.map(\.json) + formulas.map(\.json) { Output.line(line.description) }
      return
    }
    let group = try choice.group.map { try core.title(ofGroup: $0) }
    let lines = try long ? longLines(counters, formulas, core, of: group) : shortLines(counters, formulas)
    if mail { return try Mail.begin(subject: group ?? subject(counters), lines.joined(separator: "\n") + "\n") }
    if text { return try TextMessage.begin(lines.joined(separator: "\n")) }
    if copy { return try Clipboard.put(lines.joined(separator: "\n") + "\n") }
    for line in lines { Output.line(line) }
  }

  /// A line for each counter and formula, in the order in which they were named.
  private func shortLines(_ counters: [CounterLine], _ formulas: [FormulaLine]) -> [String] {
    let lines = counters.map { ($0.name, Self.line($0)) } + formulas.map { ($0.name, Self.line($0)) }
    guard !choice.names.isEmpty else { return lines.map(\.1) }
    return choice.names.compactMap { name in lines.first { $0.0 == name }?.1 }
  }

  /// The value and the title, which is the name unless a title was set.
  static func line(_ counter: CounterLine) -> String { "\(counter.count) \(counter.title.printableLine)" }

  private static func line(_ formula: FormulaLine) -> String { "\(formula.text) \(formula.title.printableLine)" }

  private func subject(_ counters: [CounterLine]) -> String {
    counters.prefix(3).map(Self.line).joined(separator: ", ") + (counters.count > 3 ? ", …" : "")
  }

  /// - Parameter title: the title of the reported group, if any.
  private func longLines(
    _ counters: [CounterLine], _ formulas: [FormulaLine], _ core: CoreClient, of title: String?
  ) throws -> [String] {
    var lines = ["\(title ?? "Counts"), \(LocalTime.minute(Clock.microsecondsSince1970()))"]
    let groups = choice.group == nil ? try Overview.groups(core, of: counters) : []
    for counter in counters where groups.isEmpty || counter.group == nil { lines += try details(counter, core) }
    let titled = Set(groups.map(\.name))
    lines += formulas.filter { $0.group.map(titled.contains) != true }.map(Self.line)
    for group in groups {
      let members = counters.filter { $0.group == group.name }
      let derived = formulas.filter { $0.group == group.name }
      if !members.isEmpty || !derived.isEmpty { lines += ["", group.title.printableLine] }
      for counter in members { lines += try details(counter, core) }
      lines += derived.map(Self.line)
    }
    return lines
  }

  private func details(_ counter: CounterLine, _ core: CoreClient) throws -> [String] {
    var line = Self.line(counter)
    if let target = counter.target, let share = counter.share {
      let left = counter.progress?.left ?? 0
      line += ", goal \(counter.format.text(target)): \(share)"
      line += left > 0 ? ", \(counter.format.text(left)) left" : ", reached"
    }
    if counter.isRunning { line += ", running" }
    // Only the counts of the present period make up the value.
    let began = counter.began.flatMap { $0 < Clock.microsecondsSince1970() ? $0 : nil }
    let found = try core.call(.statistics(counters: [counter.name], from: began))
    if let first = found.first, let last = found.last {
      let (first, last) = (LocalTime.minute(first), LocalTime.minute(last))
      line += first == last ? ", at \(first)" : ", from \(first) to \(last)"
    }
    return [line] + (counter.note.map { ["   \($0.printableLine)"] } ?? [])
  }
}
