import ArgumentParser
import CoreAPI

/// `tally remove`: removes a counter or a formula.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove a counter or a formula. Its history is kept, and undo restores it.",
    discussion: "Example: tally remove dogs")

  @Argument(help: "The counter or formula.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    try options.changeCurrent(.remove(name)) { event, _ in
      "Removed \(event.name.isEmpty ? event.subject : "\(event.name), which stood at \(event.count)")."
    }
  }
}
