import Counting
import TestKit
import Testing

@testable import Journal

@Suite struct `Looking back` {
  static let paces: [(Int, Int64)] = [(1, 1_000_000), (2, 90_000_000), (3, 2_000_000_000)]

  @Test(.seeded, arguments: paces) func `a search finds what a filter means, whatever summaries it skips by`(
    _ number: Int, _ pace: Int64
  ) throws {
    let history = try RandomHistory(case: number, events: 700, pace: pace)
    for _ in 0..<Rounds.times(10) {
      let from = RandomHistory.beginning + Int64(history.random(UInt64(pace) * 750))
      let filter = EventFilter(
        counters: [nil, [.init(1)], [.init(1), .init(3)]][Int(history.random(3))],
        producer: history.random(3) == 0 ? "clicker" : nil, device: history.random(3) == 0 ? "PEDAL" : nil,
        gesture: history.random(4) == 0 ? "press" : nil, from: history.random(2) == 0 ? from : nil,
        until: history.random(2) == 0 ? from + Int64(history.random(UInt64(pace) * 420)) : nil)
      let expected = history.events.filter { event in
        filter.counters?.contains(event.counter) ?? true && filter.producer.map { $0 == event.cause.producer } ?? true
          && filter.device.map { event.cause.device?.contains($0.lowercased()) == true } ?? true
          && (filter.gesture == nil || event.cause.gesture != nil) && event.time >= filter.from ?? .min
          && event.time < filter.until ?? .max
      }
      let forwards = try pages(history, filter) { .after($0) }
      #expect(forwards == expected.map(\.sequence))
      let backwards = try pages(history, filter, from: .max) { .before($0) }
      #expect(backwards == expected.reversed().map(\.sequence))
    }
  }

  private func pages(
    _ history: RandomHistory, _ filter: EventFilter, from start: Int64 = 0, _ page: (Int64) -> CounterStore.Page
  ) throws -> [Int64] {
    var (found, position) = ([Int64](), start)
    while true {
      let answer = try history.store.search(filter, page(position), limit: 97, in: history.ledger)
      found += answer.events.map(\.sequence)
      guard let next = answer.next else { return found }
      position = next
    }
  }

  @Test(.seeded, arguments: paces) func `totals are the sums of the counts that stand`(_ number: Int, _ pace: Int64)
    throws
  {
    let history = try RandomHistory(case: number + 10, events: 700, pace: pace)
    for _ in 0..<Rounds.times(10) {
      let quarter: Int64 = 900_000_000
      let unit = [60_000_000, quarter, 4 * quarter, 96 * quarter][Int(history.random(4))]
      var bounds = [RandomHistory.beginning - RandomHistory.beginning % unit + unit * Int64(history.random(40))]
      for _ in 0...history.random(50) { bounds.append(bounds[bounds.count - 1] + unit) }
      if history.random(2) == 0 {
        bounds[0] += Int64(history.random(UInt64(unit)))
        bounds[bounds.count - 1] -= Int64(history.random(UInt64(unit)))
        guard zip(bounds, bounds.dropFirst()).allSatisfy(<) else { continue }
      }
      let counters: Set<Counter.ID>? = [nil, [.init(2)], [.init(1), .init(3)]][Int(history.random(3))]
      let expected = zip(bounds, bounds.dropFirst()).map {
        RandomHistory.totals(of: history.counts(of: counters, from: $0, until: $1))
      }
      #expect(try history.store.totals(of: counters, between: bounds, in: history.ledger).totals == expected)
    }
  }

  @Test(.seeded, arguments: paces) func `the busiest hour and the longest gap are those of a slow reading`(
    _ number: Int, _ pace: Int64
  ) throws {
    let history = try RandomHistory(case: number + 20, events: 700, pace: pace)
    for counters: Set<Counter.ID>? in [nil, [.init(1)], [.init(2), .init(3)]] {
      let found = try history.store.statistics(of: counters, from: .min, until: .max, in: history.ledger)
      let counts = history.counts(of: counters, from: .min, until: .max)
      #expect(found.totals == RandomHistory.totals(of: counts))
      let quarter: Int64 = 900_000_000
      // Before subtractions the busiest hour begins with a quarter hour without counts.
      let starts = Set(counts.flatMap { count in (0...3).map { (count.time / quarter - $0) * quarter } })
      let sums = starts.map { start in
        counts.filter { start <= $0.time && $0.time < start + 4 * quarter }.reduce(0) { $0 + $1.change }
      }
      #expect(found.busiest?.totals.net == sums.max().flatMap { $0 > 0 ? $0 : nil })
      // One that was taken back neither begins nor ends anything.
      let times = counts.map(\.time).sorted()
      let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
      #expect((found.gap.map { $0.upperBound - $0.lowerBound } ?? 0) == longest)
      #expect(found.first == times.first && found.last == times.last)
    }
  }

