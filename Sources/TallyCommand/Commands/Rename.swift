import ArgumentParser
import Varlink

/// `tally rename`: calls a counter otherwise.
struct Rename: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Call a counter otherwise; its history goes with it.", discussion: "Example: tally rename people visitors"
  )

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Argument(help: "Its new name.") var newName: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Set", ["name": .string(name), "newName": .string(newName)])
    Output.line(options.json ? event.json.description : "\(name) is called \(event.name) now.")
  }
}
