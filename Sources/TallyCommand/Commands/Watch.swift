import ArgumentParser
import Varlink

/// `tally watch`: how the counters stand, and every change from then on.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counters, and each change as it happens.",
    discussion: """
      On a terminal all counters stay in place; what changed flashes, and below them is what did it. In a pipe each change
      is a line. With --json each counter comes first as a line of kind "state", then a line for each event. Ctrl-C ends
      it.
      Example: tally watch people
      Example: tally watch --lines
      """)

  @Argument(help: "The counters; without names all of them.", completion: CounterArgument.completion)
  var names: [String] = []
  @Flag(help: "A line for each change on a terminal as well.") var lines = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    let parameters: JSONObject = names.isEmpty ? [:] : ["counters": .array(names.map(JSON.string))]
    let core = try CoreClient(options)
    if Terminal.canMove, !lines, !options.json {
      let board = LiveBoard(try CoreClient(options), watching: names)
      core.whenQuiet(for: 250) { board.rest() }
      try core.stream("Watch", parameters) { reply in
        board.take(reply)
        return true
      }
    } else {
      try core.stream("Watch", parameters) { reply in
        if let event = reply["event"]?.object {
          let line = EventLine(event, of: reply["counter"]?.object.map(CounterLine.init))
          Output.line(options.json ? line.json.description : line.text(withDay: false))
        } else if reply["counters"] != nil {
          show(reply)
        }
        let formulas = FormulaLine.all(of: reply)
        for line in options.json ? formulas.map(\.json.description) : FormulaLine.table(formulas) { Output.line(line) }
        return true
      }
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
    } else if counters.isEmpty, FormulaLine.all(of: reply).isEmpty {
      Output.line("There is no counter yet; the first gesture makes one.")
    } else {
      if reply["resynchronise"]?.bool == true { Output.line("Some changes were missed; the counters stand at:") }
      let rows = counters.map { Overview.Row(counter: $0, perHour: nil) }
      for line in Overview(rows: rows, groups: [], width: Terminal.room).lines() { Output.line(line) }
    }
  }
}
