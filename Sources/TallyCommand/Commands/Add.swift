import ArgumentParser
import Varlink

/// `tally add`: counts up.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add to a counter.", discussion: "Example: tally add people, or tally add people 5")

  @OptionGroup var amount: AmountArguments
  @OptionGroup var options: CommonOptions

  func run() throws { try amount.count("Add", options) }
}

/// `tally subtract`: counts down.
struct Subtract: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take off a counter.", discussion: "Example: tally subtract people, or tally subtract people 5")

  @OptionGroup var amount: AmountArguments
  @OptionGroup var options: CommonOptions

  func run() throws { try amount.count("Subtract", options) }
}

/// Which counter, and by how much.
struct AmountArguments: ParsableArguments {
  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Argument(help: ArgumentHelp("How much, 1 or more; without it the counter's step.", valueName: "n")) var amount:
    Int64?

  func count(_ method: String, _ options: CommonOptions) throws {
    var parameters: JSONObject = ["name": .string(name)]
    parameters["amount"] = amount.map(JSON.int)
    let event = try CoreClient(options).change(method, parameters)
    Output.line(options.json ? event.json.description : "\(event.value) \(event.name)")
  }
}
