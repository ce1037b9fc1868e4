import ArgumentParser
import Varlink

/// `tally remove`: takes a counter away.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take a counter or a formula away; its history stays, and undo brings it back.",
    discussion: "Example: tally remove dogs")

  @Argument(help: "The counter or formula.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Remove", ["name": .string(name)])
    let words = event.name.isEmpty ? event.subject : "\(event.name), which stood at \(event.count)"
    Output.line(options.json ? event.json.description : "Removed \(words).")
  }
}
