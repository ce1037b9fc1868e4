import ArgumentParser
import CoreAPI

/// `tally select`: makes a counter the current one.
struct Select: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter the current one. Gestures that name no counter count it.",
    discussion: "Example: tally select dogs")

  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func run() throws { try options.change(.select(name), Self.sentence) }

  /// The sentence about the new current counter.
  static func sentence(_ event: EventLine) -> String {
    "Gestures now count \(event.name), which stands at \(event.count)."
  }
}

/// `tally next`: selects the next counter.
struct Next: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Select the next counter of the group; after the last one, the first.",
    discussion: "Example: tally next, or tally next --group")

  @Flag(help: "Go to the first counter of the next group.") var group = false
  @OptionGroup var options: CommonOptions

  func run() throws { try options.change(.next(groups: group), Select.sentence) }
}

/// `tally previous`: selects the previous counter.
struct Previous: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Select the previous counter of the group; before the first one, the last.",
    discussion: "Example: tally previous, or tally previous --group")

  @Flag(help: "Go to the first counter of the previous group.") var group = false
  @OptionGroup var options: CommonOptions

  func run() throws { try options.change(.previous(groups: group), Select.sentence) }
}
