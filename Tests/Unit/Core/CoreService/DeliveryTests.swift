import JSON
import Linux
import Testing
import Varlink

@Suite struct `Deliveries over the socket` {
  let core: TestCore
  let client: TestClient

  init() throws {
    core = try TestCore()
    client = try core.client()
  }

  func open() throws -> Int64 { try client.call("Open", ["producer": "pedals"])["epoch"]?.int ?? 0 }

  @discardableResult
  func deliver(_ sequence: Int64, epoch: Int64 = 1, _ changes: JSON = [["verb": "add"]]) throws -> JSONObject {
    try client.call(
      "Deliver", ["producer": "pedals", "epoch": .int(epoch), "sequence": .int(sequence), "changes": changes])
  }

  @Test(
    arguments: [
      ("add", "group", "g"), ("add", "all", true), ("add", "made", 5), ("select", "amount", 1),
      ("next", "counter", "a"),
      ("undo", "group", "g"), ("undo", "all", true), ("redo", "made", 5), ("reset", "amount", 3),
      ("start", "quantity", "1"),
    ] as [(String, String, JSON)])
  func `a member that a verb does not take is refused, and not ignored`(verb: String, member: String, value: JSON)
    throws
  {
    try client.call("Create", ["name": "a"])
    try client.call("Open", ["producer": "pedals"])
    let change: JSON = .object(["verb": .string(verb), member: value])
    #expect(refusal("parameter") { try deliver(1, [change]) } == "InvalidParameter changes[0].\(member)")
    #expect(try client.value("a") == 0)
    #expect(try deliver(1, [.object(["verb": "add", member: .null])])["duplicate"] == false)
  }

  @Test func `the first gesture of all makes the counter called count`() throws {
    #expect(try open() == 1)
    let change: JSON = [["verb": "add", "device": "pedal", "gesture": "press KEY_B", "time": 1_700_000_000_000_000]]
    let events = try deliver(1, change)["events"]?.array ?? []
    #expect(events.map { $0.object?["kind"]?.string } == ["created", "added"])
    #expect(events.last?.object?["time"] == 1_700_000_000_000_000)
    #expect(events.last?.object?["cause"] == ["producer": "pedals", "device": "pedal", "gesture": "press KEY_B"])
    #expect(try client.value("count") == 1)
  }

  @Test func `a repeat gets the same answer and counts nothing, also after a restart`() throws {
    _ = try open()
    let first = try deliver(1)
    #expect(first["duplicate"] == false)
    let again = try deliver(1)
    #expect(again["duplicate"] == true)
    #expect(again["events"] == first["events"])
    core.restart()
    let client = try core.client()
    let later = try client.call(
      "Deliver", ["producer": "pedals", "epoch": 1, "sequence": 1, "changes": [["verb": "add"]]])
    #expect(later["events"] == first["events"])
    #expect(try client.value("count") == 1)
  }

  @Test func `several changes together make a thousand events at most`() throws {
    for number in 0..<40 { _ = try client.call("Create", ["name": .string("c\(number)")]) }
    for number in 0..<40 { _ = try client.call("Add", ["counter": .string("c\(number)")]) }
    _ = try open()
    // A confirmed reset of all makes 41 events, as do its undo and redo.
    func changes(_ pairs: Int) -> JSON {
      let reset: [JSON] = [["verb": "reset", "all": true], ["verb": "reset", "all": true]]
      return .array(reset + (0..<pairs).flatMap { _ -> [JSON] in [["verb": "undo"], ["verb": "redo"]] })
    }
    let before = try client.call("List")
    let error = #expect(throws: VarlinkError.self) { try deliver(1, changes(49)) }
    #expect(error == .invalidParameter("changes"))
    #expect(try client.call("List") == before)
    let count = try deliver(1, changes(10))["events"]?.array?.count
    #expect(count == 1 + 41 * 21)
  }

  @Test func `what turned out to be a beginning is taken back exactly, whoever counted since`() throws {
    _ = try open()
    try deliver(1, [["verb": "add", "amount": 5, "time": 1000, "device": "screen"]])
    _ = try client.call("Add", ["amount": 100])
    let both: JSON = [
      ["verb": "undo", "made": 1000, "time": 2000, "device": "screen"],
      ["verb": "add", "amount": 10, "time": 2000, "device": "screen"],
    ]
    let events = try deliver(2, both)["events"]?.array ?? []
    #expect(events.map { $0.object?["kind"]?.string } == ["undone", "added"])
    #expect(try client.value("count") == 110)
    #expect(try deliver(2, both)["duplicate"] == true)
    // It is taken back already, was done with another device, or at no such time.
    for change: JSON in [
      ["verb": "undo", "made": 1000, "device": "screen"], ["verb": "undo", "made": 2000, "device": "pedal"],
      ["verb": "undo", "made": 3000, "device": "screen"],
    ] {
      let sequence = (try client.value("count") ?? 0) - 107
      #expect(try deliver(sequence, [change, ["verb": "add", "amount": 1]])["events"]?.array?.count == 1)
    }
    #expect(try client.value("count") == 113)
  }

