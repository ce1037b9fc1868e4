import ArgumentParser
import Varlink

/// `tally select`: makes a counter the current one.
struct Select: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter the current one, which gestures count when they name none.",
    discussion: "Example: tally select dogs")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws { try Select.change("Select", ["name": .string(name)], options) }

  /// Asks for another current counter, and says which it is.
  static func change(_ method: String, _ parameters: JSONObject, _ options: CommonOptions) throws {
    let event = try CoreClient(options).change(method, parameters)
    if options.json { return Output.line(event.json.description) }
    Output.line("Gestures now count \(event.name), which stands at \(event.count).")
  }
}

/// `tally next`: makes the counter after the current one the current one.
struct Next: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Go on to the next counter, and from the last one to the first.", discussion: "Example: tally next")

  @OptionGroup var options: CommonOptions

  func run() throws { try Select.change("Next", [:], options) }
}

/// `tally previous`: makes the counter before the current one the current one.
struct Previous: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Go back to the counter before, and from the first one to the last.",
    discussion: "Example: tally previous")

  @OptionGroup var options: CommonOptions

  func run() throws { try Select.change("Previous", [:], options) }
}