  @Test(arguments: [0, 600]) func `a count entered later and taken back leaves nothing in the past`(_ others: Int)
    throws
  {
    let scratch = try Scratch()
    for name in ["a", "b"] { try scratch.perform(.create(name: name)) }
    let a = try scratch.id("a")
    try scratch.perform(.add(.named("a"), amount: 3))
    let (count, early) = (scratch.time, Int64(1_000_000))
    func fill() throws { for _ in 0...others { try scratch.perform(.add(.named("b"), amount: nil)) } }
    try fill()
    func enter(at time: Int64) throws {
      let late = try scratch.ledger.perform(.add(.named("a"), amount: 50), at: time, cause: Cause(producer: "test"))
      for event in late { try scratch.store.append(event, to: scratch.ledger) }
      try fill()
      try scratch.perform(.undo(late.map { Change.Takeback($0) }, .one))
      try fill()
    }
    try enter(at: count)
    try enter(at: early)
    try scratch.settle()
    func value(_ time: Int64) throws -> Int64? { try scratch.store.values(of: [a], at: time, in: scratch.ledger)[a] }
    let values = try [early, count, scratch.time].map { try value($0) }
    #expect(values == [nil, 3, 3])
    let found = try scratch.store.statistics(of: [a], from: .min, until: .max, in: scratch.ledger)
    #expect(found.first == 1_003_000_000 && found.last == found.first && found.gap == nil)
  }

