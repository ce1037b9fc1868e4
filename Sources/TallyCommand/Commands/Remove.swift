import ArgumentParser
import Varlink

/// `tally remove`: takes a counter away.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take a counter away; its history stays, and undo brings it back.",
    discussion: "Example: tally remove dogs")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Remove", ["name": .string(name)])
    Output.line(options.json ? event.json.description : "Removed \(event.name), which stood at \(event.count).")
  }
}
