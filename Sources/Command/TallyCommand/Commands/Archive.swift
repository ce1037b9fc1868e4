import ArgumentParser
import CoreAPI
import Counting

/// `tally archive`: archives a counter or a formula.
struct Archive: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Archive a counter or a formula, or take it out again. It keeps its value and history; next and previous skip it.",
    discussion: "Example: tally archive people, and later tally archive people --back")

  @Argument(help: "The counter or formula.", completion: CounterArgument.completion) var name: String
  @Flag(help: "Take it out of the archive.") var back = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    try options.changeCurrent(.set(name, [.archived: .integer(back ? 0 : 1)])) { event, list in
      let isRunning = list.counters.contains { $0.name == event.name && $0.since != nil }
      return event.sentence + (isRunning && !back ? " It is still running: tally stop \(event.name)" : "")
    }
  }
}
