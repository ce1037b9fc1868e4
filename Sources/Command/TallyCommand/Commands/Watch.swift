import ArgumentParser
import CoreAPI
import Glibc
import JSON

/// `tally watch`: shows the counters and every change.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show counters, and each change when it happens.",
    discussion: """
      On a terminal the counters stay in place, changed ones flash, and the last events are below them. If not all \
      counters fit, those that changed last come first. With --big one counter fills the terminal: the named one, or the \
      current one. In a pipe each change is a line. With --json there is first a line for each counter with "state": true, \
      then a line for each event. If the core restarts, watch waits for it, and shows what it missed. Stop with Ctrl-C.

      Keys:
        arrows, Page Up, Page Down   scroll
        Home, q                      back to the start; quit
      Keys with --big:
        left, right                  the previous or next counter
        space, Enter, up             add
        -, down                      subtract
        u                            undo

      Example: tally watch people
      Example: tally watch --lines
      """)

  @Argument(help: "The counters and formulas; default: all.", completion: CounterArgument.completion)
  var names: [String] = []
  @Flag(help: "Print a line for each change on a terminal as well.") var lines = false
  @Flag(help: "Fill the terminal with one counter; keys count: space or Enter adds, - takes off, u undoes.")
  var big = false
  @OptionGroup var options: CommonOptions

  func run() throws {
    if big, lines || options.json { throw ValidationError("--big cannot be used with --lines or --json.") }
    if big, !Terminal.canMove { throw ValidationError("--big needs a terminal, and standard output is not one.") }
    let core = try CoreClient(options)
    if Terminal.canMove, !lines, !options.json { return try draw(core) }
    var last = try core.call(.history(limit: 1)).events.first?.sequence ?? 0
    var hasBegun = try list(core, &last)
    while true {
      Output.complain("The core has closed the connection. Waiting until it runs again.")
      // A core with too many connections closes each new connection at once.
      if !hasBegun { sleep(1) }
      hasBegun = try list(CoreClient.whenStarted(options) { _ = usleep(UInt32($0) * 1000) }, &last, isAgain: true)
    }
  }

  private var request: Counters.Request<Counters.WatchReply> { .watch(counters: names.isEmpty ? nil : names) }

  /// Shows counters and changes in place, over restarts of the core.
  private func draw(_ first: CoreClient) throws {
    let board = LiveBoard(try CoreClient(options), options, watching: names, isBig: big)
    var core = first
    while true {
      core.whenQuiet(for: LiveBoard.pace) { board.rest() }
      var hasBegun = false
      try core.streamUntilLost(request) { reply in
        hasBegun = true
        board.take(reply)
        return true
      }
      board.lose()
      if !hasBegun { board.wait(milliseconds: 1000) }
      var second: CoreClient?
      while second == nil {
        core = CoreClient.whenStarted(options) { board.wait(milliseconds: $0) }
        // The core may have ended again.
        second = CoreClient.ifRunning(options)
      }
      if let second { board.use(second) }
    }
  }

  /// Prints counters and a line for each change until the connection is lost.
  ///
  /// - Parameters:
  ///   - last: the number of the last event that was printed, or that happened before.
  ///   - isAgain: whether events after `last` may have been missed; they are printed first.
  /// - Returns: whether the core replied.
  private func list(_ core: CoreClient, _ last: inout Int64, isAgain: Bool = false) throws -> Bool {
    var (hasBegun, latest) = (false, last)
    defer { last = latest }
    // The number of the last missed event. The stream repeats events up to this one after its first reply.
    var known: Int64 = 0
    try core.streamUntilLost(request) { reply in
      if !hasBegun, isAgain, let missed = try missed(since: latest, reply.counters) {
        known = missed
        latest = missed
      }
      hasBegun = true
      if let event = reply.event {
        guard event.sequence > known else { return true }
        latest = event.sequence
        show(event, of: reply.counter.map(CounterLine.init))
      } else if let counters = reply.state {
        show(counters.map(CounterLine.init), reply)
      } else if let counter = reply.counter, options.json {
        show([CounterLine(counter)], reply)
      }
      let formulas = reply.formulas.map(FormulaLine.init)
      for line in options.json ? formulas.map(\.json.description) : FormulaLine.table(formulas) { Output.line(line) }
      return true
    }
    return hasBegun
  }

  private func show(_ event: Counters.Event, of counter: CounterLine?) {
    var line = EventLine(event, of: counter)
    if !options.json, line.needsOrigin {
      line.origin = try? CoreClient.ifRunning(options)?.origin(of: event).event
    }
    Output.line(options.json ? line.json.description : line.text(withDay: false))
  }

  /// Prints the events after `last`, at most the last 1,000 of them.
  ///
  /// - Returns: the sequence number of the last printed event; `nil` if none was missed.
  private func missed(since last: Int64, _ counters: [Counters.Counter]) throws -> Int64? {
    // The stream uses the first connection. If there is no second connection, these events are printed after the next
    // interruption.
    guard let core = CoreClient.ifRunning(options) else { return nil }
    var (events, omitted) = ([Counters.Event](), 0)
    var next: Int64? = last
    while let after = next {
      let filter = Counters.EventFilter(counters: names.isEmpty ? nil : names)
      let page = try core.call(.history(after: after, limit: 1000, filter))
      events += page.events
      let extra = max(0, events.count - 1000)
      events.removeFirst(extra)
      omitted += extra
      next = page.next
    }
    if omitted > 0 { Output.complain("\(omitted) earlier changes were missed; tally history --all shows them.") }
    for event in events {
      show(event, of: counters.first { $0.name == event.counter }.map(CounterLine.init))
    }
    return events.last?.sequence
  }

  /// Prints the counters of the first reply, and of a reply after missed events.
  private func show(_ counters: [CounterLine], _ reply: Counters.WatchReply) {
    if options.json {
      for counter in counters {
        var line: JSONObject = ["state": true]
        for (key, value) in counter.json.object ?? [:] { line[key] = value }
        Output.line(line.description)
      }
    } else if counters.isEmpty, reply.formulas.isEmpty {
      Output.line("There is no counter yet; the first gesture creates one.")
    } else {
      if reply.isResynchronise { Output.line("Some changes were missed. The counters now:") }
      // As in every overview, archived counters are only shown by name.
      let shown = names.isEmpty ? counters.filter { !$0.isArchived } : counters
      if shown.isEmpty, !counters.isEmpty { Output.line("All counters are archived. Show them: tally show --archived") }
      let rows = shown.map { Overview.Row(counter: $0, lastHour: nil) }
      for line in Overview(rows: rows, groups: [], width: Terminal.room).lines() { Output.line(line) }
    }
  }
}
