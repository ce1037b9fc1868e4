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
    try bench.perform(.undo(made.map { .init($0) }))
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
