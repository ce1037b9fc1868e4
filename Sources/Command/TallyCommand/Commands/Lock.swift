import ArgumentParser
import CoreAPI

/// `tally lock`: locks a counter.
struct Lock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lock a counter: it refuses all changes until it is unlocked.", discussion: "Example: tally lock people")

  @OptionGroup var counter: LockArguments
  func run() throws { try counter.options.change(.lock(counter.name)) }
}

/// `tally unlock`: unlocks a counter.
struct Unlock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Unlock a counter.", discussion: "Example: tally unlock people")

  @OptionGroup var counter: LockArguments
  func run() throws { try counter.options.change(.unlock(counter.name)) }
}

struct LockArguments: ParsableArguments {
  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions
}
