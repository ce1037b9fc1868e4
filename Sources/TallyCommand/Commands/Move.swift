import ArgumentParser
import Varlink

/// `tally move`: puts a counter elsewhere.
struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a counter elsewhere in its group, or into another one.",
    discussion: """
      Examples:
        tally move dogs --before people
        tally move dogs --group animals
        tally move dogs --group "" --first     (out of its group)
      """)

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @Option(help: ArgumentHelp("Into this group; none for an empty name.", valueName: "name")) var group: String?
  @OptionGroup var place: PlaceOptions
  @OptionGroup var options: CommonOptions

  func run() throws {
    var parameters = place.parameters
    parameters["name"] = .string(name)
    parameters["group"] = group.map(JSON.string)
    let event = try CoreClient(options).change("Move", parameters)
    Output.line(options.json ? event.json.description : "Moved \(name).")
  }
}
