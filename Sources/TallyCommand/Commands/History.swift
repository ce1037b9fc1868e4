import ArgumentParser
import Varlink

/// `tally history`: what happened, oldest first.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what happened, oldest first.", discussion: "Example: tally history people --last 20")

  @Argument(
    help: "One counter, which may have been removed; without a name all.", completion: CounterArgument.completion)
  var name: String?
  @Option(help: ArgumentHelp("Only the last events, at most 1000.", valueName: "n")) var last: Int64?
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if let last, !(1...1000 ~= last) { throw ValidationError("--last takes a number from 1 to 1000.") }
  }

  func run() throws {
    let core = try CoreClient(options)
    let counters = CounterLine.all(of: try core.call("List"))
    let titles = Dictionary(counters.map { ($0.name, $0.title) }) { first, _ in first }
    func show(_ events: [JSON]) {
      for event in events {
        let object = event.object ?? [:]
        let line = EventLine(object, title: titles[object["counter"]?.string ?? ""])
        Output.line(options.json ? line.json.description : line.text(withDay: true))
      }
    }
    var parameters: JSONObject = [:]
    parameters["counter"] = name.map(JSON.string)
    if let last {
      parameters["limit"] = .int(last)
      return show((try core.call("History", parameters)["events"]?.array ?? []).reversed())
    }
    var position: Int64 = 0
    parameters["limit"] = 1000
    while true {
      parameters["after"] = .int(position)
      let page = try core.call("History", parameters)
      let events = page["events"]?.array ?? []
      show(events)
      guard page["more"]?.bool == true, let reached = events.last?.object?["sequence"]?.int else { return }
      position = reached
    }
  }
}