  /// A substitution: anna leaves, bea enters.
  private let substitution: JSON = [
    ["verb": "stop", "counter": "anna", "time": 9000, "device": "pedal"],
    ["verb": "start", "counter": "bea", "time": 9000, "device": "pedal", "together": true],
  ]

  private func startMatch() throws {
    for name: JSON in ["anna", "bea"] { _ = try client.call("Create", ["name": name, "kind": "stopwatch"]) }
    _ = try client.call("Start", ["counter": "anna"])
    _ = try open()
  }

  private func isRunning(_ name: JSON) throws -> Bool {
    try client.call("Get", ["counter": name])["counter"]?.object?["since"] != nil
  }

  @Test func `changes that belong together are one step of undo and redo`() throws {
    try startMatch()
    let events = try deliver(1, substitution)["events"]?.array ?? []
    #expect(events.map { $0.object?["kind"]?.string } == ["stopped", "started"])
    let batch = events.first?.object?["sequence"]
    #expect(batch != nil && events.allSatisfy { $0.object?["batch"] == batch })
    _ = try client.call("Undo")
    #expect(try [isRunning("anna"), isRunning("bea")] == [true, false])
    _ = try client.call("Redo")
    #expect(try [isRunning("anna"), isRunning("bea")] == [false, true])
    _ = try client.call("Undo")
    // The next one before is the start of the match.
    _ = try client.call("Undo")
    #expect(try [isRunning("anna"), isRunning("bea")] == [false, false])
  }

  @Test func `a group of stopwatches belongs to what it is done with`() throws {
    _ = try client.call("CreateGroup", ["name": "team"])
    try startMatch()
    for name: JSON in ["anna", "bea"] { _ = try client.call("Move", ["counter": name, "group": "team"]) }
    _ = try client.call("Create", ["name": "goals"])
    try deliver(
      1,
      [
        ["verb": "add", "counter": "goals", "time": 9000, "device": "pedal"],
        ["verb": "stop", "group": "team", "time": 9000, "device": "pedal", "together": true],
      ])
    #expect(try client.value("goals") == 1 && !isRunning("anna"))
    _ = try client.call("Undo")
    #expect(try client.value("goals") == 0 && isRunning("anna"))
  }

