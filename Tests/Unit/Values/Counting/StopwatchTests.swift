import Counting
import Testing

@Suite struct `Stopwatches` {
  var bench = Bench()
  let second: Int64 = 1_000_000

  init() throws { try bench.perform(.create(name: "swim", isStopwatch: true)) }

  func shown(after seconds: Int64 = 0, in boot: Boot? = nil) throws -> Int64 {
    try bench.counter("swim").elapsed(at: bench.time + seconds * second, in: boot)
  }

  @Test mutating func `it counts the time between start and stop, again and again`() throws {
    try bench.clock(.start)
    #expect(try shown(after: 9) == 9 * second)
    #expect(try bench.clock(.stop, after: 10).change == 10 * second)
    #expect(try shown(after: 100) == 10 * second)
    try bench.clock(.toggle)
    #expect(try bench.clock(.toggle, after: 5).value == 15 * second)
    #expect(try bench.counter("swim").kind == .stopwatch)
  }

  @Test mutating func `its time is never set below nothing`() throws {
    try bench.add("swim", 60 * second)
    #expect(throws: CountingError.limitReached("swim", limit: 0, unit: .time)) {
      try bench.subtract("swim", 61 * second)
    }
    #expect(throws: CountingError.self) { try bench.perform(.correct(.named("swim"), to: .text("-1"))) }
    #expect(try bench.subtract("swim", 60 * second).value == 0)
  }

  @Test mutating func `those of a group start and stop together, and one undo takes back all of it`() throws {
    try bench.perform(.createGroup(name: "team"))
    for name in ["anna", "bea", "cleo"] {
      try bench.perform(.create(name: name, isStopwatch: true, [.group: .text("team")]))
    }
    try bench.perform(.create(name: "goals", [.group: .text("team")]))
    try bench.perform(.lock(.named("cleo"), true))
    try bench.perform(.clock(.named("bea"), .start))
    func running() throws -> [String] { bench.ledger.all.filter { $0.since != nil }.map(\.name.text) }
    // A whistle starts those that stand, and the next one stops all.
    let count = bench.events.count
    #expect(try bench.perform(.clockAll(ofGroup: "team", .start)).subject == .group)
    #expect(try running() == ["anna", "bea"])
    let made = bench.events[count...]
    #expect(made.map(\.kind) == [.started, .started])
    #expect(made.allSatisfy { $0.batch == made.first?.sequence })
    #expect(throws: CountingError.noStopwatch(group: "team", .stopped)) {
      try bench.perform(.clockAll(ofGroup: "team", .start))
    }
    try bench.perform(.clockAll(ofGroup: "team", .toggle), after: 10)
    #expect(try running() == [])
    // A second went by with the refusal.
    #expect(try bench.value("anna") == 11 * second)
    try bench.perform(.clockAll(ofGroup: nil, .toggle))
    #expect(try running() == ["swim", "anna", "bea"])
    try bench.perform(.clockAll(ofGroup: "team", .lap), after: 2)
    #expect(try bench.counter("bea").lapped == bench.value("bea"))
    try bench.perform(.undo(bench.events.suffix(3).reversed().map { Change.Takeback($0) }))
    #expect(try bench.counter("bea").lapped == 0)
    #expect(throws: CountingError.noSuchGroup("nobody")) { try bench.perform(.clockAll(ofGroup: "nobody", .stop)) }
    try bench.perform(.createGroup(name: "empty"))
    let refusal = CountingError.noStopwatch(group: "empty", .any)
    #expect(throws: refusal) { try bench.perform(.clockAll(ofGroup: "empty", .toggle)) }
    #expect(refusal.message == "There is no stopwatch in the group “empty” that is neither locked nor archived.")
  }

  @Test mutating func `what makes no sense is refused by name`() throws {
    #expect(throws: CountingError.notRunning("swim")) { try bench.clock(.stop) }
    #expect(throws: CountingError.notRunning("swim")) { try bench.clock(.lap) }
    try bench.clock(.start)
    #expect(throws: CountingError.alreadyRunning("swim")) { try bench.clock(.start) }
    try bench.perform(.create(name: "a"))
    #expect(throws: CountingError.notStopwatch("a")) { try bench.perform(.clock(.named("a"), .start)) }
    #expect(throws: CountingError.self) { try bench.perform(.set(.named("swim"), [.target: .integer(5)])) }
  }

  @Test mutating func `each lap is as long as it was, whatever stops lie within`() throws {
    try bench.clock(.start)
    #expect(try bench.clock(.lap, after: 10).lap == 10 * second)
    try bench.clock(.stop, after: 3)
    try bench.clock(.start, after: 50)
    #expect(try bench.clock(.lap, after: 4).lap == 7 * second)
    #expect(try bench.clock(.stop, after: 1).value == 18 * second)
  }

  @Test mutating func `within one run of the machine a clock that is set changes nothing`() throws {
    bench.ledger.boot = Boot(id: "x", began: 0)
    try bench.clock(.start)
    // The clock is put an hour forward; ten seconds pass.
    let forward = Boot(id: "x", began: 3600 * second)
    bench.ledger.boot = forward
    #expect(try shown(after: 3600 + 10, in: forward) == 10 * second)
    #expect(try bench.clock(.stop, after: 3600 + 10).change == 10 * second)
  }

  @Test mutating func `across a restart the time that people read decides, and never runs backwards`() throws {
    bench.ledger.boot = Boot(id: "x", began: 0)
    try bench.clock(.start)
    let next = Boot(id: "y", began: 900 * second)
    #expect(try shown(after: 60, in: next) == 60 * second)
    #expect(try shown(after: 60, in: nil) == 60 * second)
    #expect(try shown(after: -60, in: next) == 0)
    bench.ledger.boot = next
    #expect(try bench.clock(.stop, after: 60).change == 60 * second)
  }

  @Test mutating func `a reset stops it, keeps what it ran in the history, and is undone as one`() throws {
    try bench.clock(.start)
    try bench.perform(.reset(.one(.current), isConfirmed: true), after: 20)
    let made = bench.events.suffix(2)
    #expect(made.map(\.kind) == [.stopped, .reset])
    #expect(made.map(\.change) == [20 * second, -20 * second])
    #expect(Set(made.map(\.batch)) == [made.first?.sequence])
    #expect(try bench.counter("swim").since == nil)
    try bench.perform(.undo(made.reversed().map { .init($0) }))
    #expect(try shown(after: 5) == 26 * second)
  }

  @Test mutating func `undoing a stop lets it run as if it had never been stopped`() throws {
    try bench.clock(.start)
    let stopped = try bench.clock(.stop, after: 10)
    try bench.perform(.undo([.init(stopped)]), after: 100)
    #expect(try shown() == 110 * second)
  }

  @Test mutating func `a correction of one that runs says what it shows now`() throws {
    try bench.clock(.start)
    try bench.perform(.correct(.current, to: .text("1:30")), after: 10)
    #expect(try shown(after: 5) == 95 * second)
  }

  @Test mutating func `a correction or a removal of one that runs records the time of the run`() throws {
    try bench.clock(.start)
    let (begin, cause) = (bench.time, Cause(producer: "test"))
    let corrected = try bench.ledger.perform(
      .correct(.current, to: .text("1:30")), at: begin + 10 * second, cause: cause)
    #expect(corrected.map(\.kind) == [.stopped, .started, .corrected])
    #expect(corrected.map(\.change) == [10 * second, 0, 80 * second])
    let removed = try bench.ledger.perform(.remove(.current), at: begin + 15 * second, cause: cause)
    #expect(removed.map(\.kind) == [.stopped, .removed])
    #expect(removed.map(\.change) == [5 * second, 0])
    #expect(removed.last?.value == 95 * second)
    // One undo takes back all of each.
    #expect(Set((corrected + removed).map(\.batch)) == [corrected[0].sequence, removed[0].sequence])
  }

  @Test mutating func `times beyond all sense trap nothing`() throws {
    try bench.perform(.correct(.current, to: .units(.max)))
    try bench.clock(.start)
    #expect(try shown(after: 1_000_000) == .max)
    #expect(try bench.clock(.lap).value == .max)
    #expect(try bench.clock(.stop).value == .max)
    var counter = try bench.counter("swim")
    for since in [Int64.min, .max] {
      counter.since = since
      for time in [Int64.min, 0, .max] { _ = counter.elapsed(at: time, in: Boot(id: "", began: .min)) }
    }
  }

  @Test mutating func `one beyond all sense begins anew with its period, goes on, and can be stopped`() throws {
    try bench.perform(.set(.current, [.period: .text("daily 00:00 UTC")]))
    try bench.perform(.correct(.current, to: .units(.max - second)))
    try bench.clock(.start)
    let ended = try bench.ledger.perform(
      .renew(bench.counter("swim").id), at: bench.time + 86_400 * second, cause: Cause(producer: "test"))
    #expect(ended.map(\.kind) == [.stopped, .renewed, .started])
    #expect(ended.map(\.change) == [second, -.max, 0])
    #expect(try bench.clock(.stop, after: 2 * 86_400).value > 0)
  }
}
