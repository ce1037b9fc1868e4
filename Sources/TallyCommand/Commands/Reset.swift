import ArgumentParser
import Varlink

/// `tally reset`: sets a counter back to its start, when it is asked twice.
struct Reset: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set a counter back to its start; asks twice.",
    discussion: """
      The first time arms it; a second time within 3 seconds does it. Undo brings the value back.
      Example: tally reset people, or in a script: tally reset people --yes
      """)

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Flag(help: "Do it at once.") var yes = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Reset", ["name": .string(name), "confirmed": .bool(yes)])
    if options.json { return Output.line(event.json.description) }
    Output.line(
      event.kind == "armed"
        ? "\(event.name) stands at \(event.value). To reset it, say so again within 3 seconds."
        : "\(event.value) \(event.name)")
  }
}
