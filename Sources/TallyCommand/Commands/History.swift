import ArgumentParser
import Varlink

/// `tally history`: what happened, oldest first.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what happened, oldest first.",
    discussion: """
      Counters that were removed are found by their names, too. All conditions that are given must hold.
      Example: tally history people --last 20
      Example: tally history --device pedal --from 14:00 --until 15:00
      Example: tally history people --plot
      """)

  @OptionGroup var choice: CounterChoice
  @OptionGroup var span: TimeSpan
  @Option(help: ArgumentHelp("Only what this program asked for, such as tally-inputd.", valueName: "program"))
  var producer: String?
  @Option(help: ArgumentHelp("Only what was done with a device whose name holds this.", valueName: "part"))
  var device: String?
  @Option(help: ArgumentHelp("Only what this gesture did: press, swipe-down, “press KEY_B”.", valueName: "gesture"))
  var gesture: String?
  @Option(help: ArgumentHelp("Only the last events, at most 1000.", valueName: "n")) var last: Int64?
  @Flag(help: "Draw what was counted when.") var plot = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if let last, !(1...1000 ~= last) { throw ValidationError("--last takes a number from 1 to 1000.") }
    if plot, last != nil || producer != nil || device != nil || gesture != nil || options.json {
      throw ValidationError("--plot goes with counters, --from and --until only.")
    }
  }

  func run() throws {
    let core = try CoreClient(options)
    if plot { return try draw(core) }
    let counters = CounterLine.all(of: try core.call("List"))
    let lines = Dictionary(counters.map { ($0.name, $0) }) { first, _ in first }
    func show(_ events: [JSON]) {
      for event in events {
        let line = EventLine(event.object ?? [:], of: lines[event.object?["counter"]?.string ?? ""])
        Output.line(options.json ? line.json.description : line.text(withDay: true))
      }
    }
    if let last { return show(try core.lastEvents(try parameters(core), last)) }
    try core.eachEvent(try parameters(core)) { show($0) }
  }

  private func parameters(_ core: CoreClient) throws -> JSONObject {
    var parameters = try choice.parameters(core)
    let (from, until) = try span.moments()
    parameters["from"] = from.map(JSON.int)
    parameters["until"] = until.map(JSON.int)
    parameters["producer"] = producer.map(JSON.string)
    parameters["device"] = device.map(JSON.string)
    parameters["gesture"] = gesture.map(JSON.string)
    return parameters
  }

  private func draw(_ core: CoreClient) throws {
    let width = Terminal.size.columns
    let series = try CountSeries(
      core, try choice.parameters(core), nil, try span.moments(), most: max(8, (width - 8) / 2))
    Output.line(
      "\(choice.names.isEmpty ? choice.group ?? "all counters" : choice.names.joined(separator: ", ")), by the \(series.unit)"
    )
    for line in TerminalPlot(series: series, format: series.format, width: width).lines() { Output.line(line) }
  }
}

extension CoreClient {
  /// The last events that `parameters` mean, oldest first.
  func lastEvents(_ parameters: JSONObject, _ count: Int64) throws -> [JSON] {
    var parameters = parameters
    parameters["limit"] = .int(count)
    var found: [JSON] = []
    while true {
      let page = try call("History", parameters)
      found += page["events"]?.array ?? []
      guard found.count < Int(count), let next = page["next"]?.int else { return found.prefix(Int(count)).reversed() }
      parameters["before"] = .int(next)
    }
  }

  /// Hands on all events that `parameters` mean, oldest first, in portions.
  func eachEvent(_ parameters: JSONObject, _ each: ([JSON]) throws -> Void) throws {
    var parameters = parameters
    parameters["limit"] = 1000
    parameters["after"] = 0
    while true {
      let page = try call("History", parameters)
      try each(page["events"]?.array ?? [])
      guard let next = page["next"]?.int else { return }
      parameters["after"] = .int(next)
    }
  }
}
