import Csqlite
import JSON
import Linux
import Testing

/// What people read must not keep others from counting. `Tests/Endurance/Times` measures how long they wait.
@Suite(.serialized) struct `Beside those who read` {
  static let events: Int64 = 10_000
  /// When the first of them was made, in microseconds since 1970; one every second.
  static let start: Int64 = 1_700_000_000_000_000

  /// A core with a long history of one counter.
  func core() throws -> TestCore {
    let core = try TestCore()
    try core.client().call("Create", ["name": "people"])
    core.stop()
    var journal: OpaquePointer?
    #expect(sqlite3_open("\(core.folder)/counters.sqlite", &journal) == SQLITE_OK)
    defer { sqlite3_close(journal) }
    let fill = """
      INSERT INTO cause (id, producer, device, gesture) VALUES (100, 'clicker', 'pedal', 'press');
      INSERT INTO event (sequence, time, kind, counter, change, value, cause)
        WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < \(Self.events))
        SELECT n + 1, \(Self.start) + n * 1000000, 'added', 1, 1, n, 100 FROM n;
      UPDATE standing SET value = \(Self.events) WHERE counter = 1;
      """
    #expect(sqlite3_exec(journal, fill, nil, nil, nil) == SQLITE_OK)
    core.start()
    return core
  }

  /// The dearest questions: bounds in the middle of quarters of an hour, all of the history, what nothing is found by.
  static let questions: [(String, JSONObject)] = [
    ("Totals", ["bounds": .array((0..<100).map { .int(start + 7 + $0 * 100_000_000) })]),
    ("Totals", ["bounds": [1, .int(start + 77), .int(start + events * 1_000_000 + 1)]]),
    ("Statistics", [:]), ("Past", ["time": .int(start + 5_000_000_000)]),
    ("History", ["device": "nobody's", "after": 0]), ("History", ["limit": 1000, "from": 1]), ("List", [:]),
  ]

  @Test func `of a million things at once one counts, and they get right answers`() throws {
    let core = try core()
    defer { core.stop() }
    let client = try core.client()
    do {
      let readers = BusyReaders(core.socket, connections: 64, depth: 16, questions: Self.questions)
      try readers.wait(for: 64)
      for number in 1...Int64(50) {
        #expect(try client.change("Add", ["counter": "people"])["value"]?.int == Self.events + number)
      }
      // They are still at work.
      try readers.wait(for: 1)
    }
    let all = try client.call(
      "Totals", ["bounds": [1, .int(Self.start + 77), .int(Self.start + Self.events * 1_000_000 + 1)]])
    #expect(all["totals"]?.array?.map { $0.object?["added"]?.int } == [0, Self.events])
  }

  @Test func `and leave before they are answered one counts`() throws {
    let core = try core()
    defer { core.stop() }
    let client = try core.client()
    let readers = BusyReaders(core.socket, leavingAfter: ("History", ["device": "nobody's", "after": 0]))
    try readers.wait(for: 8)
    for number in 1...Int64(50) {
      #expect(try client.change("Add", ["counter": "people"])["value"]?.int == Self.events + number)
    }
    // They are still at work.
    try readers.wait(for: 1)
  }

  @Test func `a program sees all that it has counted itself`() throws {
    let client = try TestCore().client()
    for number in 1...50 {
      let sequence = try client.change("Add")["sequence"]?.int
      let newest = try client.call("History", ["limit": 1])["events"]?.array?.first?.object?["sequence"]?.int
      #expect(newest == sequence, "count \(number)")
    }
  }

  @Test func `an export holds what was there at one moment, while others count`() throws {
    let core = try TestCore()
    let client = try core.client()
    try client.call("Create", ["name": "people"])
    try client.call("Open", ["producer": "pedal"])
    let changes = JSON.array(Array(repeating: ["verb": "add", "counter": "people"], count: 100))
    for number in 1...20 {
      try client.call(
        "Deliver", ["producer": "pedal", "epoch": 1, "sequence": .int(Int64(number)), "changes": changes])
    }
    let (first, second) = (try client.call("Export"), try client.call("Export", ["after": 0]))
    let expected = (first["entries"]?.array ?? []) + (second["entries"]?.array ?? [])
    let rest = try second["next"].map { try client.call("Export", ["after": $0])["entries"]?.array ?? [] } ?? []
    var entries: [String] = []
    var replies = 0
    try core.client().export { reply in
      replies += 1
      #expect(reply["next"] == nil)
      entries += (reply["entries"]?.array ?? []).map(\.description)
      // In between more is counted, and what was counted before gets a note.
      try client.call("Add", ["counter": "people"])
      try client.call("Note", ["sequence": 1900, "text": .string("seen \(replies)")])
    }
    #expect(entries == (expected + rest).map(\.description))
    #expect(replies > 4)
    #expect(try client.value("people") == 2000 + Int64(replies))
  }

  @Test func `the totals of every counter come in one reply`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "people"])
    try client.call("Create", ["name": "litres", "decimals": 2])
    try client.call("Create", ["name": "anna", "kind": "stopwatch"])
    try client.call("Create", ["name": "nothing"])
    for amount: JSON in [2, 3] { try client.call("Add", ["counter": "people", "amount": amount]) }
    try client.call("Subtract", ["counter": "litres", "quantity": "1.25"])
    let now = Clock.microsecondsSince1970()
    let bounds: JSON = [1, .int(now - 3_600_000_000), .int(now + 1)]
    func totals(_ parameters: JSONObject) throws -> [String] {
      var parameters = parameters
      (parameters["bounds"], parameters["each"]) = (bounds, true)
      let reply = try client.call("Totals", parameters)
      #expect(reply["totals"] == [])
      return (reply["counters"]?.array ?? []).map { entry in
        let entry = entry.object ?? [:]
        let totals = (entry["totals"]?.array ?? []).map { total in
          ["counts", "added", "subtracted"].map { "\(total.object?[$0]?.int ?? -1)" }.joined(separator: " ")
        }
        let unit = entry["stopwatches"] == true ? "stopwatch" : "\(entry["decimals"]?.int ?? 0)"
        return ([entry["name"]?.string ?? "", unit] + totals).joined(separator: ", ")
      }
    }
    let (people, nothing) = ("people, 0, 0 0 0, 2 5 0", "nothing, 0, 0 0 0, 0 0 0")
    #expect(try totals([:]) == [people, "litres, 2, 0 0 0, 1 0 125", "anna, stopwatch, 0 0 0, 0 0 0", nothing])
    #expect(try totals(["counters": ["nothing", "people"]]) == [nothing, people])
    #expect(refusal("name") { _ = try totals(["counters": ["cats"]]) } == "NoSuchCounter cats")
  }

  @Test func `many counters and formulas are listed and watched as few are`() throws {
    let core = try TestCore()
    let client = try core.client()
    for number in 0..<201 { try client.call("Create", ["name": .string("c\(number)")]) }
    var seen: [String] = []
    try core.client().watch { reply in
      if let counters = reply["counters"]?.array {
        seen.append("\(counters.count)")
        for name in ["c7", "c8"] { try client.call("Add", ["counter": .string(name)]) }
        return true
      }
      seen.append(reply["event"]?.object?["counter"]?.string ?? "")
      return seen.count < 3
    }
    #expect(seen == ["201", "c7", "c8"])
    let counters = try client.call("List")["counters"]?.array ?? []
    #expect(counters.count == 201)
    #expect(counters[7].object?["value"] == 1)
    #expect(try client.call("Overview")["sum"] == 2)
  }
}
