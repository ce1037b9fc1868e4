import Counting
import TestKit
import Testing

@testable import Journal

@Suite struct `The runs of stopwatches` {
  private static let minute: Int64 = 60_000_000
  private static let hour = 60 * minute
  private let scratch: Scratch
  private let anna: Counter.ID

  init() throws {
    scratch = try Scratch()
    try scratch.perform(.create(name: "anna", isStopwatch: true))
    anna = try scratch.id("anna")
  }

  private func clock(_ verb: Change.StopwatchVerb, at time: Int64) throws {
    scratch.time = time - 1_000_000
    try scratch.perform(.clock(.named("anna"), verb))
  }

  /// The time added in each of the hours from 0 on.
  private func hours(_ count: Int64, now: Int64 = 0) throws -> [Int64] {
    let bounds = (0...count).map { $0 * Self.hour }
    return try scratch.store.totals(of: [anna], between: bounds, now: now, in: scratch.ledger).totals.map(\.added)
  }

  @Test func `are spread over the hours in which they ran, the current one included`() throws {
    let (minute, hour) = (Self.minute, Self.hour)
    try clock(.start, at: 2 * hour)
    try clock(.stop, at: 5 * hour)
    try clock(.start, at: 6 * hour + 10 * minute)
    #expect(try hours(8, now: 7 * hour) == [0, 0, hour, hour, hour, 0, 50 * minute, 0])
    let found = try scratch.store.statistics(of: [anna], from: .min, until: .max, now: 7 * hour, in: scratch.ledger)
    #expect(found.totals == Totals(counts: 2, added: 3 * hour + 50 * minute))
    #expect(found.busiest?.start == 2 * hour && found.busiest?.totals.added == hour)
    #expect(found.first == 2 * hour && found.last == 7 * hour)
    #expect(found.gap == 5 * hour...6 * hour + 10 * minute)
    // An hour begins with a run.
    let late = try scratch.store.statistics(
      of: [anna], from: 6 * hour, until: .max, now: 7 * hour, in: scratch.ledger)
    #expect(late.busiest?.start == 6 * hour)
    // Each counter by itself has the same sums.
    let each = try scratch.store.totals(of: [anna], between: [0, 8 * hour], now: 7 * hour, in: scratch.ledger)
    #expect(each.unit == .time && each.totals.map(\.counts) == [2])
  }

  @Test func `end where the statistics end`() throws {
    let hour = Self.hour
    try clock(.start, at: hour)
    try clock(.stop, at: 9 * hour)
    let found = try scratch.store.statistics(
      of: [anna], from: 3 * hour, until: 4 * hour + 1, now: 9 * hour, in: scratch.ledger)
    #expect(found.totals == Totals(counts: 1, added: hour + 1))
    #expect(found.busiest?.totals.added == hour)
    #expect(found.first == 3 * hour && found.last == 4 * hour + 1)
  }

  @Test func `of fifty years take neither long nor much memory`() throws {
    try clock(.start, at: Self.hour)
    let end = 50 * 365 * 24 * Self.hour
    try clock(.stop, at: end)
    let found = try scratch.store.statistics(of: [anna], from: .min, until: .max, now: end, in: scratch.ledger)
    #expect(found.busiest?.start == Self.hour && found.totals.added == end - Self.hour)
  }

