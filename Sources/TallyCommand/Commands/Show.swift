import ArgumentParser
import Varlink

/// `tally show`: how the counters stand.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counters, or all of them.",
    discussion: """
      The mark ▸ is at the current counter: the one that gestures count when they name none.
      Example: tally show people dogs --json
      """)

  @Argument(help: "The counters; without names all of them.", completion: CounterArgument.completion)
  var names: [String] = []
  @OptionGroup var options: CommonOptions

  func run() throws {
    let core = try CoreClient(options)
    let counters =
      names.isEmpty
      ? CounterLine.all(of: try core.call("List"))
      : try names.map { CounterLine(try core.call("Get", ["name": .string($0)])["counter"]?.object ?? [:]) }
    if options.json {
      for counter in counters { Output.line(counter.json.description) }
    } else if counters.isEmpty {
      Output.line("There is no counter yet. Make one: tally new people")
    } else {
      for line in CounterLine.table(counters) { Output.line(line) }
    }
  }
}
