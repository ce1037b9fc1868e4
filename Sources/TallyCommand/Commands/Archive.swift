import ArgumentParser
import Varlink

/// `tally archive`: puts a counter away.
struct Archive: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a counter away, or take it out again: it keeps its value and history, and is passed over.",
    discussion: "Example: tally archive people, and later tally archive people --back")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Flag(help: "Take it out again.") var back = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Set", ["name": .string(name), "archived": .bool(!back)])
    let words = back ? "is out again" : "is put away"
    Output.line(options.json ? event.json.description : "\(event.name) \(words), at \(event.count).")
  }
}
