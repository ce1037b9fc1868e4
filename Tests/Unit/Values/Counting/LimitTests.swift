import Counting
import TestKit
import Testing

@Suite struct `Numbers in errors` {
  @Test func `are in the unit of the counter`() {
    #expect(
      CountingError.limitReached("litres", limit: 4000, unit: .decimal(2)).message
        == "“litres” cannot go beyond its limit of 40.00.")
    #expect(
      CountingError.overflow("litres", value: 150, change: 25, unit: .decimal(2)).message
        == "“litres” stands at 1.50; changing it by 0.25 would exceed the range of 64-bit numbers.")
  }

  @Test func `leave out a change that is larger than any number`() {
    for change in [Int64.min, .max] {
      #expect(
        CountingError.overflow("c", value: .max, change: change).message
          == "“c” stands at 9223372036854775807; the change would exceed the range of 64-bit numbers.")
    }
  }

  @Test func `say that a number is too large, where it is not a fraction`() {
    #expect(throws: CountingError.badQuantity("9223372036854775808", reason: "it is outside the range of a counter")) {
      try Unit.things.number("9223372036854775808")
    }
  }
}

@Suite struct `Limits and steps` {
  var bench = Bench()

  @Test mutating func `taking off has a step of its own where it was given one`() throws {
    try bench.perform(.create(name: "a", [.step: .integer(3), .stepDown: .integer(5)]))
    #expect(try bench.add("a").change == 3)
    #expect(try bench.subtract("a").change == -5)
    try bench.perform(.set(.named("a"), [.stepDown: .none]))
    #expect(try bench.subtract("a").change == -3)
  }

  @Test mutating func `a limit that refuses is an error, and nothing has changed`() throws {
    try bench.perform(.create(name: "a", [.minimum: .integer(0), .maximum: .integer(10)]))
    try bench.add("a", 10)
    #expect(throws: CountingError.limitReached("a", limit: 10)) { try bench.add("a") }
    #expect(throws: CountingError.limitReached("a", limit: 0)) { try bench.subtract("a", 11) }
    #expect(throws: CountingError.limitReached("a", limit: 10)) { try bench.perform(.correct(.named("a"), to: 11)) }
    #expect(try bench.value("a") == 10)
    #expect(bench.events.count == 2)
  }

  @Test mutating func `a limit that stops is told in the event`() throws {
    try bench.perform(.create(name: "a", [.minimum: .integer(-2), .maximum: .integer(10), .limits: .text("stop")]))
    #expect(try bench.add("a", 9).marks == [])
    let stopped = try bench.add("a", 5)
    #expect((stopped.change, stopped.value, stopped.marks) == (1, 10, .limited))
    #expect(try bench.add("a").change == 0)
    #expect(try bench.subtract("a", .max).value == -2)
    #expect(try bench.subtract("a", .max).marks == .limited)
  }

  @Test(arguments: ["refuse", "stop"]) mutating func `a value that lies beyond a new limit may still go back`(
    _ limits: String
  ) throws {
    try bench.perform(.create(name: "a", [.start: .integer(-9)]))
    try bench.add("a", 29)
    try bench.perform(.set(.named("a"), [.maximum: .integer(10), .limits: .text(limits)]))
    #expect(try bench.value("a") == 20)
    #expect(try bench.subtract("a", 3).change == -3)
    if limits == "stop" { #expect(try bench.add("a", 4).change == 0) }
    try bench.perform(.correct(.named("a"), to: 12))
    #expect(try bench.value("a") == 12)
  }

  @Test mutating func `limits at the ends of 64 bits stop where others overflow`() throws {
    try bench.perform(.create(name: "a", [.maximum: .integer(.max), .limits: .text("stop")]))
    try bench.add("a", .max)
    #expect(try bench.add("a", .max).marks == .limited)
    #expect(try bench.value("a") == .max)
  }

  @Test(
    arguments: [
      ([.minimum: .integer(1)], "minimum"), ([.maximum: .integer(-1)], "maximum"),
      ([.minimum: .integer(3), .maximum: .integer(2)], "minimum"), ([.target: .integer(0)], "target"),
      ([.limits: .text("bounce")], "limits"), ([.colour: .text("reddish")], "colour"),
      ([.colour: .text("#12345g")], "colour"),
      ([.icon: .text("a\u{7}")], "icon"), ([.icon: .text(String(repeating: "x", count: 17))], "icon"),
      ([.note: .text(String(repeating: "x", count: 2001))], "note"),
      ([.tags: .text(String(repeating: "x ", count: 33))], "tags"), ([.order: .integer(.max)], "order"),
      ([.since: .integer(5)], "since"), ([.reachedAt: .integer(5)], "reachedAt"),
    ] as [(Settings, String)])
  mutating func `settings that make no sense are refused by their name`(_ settings: Settings, _ name: String) throws {
    #expect {
      try bench.perform(.create(name: "a", settings))
    } throws: { error in
      guard case CountingError.badSetting(name, _)? = error as? CountingError else { return false }
      return true
    }
    #expect(bench.ledger.isEmpty)
  }

