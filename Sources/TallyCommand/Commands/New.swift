import ArgumentParser
import Varlink

/// `tally new`: makes a counter.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter.",
    discussion: "Example: tally new people --title \"People at the door\" --start 10 --step 2")

  @Argument(help: "What you will call it: letters, digits, “-”, “_” and “.”.") var name: String
  @Option(parsing: .unconditional, help: "What people read; without it the name.") var title: String?
  @Option(parsing: .unconditional, help: "The value that it begins with.") var start: Int64?
  @Option(parsing: .unconditional, help: "How much one gesture adds or takes off: 1 or more.") var step: Int64?
  @OptionGroup var options: CommonOptions

  func run() throws {
    var parameters: JSONObject = ["name": .string(name)]
    parameters["title"] = title.map(JSON.string)
    parameters["start"] = start.map(JSON.int)
    parameters["step"] = step.map(JSON.int)
    let event = try CoreClient(options).change("Create", parameters)
    Output.line(options.json ? event.json.description : "\(event.value) \(event.name)")
  }
}
