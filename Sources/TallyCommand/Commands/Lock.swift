import ArgumentParser
import Varlink

/// `tally lock`: protects a counter.
struct Lock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a counter refuse everything until it is unlocked.", discussion: "Example: tally lock people")

  @OptionGroup var counter: LockArguments
  func run() throws { try counter.change("Lock") { "\($0.name) is locked at \($0.count)." } }
}

/// `tally unlock`: lets a counter count again.
struct Unlock: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let a locked counter count again.", discussion: "Example: tally unlock people")

  @OptionGroup var counter: LockArguments
  func run() throws { try counter.change("Unlock") { "\($0.name) counts again, from \($0.count)." } }
}

/// Which counter.
struct LockArguments: ParsableArguments {
  @Argument(help: "The counter.", completion: CounterArgument.completion) var name: String
  @OptionGroup var options: CommonOptions

  func change(_ method: String, _ sentence: (EventLine) -> String) throws {
    let event = try CoreClient(options).change(method, ["name": .string(name)])
    Output.line(options.json ? event.json.description : sentence(event))
  }
}
