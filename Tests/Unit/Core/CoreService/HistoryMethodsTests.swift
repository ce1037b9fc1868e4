import JSON
import Testing

@Suite struct `What happened, over the socket` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
    try client.change("Create", ["name": "people"])
    try client.change("Create", ["name": "dogs"])
    try client.call("Open", ["producer": "inputd"])
    let changes: [JSON] = (0..<5).map { index in
      [
        "verb": "add", "counter": index == 4 ? "dogs" : "people", "amount": 2, "time": .int(1_000_000_000 + index),
        "device": "RDing FootSwitch", "gesture": index == 3 ? "press KEY_B" : "long-press KEY_B",
      ]
    }
    try client.call("Deliver", ["producer": "inputd", "epoch": 1, "sequence": 1, "changes": .array(changes)])
  }

  /// They were also summed as counts of all counters.
  @Test func `a stop of all stopwatches is no count`() throws {
    let bounds: JSON = [0, .int(.max >> 11)]
    func counts() throws -> Int64? {
      try client.call("Totals", ["bounds": bounds])["totals"]?.array?.first?.object?["counts"]?.int
    }
    let before = try counts()
    try client.call("Create", ["name": "swim", "kind": "stopwatch"])
    for verb in ["Start", "Lap", "Stop"] { try client.call(verb, ["all": true]) }
    for _ in 0..<300 { try client.call("Select", ["counter": "people"]) }
    #expect(try counts() == before)
  }

  /// It made the mean of the counts too low.
  @Test func `a count of which a limit left nothing is no count`() throws {
    try client.call("Create", ["name": "room", "maximum": 2, "limits": "stop"])
    try client.call("Add", ["counter": "room", "amount": 3, "time": 1_000_000_000])
    for _ in 0..<3 { try client.call("Add", ["counter": "room", "amount": 5, "time": 2_000_000_000]) }
    func check() throws {
      let totals = try client.call("Totals", ["counters": ["room"], "bounds": [0, 1_500_000_001, 3_000_000_001]])
      #expect(totals["totals"]?.array?.map { $0.object?["counts"] } == [1, 0])
      let statistics = try client.call("Statistics", ["counters": ["room"]])
      #expect(statistics["total"]?.object?["counts"] == 1)
      #expect(statistics["last"] == 1_000_000_000)
    }
    try check()
    try client.call("Undo", ["counter": "room"])
    try check()
    for _ in 0..<300 { try client.call("Select", ["counter": "people"]) }
    try check()
    try JournalCheck.expectWhole(client)
  }

  /// The late count is the last event of its counter in a block.
  @Test func `a counter whose only early count was undone did not exist then`() throws {
    func fill(to last: Int64) throws {
      while try client.change("Add", ["counter": "dogs"])["sequence"]?.int ?? .max < last {}
    }
    try fill(to: 255)
    try client.call("Add", ["counter": "people", "time": 1_000])
    try client.call("Undo", ["counter": "people"])
    let past = try client.call("Past", ["counters": ["people"], "time": 500_000_000])
    #expect(past["values"]?.array?.first?.object?["value"] == nil)
  }

  @Test func `a past value beyond 64 bits is the nearest one`() throws {
    try client.call("Create", ["name": "sum", "start": .int(.min)])
    for amount: Int64 in [.max, .max, 1] { try client.call("Add", ["counter": "sum", "amount": .int(amount)]) }
    for time: JSON in [5, 6, 7] {
      try client.call("Subtract", ["counter": "sum", "amount": .int(.max)])
      try client.call("Add", ["counter": "sum", "amount": .int(.max), "time": time])
    }
    let past = try client.call("Past", ["counters": ["sum"], "time": 10])["values"]?.array
    #expect(past?.first?.object?["value"]?.int == .max)
  }

  @Test func `the history is asked for by counters, cause and time`() throws {
    func sequences(_ parameters: JSONObject) throws -> [Int64] {
      try client.call("History", parameters)["events"]?.array?.compactMap { $0.object?["sequence"]?.int } ?? []
    }
    #expect(try sequences(["counters": ["dogs", "people"], "after": 0, "producer": "inputd"]) == [3, 4, 5, 6, 7])
    #expect(try sequences(["gesture": "press"]) == [6])
    #expect(
      try sequences(["gesture": "long-press KEY_B", "device": "footswitch", "counters": ["people"]]) == [5, 4, 3])
    #expect(try sequences(["from": 1_000_000_001, "until": 1_000_000_003]) == [5, 4])
    #expect(refusal("name") { _ = try sequences(["counters": ["cats"]]) } == "NoSuchCounter cats")
  }

  @Test func `totals, statistics and past values are answered`() throws {
    let totals = try client.call("Totals", ["counters": ["people"], "bounds": [0, 1_000_000_002, 2_000_000_000]])
    #expect(totals["totals"]?.array?.map { $0.object?["added"]?.int } == [4, 4])
    let statistics = try client.call("Statistics", ["counters": ["people", "dogs"]])
    #expect(statistics["total"]?.object?["counts"] == 5)
    #expect(statistics["gap"]?.object?["end"] == 1_000_000_001)
    #expect(statistics["busiest"]?.object?["start"] == 900_000_000)
    let past = try client.call("Past", ["counters": ["people", "dogs"], "time": 1_000_000_001])["values"]?.array
    #expect(past?.map { $0.object?["value"]?.int } == [4, nil])
    #expect(refusal("parameter") { try client.call("Totals", ["bounds": [5, 5]]) } == "InvalidParameter bounds")
  }

  @Test func `a formula has the value that follows from the past values of its counters`() throws {
    try client.call("CreateGroup", ["name": "all"])
    for name: JSON in ["people", "dogs"] { try client.call("Set", ["counter": name, "group": "all"]) }
    try client.call("Create", ["name": "swim", "kind": "stopwatch", "group": "all"])
    for (name, formula): (JSON, JSON) in [
      ("sum", "people + 1"), ("whole", "sum(group:all)"), ("more", "sum * 2"), ("pace", "rate(people)"),
      ("time", "swim"),
    ] {
      try client.call("CreateFormula", ["name": name, "formula": formula])
    }
    let names: JSON = ["sum", "people", "whole", "more", "pace", "time"]
    let reply = try client.call("Past", ["counters": names, "time": 1_000_000_001])
    #expect(reply["values"]?.array?.map { $0.object?["value"]?.int } == [4])
    let formulas = (reply["formulas"]?.array ?? []).compactMap(\.object)
    // The dogs and the stopwatch did not exist yet. The rate is of 4 counts in a minute, the least time.
    try client.call("Create", ["name": "cats", "start": 3])
    try client.call("SetFormula", ["name": "sum", "formula": "people + cats + rate(cats)"])
    try client.call("CreateFormula", ["name": "late", "formula": "cats"])
    func past(_ name: String) throws -> JSON? {
      let past = try client.call("Past", ["counters": [.string(name)], "time": 1_000_000_001])
      return past["formulas"]?.array?.first?.object?["value"]
    }
    // A summand that was added later takes nothing from the past.
    #expect(try past("sum") == "7")
    #expect(try past("late") == nil)
    #expect(formulas.map { $0["value"]?.string } == ["5", "4", "10", "240", nil])
    #expect(formulas.map { $0["text"]?.string } == ["5", "4", "10", "240", nil])
    let now = try client.call("Past", ["counters": ["time"], "time": 4_000_000_000_000_000])
    #expect(now["values"]?.array?.isEmpty == true)
    #expect(now["formulas"]?.array?.first?.object?["value"] == "0")
    #expect(try client.call("Past", ["time": 0])["formulas"]?.array?.count == 6)
    #expect(refusal("name") { try client.call("Past", ["counters": ["f"], "time": 0]) } == "NoSuchCounter f")
  }
}
