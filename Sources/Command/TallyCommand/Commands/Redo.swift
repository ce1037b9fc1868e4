import ArgumentParser
import CoreAPI
import Varlink

/// `tally redo`: redoes the last undo.
struct Redo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Redo the last undone event; repeat to redo earlier ones.",
    discussion: """
      Examples:
        tally redo
        tally redo people
      """)

  @Argument(
    help: "A counter or formula, which may have been removed; default: all counters.",
    completion: CounterArgument.completion)
  var name: String?
  @OptionGroup var options: CommonOptions

  func run() throws {
    if let name, Tally.isNumber(name) {
      throw ValidationError(
        "A redo takes no number: it does the last undo again, or that of a counter, such as: tally redo people")
    }
    let core = try CoreClient(options)
    try core.report(.redo(name)) { try TakebackText($0, core).sentence(core) }
  }
}
