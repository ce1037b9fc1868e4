import ArgumentParser
import CoreAPI
import Counting

/// `tally rename`: renames a counter or a formula.
struct Rename: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Rename a counter or a formula. It keeps its history.",
    discussion: "Example: tally rename people visitors"
  )

  @Argument(help: "The counter or formula.", completion: CounterArgument.completion) var name: String
  @Argument(help: "Its new name.") var newName: String
  @OptionGroup var options: CommonOptions

  func run() throws {
    try options.change(.set(name, [.name: .text(newName)])) { _ in
      name == newName ? "\(name) has this name already." : "Renamed \(name) to \(newName)."
    }
  }
}
