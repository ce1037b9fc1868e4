import ArgumentParser
import Counting
import Varlink

/// `tally reset`: sets counters back to their start, when it is asked twice.
struct Reset: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set a counter, a group or all back to the start; asks twice.",
    discussion: """
      The first time arms it; a second time within 3 seconds does it. Undo brings the values back. A group or all are reset
      as one, without those that are locked or archived.
      Examples:
        tally reset people
        tally reset --group players
        tally reset --all --yes                (in a script: at once)
      """)

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String?
  @Option(help: ArgumentHelp("All counters of this group.", valueName: "name")) var group: String?
  @Flag(help: "All counters.") var all = false
  @Flag(help: "Do it at once.") var yes = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    guard [name != nil, group != nil, all].filter(\.self).count == 1 else {
      throw ValidationError("Say which: the name of a counter, --group and the name of a group, or --all.")
    }
  }

  func run() throws {
    var parameters: JSONObject = ["confirmed": .bool(yes)]
    parameters["name"] = name.map(JSON.string)
    parameters["group"] = group.map(JSON.string)
    if all { parameters["all"] = true }
    let event = try CoreClient(options).change("Reset", parameters)
    if options.json { return Output.line(event.json.description) }
    let window = (event.object["until"]?.int ?? 0) &- (event.object["time"]?.int ?? 0)
    let within = window % 1_000_000 == 0 ? "\(window / 1_000_000)" : Unit.decimal(6).text(window)
    switch (event.kind, name) {
    case ("armed", .some):
      Output.line("\(event.name) stands at \(event.count). To reset it, say so again within \(within) seconds.")
    case ("armed", nil): Output.line("To reset \(event.subject), say so again within \(within) seconds.")
    case (_, nil): Output.line("Reset \(event.subject).")
    case (_, .some): Output.line("\(event.count) \(event.name)")
    }
  }
}