  @Test func `that were taken back are left out, and the run goes on`() throws {
    let hour = Self.hour
    try clock(.start, at: hour)
    try clock(.stop, at: 2 * hour)
    scratch.time = 3 * hour
    #expect(try scratch.undo(anna))
    #expect(try hours(5, now: 4 * hour) == [0, hour, hour, hour, 0])
    let now = 4 * hour
    #expect(
      try scratch.store.values(of: [anna], at: 3 * hour + hour / 2, now: now, in: scratch.ledger)
        == [anna: 2 * hour + hour / 2])
  }

  @Test func `around a time are found at once, however many followed`() throws {
    func work(_ runs: Int64) throws -> Int {
      let scratch = try Scratch()
      try scratch.perform(.create(name: "anna", isStopwatch: true))
      for _ in 0..<runs {
        try scratch.perform(.clock(.named("anna"), .start))
        try scratch.perform(.clock(.named("anna"), .stop))
        if scratch.ledger.lastSequence.isMultiple(of: 64) { try scratch.settle() }
      }
      try scratch.settle()
      let id = try scratch.id("anna")
      return try scratch.steps {
        // The first run began at 1,002 seconds.
        let found = try scratch.store.values(of: [id], at: 1_002_500_000, now: scratch.time, in: scratch.ledger)
        #expect(found == [id: 500_000])
      }
    }
    #expect(try work(4000) <= 2 * work(1000) + 100)
  }

  @Test func `around a time are found although the clock was ahead before`() throws {
    let hour = Self.hour
    try clock(.start, at: 10 * hour)
    try clock(.stop, at: 11 * hour)
    for step in 0..<300 { try scratch.perform(.set(.named("anna"), [.title: .text("t\(step)")])) }
    try clock(.start, at: 2 * hour)
    try clock(.stop, at: 5 * hour)
    try scratch.settle()
    #expect(try scratch.store.values(of: [anna], at: 3 * hour, now: 6 * hour, in: scratch.ledger) == [anna: hour])
  }

  /// A value at a time includes every standing event before it; no minute of a run is counted twice.
  @Test(.seeded, arguments: 1...Rounds.times(2)) func `are those of a slow reading`(_ number: Int) throws {
    var dice = Seed.generator(case: number)
    let boot = Boot(id: "b", began: 0)
    scratch.ledger.boot = number.isMultiple(of: 2) ? boot : nil
    for step in 0..<600 {
      let time = scratch.time / Self.minute * Self.minute + Self.minute * dice.whole(1...50)
      scratch.time = time - 1_000_000
      do {
        switch dice.whole(0...11) {
        case 0: _ = try scratch.undo(anna)
        case 1: _ = try scratch.redo(anna)
        case 2: try scratch.perform(.add(.named("anna"), amount: .units(Self.minute * dice.whole(1...5))))
        case 3: try scratch.perform(.reset(.one(.named("anna")), isConfirmed: true))
        case 4: try scratch.perform(.correct(.named("anna"), to: .units(Self.minute * dice.whole(0...90))))
        case 5: try scratch.perform(.set(.named("anna"), [.title: .text("t\(step)")]))
        default:
          let verb = Change.StopwatchVerb.allCases.randomElement(using: &dice) ?? .toggle
          try scratch.perform(.clock(.named("anna"), verb))
        }
      } catch is CountingError {
        // A refusal changes nothing.
      }
      scratch.time = time
      if step % 100 == 7 { try scratch.settle() }
    }
    let now = scratch.time + Self.minute
    let events = try scratch.events
    var standing = Set(events.map(\.sequence))
    for event in events.reversed() where standing.contains(event.sequence) {
      if let undone = event.undoes { standing.remove(undone) }
    }
    try checkValues(events.filter { standing.contains($0.sequence) && $0.undoes == nil }, now, &dice)
    try checkTotals(events, standing, now, &dice)
  }

  private func checkValues(_ events: [Event], _ now: Int64, _ dice: inout SeededRandom) throws {
    let counter = try #require(scratch.ledger[anna])
    let run = (start: now - counter.running(at: now, in: scratch.ledger.boot), end: now)
    let runs = events.filter(\.kind.isTiming).map { (start: $0.time - $0.change, end: $0.time) } + [run]
    for time in (0...500).map({ _ in dice.whole(0...2 * now / Self.minute) * Self.minute / 2 }) + [now] {
      let booked = events.filter { $0.time <= time }.map(\.change).reduce(0, +)
      let value = runs.filter { $0.start < time && time < $0.end }.map { time - $0.start }.reduce(booked, +)
      let found = try scratch.store.values(of: [anna], at: time, now: now, in: scratch.ledger)[anna]
      #expect(found ?? 0 == value + (time < now ? 0 : run.end - run.start), "at minute \(time / Self.minute)")
    }
  }

  private func checkTotals(
    _ events: [Event], _ standing: Set<Int64>, _ now: Int64, _ dice: inout SeededRandom
  ) throws {
    // The time in each minute.
    var minutes: [Int64: Int64] = [:]
    func run(_ duration: Int64, until end: Int64) {
      for number in (end - duration) / Self.minute..<end / Self.minute { minutes[number, default: 0] += Self.minute }
    }
    for event in events where standing.contains(event.sequence) {
      if event.kind.isTiming { run(event.change, until: event.time) }
      if event.kind.isCount { minutes[event.time / Self.minute, default: 0] += event.change }
    }
    if let counter = scratch.ledger[anna] { run(counter.running(at: now, in: scratch.ledger.boot), until: now) }
    func sum(_ range: Range<Int64>) -> Int64 { range.reduce(0) { $0 + (minutes[$1] ?? 0) } }

    let bounds = (0...100).map { $0 * dice.whole(1...200) * Self.minute }.sorted()
    let distinct = bounds.enumerated().filter { $0.offset == 0 || bounds[$0.offset - 1] != $0.element }.map(\.element)
    let totals = try scratch.store.totals(of: [anna], between: distinct, now: now, in: scratch.ledger).totals
    #expect(
      totals.map(\.net) == zip(distinct, distinct.dropFirst()).map { sum($0 / Self.minute..<$1 / Self.minute) })
    let found = try scratch.store.statistics(of: [anna], from: 0, until: now + 1, now: now, in: scratch.ledger)
    let last = now / Self.minute
    #expect(found.totals.net == sum(0..<last + 1))
    let best = (0...last / 15).map { sum($0 * 15..<$0 * 15 + 60) }.max() ?? 0
    #expect(found.busiest?.totals.net ?? 0 == best)
  }
}
