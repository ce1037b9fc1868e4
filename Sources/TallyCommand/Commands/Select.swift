import ArgumentParser
import Varlink

/// `tally select`: makes a counter the current one.
struct Select: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter the current one, which gestures count when they name none.",
    discussion: "Example: tally select dogs")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Select", ["name": .string(name)])
    Output.line(
      options.json ? event.json.description : "Gestures now count \(event.name), which stands at \(event.value).")
  }
}
