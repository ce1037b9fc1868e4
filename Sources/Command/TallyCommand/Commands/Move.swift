import ArgumentParser
import CoreAPI

/// `tally move`: moves a counter or a formula.
struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Move a counter or a formula within its group or to another group.",
    discussion: """
      A group lists its counters first, then its formulas; a formula moves among the formulas.
      Examples:
        tally move dogs --before people
        tally move dogs --group animals
        tally move dogs --group "" --first  (out of its group)
      """)

  @Argument(help: "The counter or formula.", completion: CounterArgument.completion) var name: String
  @Option(
    help: ArgumentHelp("The group to move to; empty for none.", valueName: "name"), completion: GroupArgument.completion
  )
  var group: String?
  @OptionGroup var place: PlaceOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if group != nil, place.before != nil || place.after != nil {
      throw ValidationError("--before and --after mean the group of that counter; leave out --group.")
    }
  }

  func run() throws {
    try options.change(.move(name, to: try place.place(of: name), group: group)) { place.sentence(name, to: group, $0) }
  }
}
