import JSON
import Linux
import TestKit
import Testing

/// The times are hours before now, so that a rate is a little lower than that of whole hours.
@Suite struct `The rate of a counter` {
  let core: TestCore
  let client: TestClient
  private let hour: Int64 = 3_600_000_000
  private let now = Clock.microsecondsSince1970()

  init() throws {
    core = try TestCore()
    client = try core.client()
    try client.call("Create", ["name": "people"])
  }

  private func add(_ amount: Int64, hoursAgo hours: Double) throws -> Int64 {
    let time = now - Int64(hours * Double(hour))
    return try client.change("Add", ["counter": "people", "amount": .int(amount), "time": .int(time)])["sequence"]?.int
      ?? 0
  }

  private func define(_ name: String) throws {
    try client.call("CreateFormula", ["name": .string(name), "formula": "rate(people)"])
  }

  /// Whether the rate is that of an amount in a number of hours and at most a third more.
  private func isRate(_ client: TestClient, _ amount: Double, in hours: Double) throws -> Bool {
    let value = try client.call("List")["formulas"]?.array?.first?.object?["value"]?.string
    let rate = try #require(value.flatMap { Double($0) })
    return amount / (hours * 4 / 3) < rate && rate <= amount / hours
  }

  @Test(arguments: [false, true]) func `is by the time since a count that was entered for earlier`(isLast: Bool) throws
  {
    if !isLast { try define("pace") }
    let first = try add(60, hoursAgo: 4)
    _ = try add(10, hoursAgo: 2)
    if isLast { try define("pace") }
    #expect(try isRate(client, 70, in: 4))
    let past = try client.call("Past", ["counters": ["pace"], "time": .int(now - 3 * hour)])
    #expect(past["formulas"]?.array?.first?.object?["value"] == "60")
    try client.call("Undo", ["sequence": .int(first)])
    #expect(try isRate(client, 10, in: 2))
    try client.call("Redo")
    #expect(try isRate(client, 70, in: 4))
    core.restart()
    let again = try core.client()
    #expect(try isRate(again, 70, in: 4))
  }

  @Test func `is by the counts since a reset, and by those before it again once it is undone`() throws {
    try define("pace")
    _ = try add(60, hoursAgo: 4)
    try client.call("Reset", ["counter": "people", "confirmed": true])
    _ = try add(10, hoursAgo: 1)
    #expect(try isRate(client, 10, in: 1))
    core.restart()
    let again = try core.client()
    #expect(try isRate(again, 10, in: 1))
    for _ in 0..<2 { try again.call("Undo") }
    #expect(try isRate(again, 60, in: 4))
  }

  @Test func `is by the counts of a period that a counter gets or loses later`() throws {
    try define("pace")
    let steady = SteadyPeriod()
    _ = try client.change("Add", ["counter": "people", "amount": 60, "time": .int(steady.hour - 5 * hour)])
    func value(_ client: TestClient) throws -> Double {
      let value = try client.call("List")["formulas"]?.array?.first?.object?["value"]?.string
      return try #require(value.flatMap { Double($0) })
    }
    let before = try value(client)
    let earliest = Int64(steady.hour - 5 * hour)
    try client.call("Set", ["counter": "people", "period": .string(steady.hourly)])
    // The value keeps the count, so its first period began with it.
    #expect(try value(client) < 2 * before)
    #expect(try client.call("Get", ["counter": "people"])["counter"]?.object?["began"] == .int(earliest))
    try client.call("Undo", ["sequence": 3])
    #expect(try value(client) == 0)
    #expect(try client.value("people") == 0)
    try client.call("Undo")
    #expect(try client.call("Get", ["counter": "people"])["counter"]?.object?["period"] == nil)
  }

