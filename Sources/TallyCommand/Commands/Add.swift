import ArgumentParser
import Counting
import Varlink

/// `tally add`: counts up.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add to a counter.",
    discussion: """
      An event that was forgotten is added at its time with --at.
      Examples:
        tally add people
        tally add litres 1.5
        tally add people 3 --at "yesterday 14:05"
      """)

  @OptionGroup var amount: AmountArguments
  @OptionGroup var options: CommonOptions

  func run() throws { try amount.count("Add", options) }
}

/// `tally subtract`: counts down.
struct Subtract: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take off a counter.",
    discussion: """
      Examples:
        tally subtract people
        tally subtract litres 0.5
        tally subtract people 3 --at 14:05
      """)

  @OptionGroup var amount: AmountArguments
  @OptionGroup var options: CommonOptions

  func run() throws { try amount.count("Subtract", options) }
}

/// Which counter, and by how much.
struct AmountArguments: ParsableArguments {
  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Argument(help: ArgumentHelp("How much, above 0; without it the counter's step.", valueName: "n")) var amount: String?
  @Option(
    help: ArgumentHelp("When it was, if not now: 14:05, \"yesterday 14:05\", 2026-11-21T14:05.", valueName: "time"))
  var at: String?

  func count(_ method: String, _ options: CommonOptions) throws {
    var parameters: JSONObject = ["name": .string(name)]
    if let amount {
      // Which of them it is knows the core.
      guard [Unit.things, .decimal(9), .time].contains(where: { (try? $0.number(amount)) != nil }) else {
        throw ValidationError("“\(amount)” is no amount.")
      }
      parameters["quantity"] = .string(amount)
    }
    if let at { parameters["time"] = .int(try TimeSpan.moment(at)) }
    let event = try CoreClient(options).change(method, parameters)
    Output.line(options.json ? event.json.description : "\(event.count) \(event.name)\(event.remarks)")
  }
}