  @Test func `a step of a journal that was edited by hand traps nothing`() throws {
    let counter = Counter(id: .init(1), name: try CounterName("a"), title: "a", start: 0, step: .min, value: 0)
    var ledger = Ledger(counters: [counter])
    #expect(throws: CountingError.self) {
      try ledger.perform(.subtract(.current, amount: nil), at: 0, cause: Cause(producer: "test"))
    }
  }
}

@Suite struct `Units` {
  @Test(arguments: [
    (Unit.things, 12, "12"), (.things, -12, "-12"), (.decimal(2), 1250, "12.50"), (.decimal(2), -5, "-0.05"),
    (.decimal(9), 1, "0.000000001"), (.time, 0, "0:00.00"), (.time, 90_000_000, "1:30.00"),
    (.time, -3_723_456_789, "-1:02:03.45"), (.decimal(3), .min, "-9223372036854775.808"),
  ]) func `numbers are written as people read them`(_ unit: Unit, _ number: Int64, _ text: String) {
    #expect(unit.text(number) == text)
  }

  @Test(arguments: [
    (Unit.things, "12", 12), (.things, "-3", -3), (.things, "2.0", 2), (.decimal(2), "12.5", 1250),
    (.decimal(2), "0.05", 5), (.decimal(1), "-0.50", -5), (.time, "90", 90_000_000), (.time, "1.5", 1_500_000),
    (.time, "1:30", 90_000_000), (.time, "1:02:03.5", 3_723_500_000), (.time, "-0:01", -1_000_000),
    (.things, "9223372036854775807", .max),
  ]) func `what people write is read exactly`(_ unit: Unit, _ text: String, _ number: Int64) throws {
    #expect(try unit.number(text) == number)
  }

  @Test(arguments: [
    (Unit.things, ""), (.things, "-"), (.things, "1.5"), (.things, "1:30"), (.things, "٣"), (.things, "1e3"),
    (.things, "9223372036854775808"), (.decimal(2), "0.125"), (.decimal(2), ".5"), (.decimal(2), "5."),
    (.decimal(9), "9223372037"), (.time, "1:60"), (.time, "1:2:3:4"), (.time, "1::2"), (.time, "1:-2"),
    (.time, "9999999999999:00"), (.time, "1.0000001"), (.things, String(repeating: "0", count: 33)),
  ]) func `what is no number is refused`(_ unit: Unit, _ text: String) {
    #expect { try unit.number(text) } throws: { error in
      guard case CountingError.badQuantity? = error as? CountingError else { return false }
      return true
    }
  }

  @Test(.seeded) func `what was written reads as the same`() throws {
    var random = Seed.generator()
    for _ in 0..<2000 {
      let number = Int64(bitPattern: random.next()) >> random.below(60)
      let decimals = random.whole(0...9 as ClosedRange<Int64>)
      guard number != .min else { continue }
      #expect(try Unit.decimal(decimals).number(Unit.decimal(decimals).text(number)) == number)
    }
  }
}
