import ArgumentParser
import CoreAPI
import Counting
import JSON
import Reports
import Text
import Varlink

/// `tally history`: shows events, oldest first.
struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show events, oldest first.",
    discussion: """
      Shows the last 20 events, sorted by time; --last and --all show more. Events must meet all conditions that are given. \
      Removed counters are found by their names as well. The number before an event is for tally note and tally undo.

      Events that were made together, and are undone together, name the first of them: “with 12”. \
      A count that was entered later is marked, and shows the value after it was entered. An event that changed nothing is \
      left out. With --json all events are printed as they were recorded.

      On a terminal long output is paged with $TALLYMARK_PAGER, $PAGER or less.

      Example: tally history people --last 50
      Example: tally history --device pedal --from 14:00 --until 15:00
      Example: tally history people --plot
      """)

  @OptionGroup var choice: CounterChoice
  @OptionGroup var span: TimeSpan
  @Option(help: ArgumentHelp("Only events caused by this program, such as tally-inputd.", valueName: "program"))
  var producer: String?
  @Option(help: ArgumentHelp("Only events of devices whose name contains this.", valueName: "part"))
  var device: String?
  @Option(help: ArgumentHelp("Only events of this gesture: press, swipe-down, “press KEY_B”.", valueName: "gesture"))
  var gesture: String?
  @Option(help: ArgumentHelp("The number of last events to show, at most 1000; default: 20.", valueName: "n"))
  var last: Int64?
  @Flag(help: "All events.") var all = false
  @Flag(help: "Do not page long output.") var noPager = false
  @Flag(help: "Draw a chart of the counts over time.") var plot = false
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if let last, !(1...1000 ~= last) { throw ValidationError("--last takes a number from 1 to 1000.") }
    if all, last != nil { throw ValidationError("Use either --all or --last.") }
    if plot, all || last != nil || producer != nil || device != nil || gesture != nil || options.json {
      throw ValidationError("--plot can only be used with counters, --from and --until.")
    }
  }

  func run() throws {
    let core = try CoreClient(options)
    if plot { return try draw(core) }
    let counters = try core.call(.list).counters.map(CounterLine.init)
    let lines = Dictionary(counters.map { ($0.name, $0) }) { first, _ in first }
    let filter = try filter(core)
    if options.json {
      func show(_ events: [Counters.Event]) {
        for event in events { Output.line(EventLine(event, of: lines[event.counter]).json.description) }
      }
      if let last { return show(try core.lastEvents(last, filter)) }
      return try core.eachEvent(filter) { show($0) }
    }
    var (events, head) = ([Counters.Event](), [String]())
    if all {
      try core.eachEvent(filter) { events += $0.filter { !$0.changesNothing } }
    } else {
      // Requests one more event than shown, to know whether there are earlier ones.
      let count = last ?? 20
      events = try core.lastEvents(min(1000, count + 1), filter, omitting: \.changesNothing)
      if events.count > Int(count) {
        events.removeFirst()
        if last == nil { head = [Output.styled("… earlier events: tally history --last 100, or --all", .faint)] }
      }
    }
    // Output for programs stays empty.
    if events.isEmpty {
      Output.remark(
        filter == .init() ? "There is no event yet. Create a counter: tally new people" : "There is no such event.")
    }
    EarlyEnd.remark(of: filter.counters, core.client)
    Pager.show(
      head + Self.table(events, lines, try core.origins(of: events)), isAllowed: !noPager)
  }

  /// The lines of events, ordered by time. A count that was added later stands at the time for which it counts.
  ///
  /// - Parameter origins: see ``CoreClient/origins(of:)``.
  static func table(
    _ events: [Counters.Event], _ counters: [String: CounterLine], _ origins: [Int64: Counters.Event] = [:]
  ) -> [String] {
    let numberWidth = events.map { "\($0.sequence)".count }.max() ?? 0
    let events = events.sorted { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
    var (late, earliest) = (Set<Int64>(), Int64.max)
    for event in events.reversed() {
      if event.sequence > earliest { late.insert(event.sequence) }
      earliest = min(earliest, event.sequence)
    }
    // Events that close an ended period again, by the sequence number of the late count.
    let closings = Dictionary(
      events.lazy.filter { EventLine($0).isLate }.map { ($0.sequence &- 1, $0) }, uniquingKeysWith: { $1 })
    // The last undos and redos of ends of periods with their counts: no counter showed the values before them.
    let ends = Set(events.lazy.filter { origins[$0.sequence]?.knownKind == .renewed }.compactMap(\.batch))
    let finals = Dictionary(
      events.lazy.filter { $0.batch.map(ends.contains) ?? false && $0.undoes != nil }.map { (BatchPart($0), $0) }
    ) { $0.sequence > $1.sequence ? $0 : $1 }
    // Consecutive periods of a counter without counts are shown in one line: only the last is listed.
    var (run, isFollowed) = ([String: Int](), Set<Int64>())
    var last: [String: Counters.Event] = [:]
    for event in events {
      if event.isEmptyPeriod, let before = last[event.counter], before.isEmptyPeriod {
        isFollowed.insert(before.sequence)
      }
      last[event.counter] = event
    }
    let head = late.isEmpty ? [] : [Output.styled("Sorted by time. Values are as of entry.", .faint)]
    return head
      + events.compactMap { event in
        let count = event.isEmptyPeriod ? run[event.counter, default: 0] + 1 : 0
        run[event.counter] = count
        if isFollowed.contains(event.sequence) { return nil }
        var line = EventLine(event, of: counters[event.counter])
        line.emptyPeriods = count
        line.origin = origins[event.sequence]
        line.isOutOfOrder = late.contains(event.sequence)
        line.standing = closings[event.sequence].flatMap { $0.batch == event.batch ? $0.value : nil }
        if event.undoes != nil, let final = finals[BatchPart(event)] { line.standing = final.value }
        return line.text(withDay: true, numberWidth: numberWidth)
      }
  }

  private func filter(_ core: CoreClient) throws -> Counters.EventFilter {
    let (from, until) = try span.moments(core, choice)
    return Counters.EventFilter(
      counters: try choice.namesEver(core), producer: producer, device: device, gesture: gesture, from: from,
      until: until)
  }

  private func draw(_ core: CoreClient) throws {
    let width = Terminal.size.columns
    if choice.names.count == 1,
      let formula = try core.call(.list).formulas.first(where: { $0.name == choice.names[0] })
    {
      let found = try FormulaSeries(core, formula, nil, try span.moments(core, choice), most: max(8, (width - 12) / 2))
      Output.line("\(formula.name), \(found.moments)")
      for line in TerminalPlot(series: found.series, format: found.format, width: width).lines() { Output.line(line) }
      return
    }
    let all = choice.names.isEmpty ? choice.group ?? "all counters" : choice.names.joined(separator: ", ")
    let counters = try core.call(.list).counters
    let parts = try choice.partsOfSum(core, of: counters)
    choice.remarkArchived(counters)
    let moments = try span.moments(core, choice)
    for (index, part) in parts.enumerated() {
      let series = try CountSeries(core, part.names, nil, moments, most: max(8, (width - 8) / 2))
      if index > 0 { Output.line("") }
      Output.line("\(part.title ?? all), \(series.unit.each)")
      for line in TerminalPlot(series: series, format: series.format, width: width).lines() { Output.line(line) }
    }
  }
}

/// The events of one counter in a batch.
private struct BatchPart: Hashable {
  let batch: Int64?
  let counter: String

  init(_ event: Counters.Event) { (batch, counter) = (event.batch, event.counter) }
}

extension Counters.Event {
  /// Whether the event records a setting or a move without an effect.
  var changesNothing: Bool {
    knownKind == .changed && began == nil && alterations.isEmpty && cause.producer != "tallyd"
  }

  /// Whether a period ended whose value at the end was the start value.
  fileprivate var isEmptyPeriod: Bool { knownKind == .renewed && began != nil && change == 0 }
}
