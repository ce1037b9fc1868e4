import ArgumentParser
import Varlink

/// `tally start`: starts a stopwatch.
struct Start: StopwatchCommand {
  static let configuration = about("Start a stopwatch.", example: "tally start anna")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// `tally stop`: stops a stopwatch.
struct Stop: StopwatchCommand {
  static let configuration = about("Stop a stopwatch; it keeps its time.", example: "tally stop anna")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// `tally toggle`: starts a stopwatch that stands, stops one that runs.
struct Toggle: StopwatchCommand {
  static let configuration = about(
    "Start a stopwatch that stands, stop one that runs.", example: "tally toggle anna")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// `tally lap`: ends a lap.
struct Lap: StopwatchCommand {
  static let configuration = about("End a lap of a stopwatch, which goes on running.", example: "tally lap anna")
  @OptionGroup var stopwatch: StopwatchArguments
}

/// What is done to a stopwatch; its name is that of the method which the core is asked for.
protocol StopwatchCommand: ParsableCommand {
  var stopwatch: StopwatchArguments { get }
}

extension StopwatchCommand {
  static func about(_ abstract: String, example: String) -> CommandConfiguration {
    CommandConfiguration(abstract: abstract, discussion: "Example: \(example)")
  }

  func run() throws {
    let options = stopwatch.options
    let event = try CoreClient(options).change("\(Self.self)", stopwatch.name.map { ["name": .string($0)] } ?? [:])
    Output.line(options.json ? event.json.description : event.sentence)
  }
}

/// Which stopwatch.
struct StopwatchArguments: ParsableArguments {
  @Argument(help: "The stopwatch; without a name the current counter.", completion: CounterArgument.completion)
  var name: String?
  @OptionGroup var options: CommonOptions
}
