import ArgumentParser
import Varlink

/// `tally start`: starts a stopwatch.
struct Start: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a stopwatch.", discussion: "Example: tally start anna")

  @OptionGroup var stopwatch: StopwatchArguments
  func run() throws { try stopwatch.change("Start") }
}

/// `tally stop`: stops a stopwatch.
struct Stop: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stop a stopwatch; it keeps its time.", discussion: "Example: tally stop anna")

  @OptionGroup var stopwatch: StopwatchArguments
  func run() throws { try stopwatch.change("Stop") }
}

/// `tally toggle`: starts a stopwatch that stands, stops one that runs.
struct Toggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a stopwatch that stands, stop one that runs.", discussion: "Example: tally toggle anna")

  @OptionGroup var stopwatch: StopwatchArguments
  func run() throws { try stopwatch.change("Toggle") }
}

/// `tally lap`: ends a lap.
struct Lap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End a lap of a stopwatch, which goes on running.", discussion: "Example: tally lap anna")

  @OptionGroup var stopwatch: StopwatchArguments
  func run() throws { try stopwatch.change("Lap") }
}

/// Which stopwatch.
struct StopwatchArguments: ParsableArguments {
  @Argument(help: "The stopwatch; without a name the current counter.", completion: CounterArgument.completion)
  var name: String?
  @OptionGroup var options: CommonOptions

  func change(_ method: String) throws {
    let event = try CoreClient(options).change(method, name.map { ["name": .string($0)] } ?? [:])
    Output.line(options.json ? event.json.description : event.sentence)
  }
}