  @Test func `a late count that was undone leaves nothing where nothing else happened since`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "a"))
    try scratch.perform(.add(.named("a"), amount: 3))
    let (a, then) = (try scratch.id("a"), scratch.time + 3_600_000_000)
    scratch.time += 7_200_000_000
    func value() throws -> Int64? { try scratch.store.values(of: [a], at: then, in: scratch.ledger)[a] }
    var late = try scratch.ledger.perform(
      .add(.named("a"), amount: 50), at: then - 1_000_000, cause: Cause(producer: "test"))
    late.markCounts(.late)
    for event in late { try scratch.store.append(event, to: scratch.ledger) }
    #expect(try value() == 53)
    let undone = try scratch.perform(.undo(late.map { Change.Takeback($0) }, .one))
    #expect(try value() == 3)
    try scratch.perform(.redo(undone.map { Change.Takeback($0) }, .one))
    try scratch.settle()
    #expect(try value() == 53)
  }

  @Test(.seeded, arguments: paces) func `a value at a past moment is the fold of what was before it`(
    _ number: Int, _ pace: Int64
  ) throws {
    let history = try RandomHistory(case: number + 30, events: 700, pace: pace)
    let counters = [1, 2, 3].map { Counter.ID($0) }
    for _ in 0..<Rounds.times(10) {
      let time = RandomHistory.beginning + Int64(history.random(UInt64(pace) * 800)) - pace * 100
      let found = try history.store.values(of: counters, at: time, in: history.ledger)
      for counter in counters {
        #expect(found[counter] == history.value(of: counter, at: time))
      }
    }
  }

  @Test func `toggling one count thousands of times neither loses it nor takes long`() throws {
    let history = try RandomHistory(case: 5, events: 4, pace: 1)
    for round in 0..<3000 {
      let last =
        round % 2 == 0
        ? try history.store.lastUndoable(of: nil, in: history.ledger)
        : try history.store.lastRedoable(of: nil, in: history.ledger)
      try history.toggle(last, isUndo: round % 2 == 0)
    }
    try history.commit()
    let all: [Int64] = [0, .max]
    let counts = history.counts(of: nil, from: 0, until: .max)
    #expect(
      try history.store.totals(of: nil, between: all, in: history.ledger).totals == [RandomHistory.totals(of: counts)])
  }

  @Test(arguments: [3, 400]) func `sums over counters with other decimals are exact, and times are left out`(
    _ rounds: Int64
  ) throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    try scratch.perform(.create(name: "litres", decimals: 2))
    try scratch.perform(.create(name: "grams", decimals: 1))
    try scratch.perform(.create(name: "anna", isStopwatch: true))
    let start = scratch.time
    // Events of groups are no counts.
    try scratch.perform(.createGroup(name: "team"))
    try scratch.perform(.create(name: "bea", isStopwatch: true, [.group: .text("team")]))
    try scratch.perform(.clockAll(ofGroup: "team", .start))
    try scratch.perform(.clockAll(ofGroup: "team", .stop))
    for _ in 0..<rounds {
      try scratch.perform(.add(.named("people"), amount: 3))
      try scratch.perform(.add(.named("litres"), amount: .text("0.25")))
      try scratch.perform(.subtract(.named("grams"), amount: .text("1.5")))
      try scratch.perform(.add(.named("anna"), amount: .text("10")))
    }
    try scratch.settle()
    let (people, litres, grams, anna) = try (
      scratch.id("people"), scratch.id("litres"), scratch.id("grams"), scratch.id("anna")
    )
    let cases: [(Set<Counter.ID>?, Unit, Totals)] = [
      (nil, .decimal(2), Totals(counts: 3 * rounds, added: 325 * rounds, subtracted: 150 * rounds)),
      ([people], .things, Totals(counts: rounds, added: 3 * rounds)),
      ([people, grams], .decimal(1), Totals(counts: 2 * rounds, added: 30 * rounds, subtracted: 15 * rounds)),
      ([litres, anna], .decimal(2), Totals(counts: rounds, added: 25 * rounds)),
      ([anna], .time, Totals(counts: rounds, added: 10_000_000 * rounds)),
    ]
    // From quarter to quarter, and count by count.
    let quarters: [Int64] = [0, 90_000_000_000_000]
    let exact = [start - 1, scratch.time - 5_000_001, scratch.time + 1]
    for (counters, unit, sum) in cases {
      let whole = try scratch.store.totals(of: counters, between: quarters, in: scratch.ledger)
      #expect(whole.unit == unit)
      #expect(whole.totals == [sum])
      let parts = try scratch.store.totals(of: counters, between: exact, in: scratch.ledger)
      var together = parts.totals[0]
      together.include(parts.totals[1])
      #expect(together == sum)
      let statistics = try scratch.store.statistics(of: counters, from: .min, until: .max, in: scratch.ledger)
      #expect(statistics.unit == unit)
      #expect(statistics.totals == sum)
    }
  }

  /// As a journal may hold them that took in an archive of a former version.
  @Test func `times near both ends of 64 bits have a gap between them`() throws {
    let scratch = try Scratch()
    for time in [Int64.min, 9_223_372_030_000_000_000] {
      let cause = Cause(producer: "test")
      for event in try scratch.ledger.perform(.add(.current, amount: 1), at: time, cause: cause) {
        try scratch.store.append(event, to: scratch.ledger)
      }
    }
    let found = try scratch.store.statistics(of: nil, from: .min, until: .max, in: scratch.ledger)
    #expect(found.totals.counts == 2)
    #expect(found.gap == .min...9_223_372_030_000_000_000)
  }

  @Test func `the beginning of a rate in an ended period is found by its first counts, however many follow`() throws {
    func work(of counts: Int64) throws -> Int {
      let scratch = try Scratch()
      scratch.time = 1_800_000_000_000_000
      try scratch.perform(.create(name: "people", [.period: .text("yearly 01-01 00:00 UTC")]))
      try scratch.settle()
      let (year, step) = (1_704_067_200_000_000 as Int64, 1_200_000_000 as Int64)
      var archive = Archive()
      for number in 1...counts {
        try archive.add(Archive.Count(name: "people", time: year + number * step, amount: "1"))
      }
      scratch.ledger = try scratch.store.importArchive(
        archive, onClash: .merge, at: scratch.time, isTrial: false, in: scratch.ledger
      ).1
      while scratch.store.isBehind { try scratch.settle() }
      let counter = try scratch.ledger.find(.named("people"))
      return try scratch.steps {
        let moment = year + 5000 * step
        let found = try scratch.store.reader.beginning(of: counter, at: moment, in: scratch.ledger)
        #expect(found == year + step)
      }
    }
    // Of each further quarter hour only the number is read.
    #expect(try work(of: 1600) < 16_000)
  }
}