  @Test(
    arguments: [
      [["verb": "undo"], ["verb": "add", "together": true]], [["verb": "add"], ["verb": "redo", "together": true]],
      [["verb": "undo", "made": 1000], ["verb": "add", "together": true]],
    ] as [JSON])
  func `neither an undo nor a redo belongs together with another change`(_ changes: JSON) throws {
    _ = try open()
    try deliver(1)
    #expect(
      refusal("parameter") { try deliver(2, changes) } == "InvalidParameter changes[1].together")
    #expect(try client.value("count") == 1)
    try deliver(2)
    #expect(try client.value("count") == 2)
  }

  @Test func `of changes that belong together none happens if one is refused`() throws {
    try startMatch()
    _ = try client.call("Start", ["counter": "bea"])
    let last = try client.call("History", ["limit": 1])["events"]
    #expect(throws: VarlinkError.self) { try deliver(1, substitution) }
    #expect(try [isRunning("anna"), isRunning("bea")] == [true, true])
    #expect(try client.call("History", ["limit": 1])["events"] == last)
  }

  @Test func `what turned out to be a beginning is taken back with all that was done together`() throws {
    try startMatch()
    try deliver(1, substitution)
    let both: JSON = [
      ["verb": "undo", "made": 9000, "time": 9500, "device": "pedal"],
      ["verb": "add", "counter": "goals", "time": 9500, "device": "pedal"],
    ]
    _ = try client.call("Create", ["name": "goals"])
    try deliver(2, both)
    #expect(try [isRunning("anna"), isRunning("bea")] == [true, false])
    // The goal is a step of its own.
    _ = try client.call("Undo")
    #expect(try client.value("goals") == 0)
    #expect(try [isRunning("anna"), isRunning("bea")] == [true, false])
  }

  @Test func `a count that makes its counter is undone with the rest, and the counter stays`() throws {
    _ = try open()
    let changes: JSON = [
      ["verb": "add"], ["verb": "next", "together": true], ["verb": "add", "amount": 5, "together": true],
    ]
    let events = try deliver(1, changes)["events"]
    #expect(events?.array?.map { $0.object?["kind"]?.string } == ["created", "added", "selected", "added"])
    #expect(events?.array?.map { $0.object?["batch"]?.int } == [nil, 2, 2, 2])
    #expect(try client.value("count") == 6)
    _ = try client.call("Undo")
    #expect(try client.value("count") == 0)
    _ = try client.call("Redo")
    #expect(try client.value("count") == 6)
  }

  @Test func `next and previous with groups select a counter of another group`() throws {
    for name: JSON in ["a", "b"] { _ = try client.call("Create", ["name": name]) }
    _ = try client.call("CreateGroup", ["name": "home"])
    _ = try client.call("Move", ["counter": "b", "group": "home"])
    _ = try client.call("Create", ["name": "c"])
    _ = try client.call("Select", ["counter": "a"])
    _ = try open()
    func selected(_ sequence: Int64, _ verb: JSON) throws -> String? {
      try deliver(sequence, [["verb": verb, "groups": true]])["events"]?.array?.last?.object?["counter"]?.string
    }
    #expect(try selected(1, "next") == "b")
    #expect(try selected(2, "previous") == "a")
  }

  @Test func `what finds nothing to take back is answered, and uses its number like any other`() throws {
    _ = try open()
    try deliver(1)
    let nothing: JSON = [["verb": "undo", "made": 3000, "device": "screen"]]
    #expect(try deliver(2, nothing) == ["duplicate": false, "events": []])
    #expect(try deliver(2, [["verb": "add"]]) == ["duplicate": true, "events": []])
    try deliver(3)
    #expect(try deliver(4, nothing)["duplicate"] == false)
    core.restart()
    let client = try core.client()
    func isKnown(_ sequence: Int64) throws -> Bool? {
      let changes: JSON = [["verb": "add"]]
      return try client.call(
        "Deliver", ["producer": "pedals", "epoch": 1, "sequence": .int(sequence), "changes": changes])["duplicate"]?
        .bool
    }
    #expect(try isKnown(2) == true && isKnown(4) == true && isKnown(5) == false)
    #expect(try client.value("count") == 3)
  }

  @Test func `gaps and strange epochs are named, and count nothing`() throws {
    #expect(refusal { try deliver(1) } == "UnknownEpoch")
    _ = try open()
    #expect(refusal("expected") { try deliver(2) } == "DeliveryGap 1")
    #expect(refusal { try deliver(1, epoch: 2) } == "UnknownEpoch")
    try deliver(1)
    #expect(try open() == 2)
    #expect(refusal("epoch") { try deliver(2) } == "ProducerFenced 2")
    try deliver(1, epoch: 2)
    #expect(try client.value("count") == 2)
  }

  @Test func `opening tells which delivery counted last, also where an epoch in between was never used`() throws {
    #expect(try client.call("Open", ["producer": "pedals"])["last"] == nil)
    try deliver(1)
    try deliver(2)
    let expected: JSON = ["epoch": 1, "sequence": 2]
    for _ in 0..<2 { #expect(try client.call("Open", ["producer": "pedals"])["last"] == expected) }
    core.restart()
    #expect(try core.client().call("Open", ["producer": "pedals"])["last"] == expected)
  }

  /// Whether a time that was told by two clocks, each read twice since `begun`, is that of a gesture: a busy machine reads
  /// the second clock later than the first, by at most as long as all that took.
  private func isTime(_ time: Int64, of gesture: Int64, since begun: Int64) -> Bool {
    abs(time - gesture) <= (Clock.boottime() - begun) / 1000
  }

  @Test func `a held key runs a stopwatch, and a gesture resets a group when it is made twice`() throws {
    _ = try open()
    try client.call("CreateGroup", ["name": "team"])
    try client.call("Create", ["name": "swim", "kind": "stopwatch", "group": "team"])
    let begun = Clock.boottime()
    try deliver(1, [["verb": "start", "counter": "swim", "time": 1_000_000_000]])
    let stopped = try deliver(2, [["verb": "stop", "counter": "swim", "time": 1_002_500_000]])["events"]?.array?.first
    let ran = try #require(stopped?.object?["change"]?.int)
    #expect(isTime(ran, of: 2_500_000, since: begun))
    let reset: JSON = ["verb": "reset", "group": "team", "time": 2_000_000_000]
    #expect(try deliver(3, [reset])["events"]?.array?.first?.object?["kind"] == "armed")
    #expect(try deliver(4, [reset])["events"]?.array?.count == 2)
    #expect(try client.value("swim") == 0)
    try deliver(5, [["verb": "undo"]])
    #expect(try client.value("swim") == ran)
    try deliver(6, [["verb": "add", "counter": "swim", "quantity": "1:30"]])
    #expect(try client.value("swim") == ran + 90_000_000)
    #expect(
      refusal("parameter") { try deliver(7, [["verb": "add", "amount": 1, "quantity": "1"]]) }
        == "InvalidParameter changes[0].quantity")
  }

  @Test func `a press on a stopwatch starts and stops it, and an amount is added to it`() throws {
    _ = try open()
    try client.call("Create", ["name": "swim", "kind": "stopwatch"])
    func press(_ sequence: Int64, _ more: JSONObject = [:]) throws -> String? {
      var change: JSONObject = ["verb": "add", "gesture": "press", "device": "pedal"]
      for (name, value) in more { change[name] = value }
      return try deliver(sequence, [.object(change)])["events"]?.array?.first?.object?["kind"]?.string
    }
    let begun = Clock.boottime()
    #expect(try press(1, ["time": 1_000_000_000]) == "started")
    #expect(try press(2, ["time": 1_002_500_000]) == "stopped")
    let first = try client.value("swim") ?? 0
    #expect(isTime(first, of: 2_500_000, since: begun))
    // A gesture that turns out to be the beginning of another one takes its start back.
    #expect(try press(3, ["time": 1_010_000_000]) == "started")
    let undo: JSON = ["verb": "undo", "made": 1_010_000_000, "device": "pedal"]
    #expect(try deliver(4, [undo])["events"]?.array?.first?.object?["kind"] == "undone")
    let ran = try client.value("swim") ?? 0
    #expect(try press(5, ["quantity": "1:30"]) == "added")
    #expect(try client.value("swim") == ran + 90_000_000)
    // Programs and the command line add the step.
    try client.change("Add", ["counter": "swim"])
    #expect(try client.value("swim") == ran + 91_000_000)
  }

  @Test func `a gesture that would undo more than counts is told what a person can do`() throws {
    _ = try open()
    try client.call("Create", ["name": "a"])
    #expect(
      refusal("message") { try deliver(1, [["verb": "undo", "gesture": "swipe-left"]]) }
        == "PermissionDenied Use “tally undo”: a gesture cannot undo the creation of “a”.")
  }

  @Test func `changes of one delivery are all done or none, and a refused one keeps its number free`() throws {
    _ = try open()
    try client.call("Create", ["name": "a"])
    let before = try client.history()
    let changes: JSON = [
      ["verb": "add", "amount": 5], ["verb": "select", "counter": "a"], ["verb": "add", "counter": "b"],
    ]
    #expect(refusal("name") { try deliver(1, changes) } == "NoSuchCounter b")
    #expect(try client.history() == before)
    #expect(try client.value("a") == 0)
    try client.call("Create", ["name": "b"])
    #expect(try deliver(1, changes)["events"]?.array?.count == 3)
    #expect(try client.value("a") == 5)
    #expect(try client.value("b") == 1)
  }

  @Test func `a gesture takes back counts, and never how a counter was made or set up`() throws {
    _ = try open()
    try client.call("Create", ["name": "a", "target": 20])
    try client.call("Set", ["counter": "a", "colour": "red"])
    try deliver(1, [["verb": "add", "counter": "a"]])
    try deliver(2, [["verb": "undo"]])
    #expect(refusal { try deliver(3, [["verb": "undo"]]) } == "PermissionDenied")
    #expect(try client.call("Get", ["counter": "a"])["counter"]?.object?["colour"] == "red")
    // A person may.
    try client.call("Undo")
    #expect(try client.call("Get", ["counter": "a"])["counter"]?.object?["colour"] == nil)
    #expect(refusal { try deliver(3, [["verb": "redo"]]) } == "PermissionDenied")
  }

  @Test func `a delivery can take back what it just did`() throws {
    _ = try open()
    try deliver(1, [["verb": "add", "amount": 3]])
    try deliver(2, [["verb": "add"], ["verb": "undo"], ["verb": "undo"]])
    #expect(try client.value("count") == 0)
  }

  @Test(
    arguments: [
      ([], "changes"), ([["verb": "ad"]], "changes[0].verb"), ([["verb": "add", "time": -1]], "changes[0].time"),
      ([["verb": "add"], ["verb": "add", "device": "\u{7}"]], "changes[1].device"),
      (.array(Array(repeating: ["verb": "add"], count: 101)), "changes"),
    ] as [(JSON, String)])
  func `a delivery that makes no sense is refused with the parameter at fault`(_ changes: JSON, _ fault: String) throws
  {
    _ = try open()
    #expect(refusal("parameter") { try deliver(1, changes) } == "InvalidParameter \(fault)")
    #expect(try client.history() == [])
  }

  @Test func `a tap is taken back by what follows it also after the producer was opened anew`() throws {
    _ = try open()
    try deliver(1, [["verb": "add", "time": 1000, "device": "screen"]])
    #expect(try open() == 2)
    try deliver(1, epoch: 2, [["verb": "undo", "made": 1000, "time": 2000, "device": "screen"]])
    #expect(try client.value("count") == 0)
  }
}