  /// It was that of a count at an earlier time if the counter got a period after it.
  @Test func `is in the past what it was, whatever period the counter has got since`() throws {
    try define("pace")
    let steady = SteadyPeriod()
    try client.call("Reset", ["counter": "people", "confirmed": true])
    try client.call("Add", ["counter": "people", "amount": 60, "time": .int(steady.hour - 3 * hour)])
    try client.call("Set", ["counter": "people", "period": .string(steady.hourly)])
    let present = try client.call("List")["formulas"]?.array?.first?.object?["value"]?.string
    let past = try client.call("Past", ["counters": ["pace"], "time": .int(Clock.microsecondsSince1970())])
    let value = past["formulas"]?.array?.first?.object?["value"]?.string
    #expect(try abs(#require(value.flatMap { Double($0) }) - #require(present.flatMap { Double($0) })) < 0.01)
  }

  @Test func `is over a minute at least, so that the first count is no forecast of thousands`() throws {
    try define("pace")
    for _ in 0..<2 { try client.call("Add", ["counter": "people"]) }
    let value = try client.call("List")["formulas"]?.array?.first?.object?["value"]?.string
    #expect(try 1...120 ~= #require(value.flatMap { Double($0) }))
  }

  /// The times are hours before now.
  @Test func `at an earlier time is by what had been counted then, whatever was reset since`() throws {
    try define("pace")
    func reset(hoursAgo hours: Int64, _ sequence: Int64) throws {
      let reset: JSON = ["verb": "reset", "counter": "people", "time": .int(now - hours * hour)]
      try client.call(
        "Deliver", ["producer": "p", "epoch": epoch, "sequence": .int(sequence), "changes": [reset, reset]])
    }
    let epoch = try client.call("Open", ["producer": "p"])["epoch"] ?? .null
    func past(hoursAgo hours: Int64) throws -> String? {
      let past = try client.call("Past", ["counters": ["pace"], "time": .int(now - hours * hour)])
      return past["formulas"]?.array?.first?.object?["value"]?.string
    }
    _ = try add(60, hoursAgo: 9)
    try reset(hoursAgo: 6, 1)
    _ = try add(12, hoursAgo: 5)
    try reset(hoursAgo: 2, 2)
    _ = try add(3, hoursAgo: 1)
    for _ in 0..<300 { try client.call("Select", ["counter": "people"]) }
    #expect(
      try [9, 8, 7, 6, 5, 4, 3, 2, 1].map { try past(hoursAgo: $0) }
        == ["3600", "60", "30", "0", "12", "6", "4", "0", "3"])
  }

  @Test func `is not searched for again by an undo that concerns no earlier count`() throws {
    try define("pace")
    try client.call("Create", ["name": "other"])
    func work() throws -> Int {
      try core.work {
        try client.call("Add", ["counter": "people"])
        for undo in ["Undo", "Redo", "Undo"] { try client.call(undo) }
        try client.call("Set", ["counter": "people", "target": 100])
        try client.call("Undo")
      }
    }
    let few = try work()
    for _ in 0..<300 { try client.call("Reset", ["counter": "other", "confirmed": true]) }
    #expect(try work() <= few * 2)
  }

  /// The latest reset that is not undone comes first.
  @Test func `is found after an undone reset without a look at all earlier ones`() throws {
    try define("pace")
    func work(afterResets resets: Int) throws -> Int {
      for _ in 0..<resets { try client.call("Reset", ["counter": "people", "confirmed": true]) }
      return try core.work { try client.call("Undo") }
    }
    let few = try work(afterResets: 3)
    #expect(try work(afterResets: 300) <= few * 2)
  }

  @Test func `leaves out counts of a period that has ended`() throws {
    try define("pace")
    let steady = SteadyPeriod()
    try client.call("Set", ["counter": "people", "period": .string(steady.hourly)])
    let late: JSONObject = ["counter": "people", "amount": 60, "time": .int(steady.hour - 5 * hour)]
    try client.call("Add", late)
    try client.call("Add", ["counter": "people", "amount": 6])
    let list = try client.call("List")
    // The count since the creation a moment ago, not over hours.
    let value = list["formulas"]?.array?.first?.object?["value"]?.string
    #expect(try #require(value.flatMap { Double($0) }) > 6)
  }
}
