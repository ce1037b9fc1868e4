import ArgumentParser
import Varlink

/// `tally redo`: does again what an undo took back.
struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Do again what the last undo took back; again for the one before.",
    discussion: """
      Examples:
        tally redo
        tally redo people
      """)

  @Argument(
    help: "One counter, which may have been removed; without a name all.", completion: CounterArgument.completion)
  var name: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    let event = try CoreClient(options).change("Redo", name.map { ["counter": .string($0)] } ?? [:])
    Output.line(options.json ? event.json.description : event.sentence)
  }
}
