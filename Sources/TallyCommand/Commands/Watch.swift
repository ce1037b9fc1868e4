import ArgumentParser
import Varlink

/// `tally watch`: how the counters stand, and every change from then on.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counters, and each change as it happens.",
    discussion: """
      With --json each counter comes first as a line of kind "state", then a line for each event. Ctrl-C ends it.
      Example: tally watch people
      """)

  @Argument(help: "The counters; without names all of them.", completion: CounterArgument.completion)
  var names: [String] = []
  @OptionGroup var options: CommonOptions

  func run() throws {
    let parameters: JSONObject = names.isEmpty ? [:] : ["counters": .array(names.map(JSON.string))]
    try CoreClient(options).stream("Watch", parameters) { reply in
      if let event = reply["event"]?.object {
        let line = EventLine(event, title: reply["counter"]?.object?["title"]?.string)
        Output.line(options.json ? line.json.description : line.text(withDay: false))
      } else {
        show(reply)
      }
      return true
    }
    Output.complain("The core has ended.")
    throw CoreClient.unavailable
  }

  /// The state that comes first, and again after the core had to leave out events.
  private func show(_ reply: JSONObject) {
    let counters = CounterLine.all(of: reply)
    if options.json {
      for counter in counters {
        var line: JSONObject = ["kind": "state"]
        for (key, value) in counter.object where key != "kind" { line[key] = value }
        Output.line(JSON.object(line).description)
      }
    } else if counters.isEmpty {
      Output.line("There is no counter yet; the first gesture makes one.")
    } else {
      if reply["resynchronise"]?.bool == true { Output.line("Some changes were missed; the counters stand at:") }
      for line in CounterLine.table(counters) { Output.line(line) }
    }
  }
}
