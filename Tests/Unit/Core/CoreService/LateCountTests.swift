import Calendars
import Counting
import JSON
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Journal

/// Counts of a period that had ended when they were entered.
@Suite struct `Late counts` {
  let core: TestCore
  let client: TestClient
  private let steady = SteadyPeriod()

  init() throws {
    core = try TestCore()
    client = try core.client()
  }

  private func make(_ name: String, _ settings: JSONObject) throws {
    var settings = settings
    (settings["name"], settings["period"]) = (.string(name), .string(steady.hourly))
    try client.call("Create", settings)
  }

  /// Counts in the third hour before the present one.
  @discardableResult
  private func late(
    _ verb: String, _ name: String, _ amount: Int64, minute: Int64 = 10, by client: TestClient? = nil
  ) throws -> JSONObject {
    let time = steady.hour - 3 * 3_600_000_000 + minute * 60_000_000
    return try (client ?? self.client).change(
      verb, ["counter": .string(name), "amount": .int(amount), "time": .int(time)])
  }

  @Test func `are refused beyond a limit of their period, whatever others stand at`() throws {
    try make("a", ["maximum": 5, "minimum": 0])
    try client.call("Add", ["counter": "a", "amount": 5])
    let first = try late("Add", "a", 4)
    #expect(refusal("limit") { try late("Add", "a", 2) } == "LimitReached 5")
    #expect(refusal("limit") { try late("Subtract", "a", 5) } == "LimitReached 0")
    #expect(try late("Add", "a", 1, minute: 5)["value"] == 6)
    // The limit holds for each period by itself.
    try late("Add", "a", 5, minute: 70)
    try client.call("Undo", ["sequence": first["sequence"] ?? .null])
    #expect(refusal("limit") { try late("Add", "a", 5) } == "LimitReached 5")
    core.restart()
    let again = try core.client()
    for _ in 0..<300 { try again.call("Select", ["counter": "a"]) }
    #expect(refusal("limit") { try late("Subtract", "a", 2, by: again) } == "LimitReached 0")
    try late("Subtract", "a", 1, by: again)
    #expect(try again.value("a") == 5)
    try JournalCheck.expectWhole(again)
  }

  @Test func `stop at a limit of their period`() throws {
    try make("a", ["maximum": 5, "limits": "stop"])
    func entered(_ amount: Int64) throws -> [JSON?] {
      let event = try late("Add", "a", amount)
      return [event["change"], event["limited"], event["standing"]]
    }
    #expect(try entered(3) == [3, nil, 0])
    #expect(try entered(3) == [2, true, 0])
    #expect(try entered(3) == [0, true, nil])
    try client.call("Undo")
    try client.call("Undo")
    #expect(try entered(1) == [1, nil, 0])
    #expect(try client.value("a") == 0)
    try JournalCheck.expectWhole(client)
  }

  @Test func `keep the sum of their period within 64 bits, and name that period`() throws {
    try make("a", [:])
    try late("Add", "a", .max)
    let refused = refusal("message") { try late("Add", "a", 1) }
    let end = Zone.utc.wallTime(at: steady.hour / 1_000_000 - 2 * 3600)
    #expect(refused?.hasSuffix("The count belongs to the period that ended on \(end) UTC at \(Int64.max).") == true)
    try late("Add", "a", 1, minute: 70)
    try client.change("Set", ["counter": "a", "maximum": 5])
    let beyond = refusal("message") { try late("Add", "a", 5, minute: 70) }
    #expect(beyond?.contains("beyond its limit of 5. The count belongs to the period that ended on ") == true)
  }

  @Test func `never make the time of a stopwatch negative`() throws {
    try make("a", ["kind": "stopwatch"])
    try client.call("Add", ["counter": "a", "amount": 5])
    #expect(refusal { try late("Subtract", "a", 1) } == "LimitReached")
  }

  @Test func `keep the limits in an import, and in a delivery with others`() throws {
    try make("a", ["maximum": 5])
    let time = JSON.int(steady.hour - 3 * 3_600_000_000)
    func enter(_ amounts: [Int64]) throws {
      let entries = amounts.map { amount -> JSON in
        ["count": ["name": "a", "time": time, "amount": .string("\(amount)"), "again": "add"]]
      }
      try client.call("Import", ["entries": .array(entries)])
    }
    #expect(refusal("message") { try enter([4, 2]) }?.contains("cannot go beyond its limit of 5") == true)
    try enter([3])
    let epoch = try client.call("Open", ["producer": "p"])["epoch"] ?? .null
    func deliver(_ sequence: Int64, _ amounts: [Int64]) throws {
      let changes = amounts.map { ["verb": "add", "counter": "a", "amount": .int($0), "time": time] as JSON }
      try client.call(
        "Deliver", ["producer": "p", "epoch": epoch, "sequence": .int(sequence), "changes": .array(changes)])
    }
    #expect(refusal { try deliver(1, [1, 2]) } == "LimitReached")
    try deliver(1, [1, 1])
    #expect(refusal { try deliver(2, [1]) } == "LimitReached")
  }

  @Test func `are checked without a look at all earlier ones of their period`() throws {
    try make("a", ["maximum": 1000])
    func work(after counts: Int) throws -> Int {
      for _ in 0..<counts { try late("Add", "a", 1) }
      return try core.work { try late("Add", "a", 1) }
    }
    let few = try work(after: 3)
    #expect(try work(after: 300) <= few * 2)
  }

  @Test func `are imported into a counter with a limit as fast as into another one`() throws {
    func work(_ name: String, _ settings: JSONObject) throws -> Int {
      try make(name, settings)
      let count: JSON = [
        "name": .string(name), "time": .int(steady.hour - 3 * 3_600_000_000), "amount": "1", "again": "add",
      ]
      return try core.work {
        try client.call("Import", ["entries": .array(Array(repeating: ["count": count], count: 400))])
      }
    }
    let free = try work("free", [:])
    #expect(try work("limited", ["maximum": 1000]) <= free * 5 / 4)
  }

  @Test func `are judged by the periods of the present schedule`() throws {
    try make("a", ["maximum": 5])
    try late("Add", "a", 4)
    func schedule(_ minute: Int64) throws {
      try client.call("Set", ["counter": "a", "period": .string("hourly \((minute + 60) % 60) UTC")])
    }
    let minute = steady.hour / 60_000_000 % 60
    // Ends between those of the former periods, and nothing was counted until them.
    try schedule(minute - 5)
    try late("Add", "a", 5)
    #expect(refusal("limit") { try late("Add", "a", 1) } == "LimitReached 5")
    try schedule(minute)
    #expect(refusal("limit") { try late("Add", "a", 2) } == "LimitReached 5")
    try late("Add", "a", 1)
    #expect(try client.value("a") == 0)
    try JournalCheck.expectWhole(client)
  }

  @Test func `no limit keeps an undo from what a batch with a reset did`() throws {
    let temporary = TemporaryFolder()
    let core = try Core(store: try CounterStore(folder: temporary.path), loop: try EventLoop())
    let cause = Cause(producer: "test")
    func request(_ change: Change, isTogether: Bool = false) -> Request {
      Request(.change(change), time: Clock.microsecondsSince1970(), cause: cause, isTogether: isTogether)
    }
    _ = try core.perform([request(.create(name: "b", [.minimum: .integer(0)]))])
    let target = Change.Target.named("b")
    _ = try core.perform([
      request(.add(target, amount: 5)), request(.reset(.one(target), isConfirmed: true), isTogether: true),
      request(.add(target, amount: 3), isTogether: true),
    ])
    _ = try core.perform([Request(.undo("b"), time: Clock.microsecondsSince1970(), cause: cause)])
    #expect(core.ledger.all.map(\.value) == [0])
  }

  @Test func `are undone in pieces with the end of their period`() throws {
    let temporary = TemporaryFolder()
    let core = try Core(store: try CounterStore(folder: temporary.path), loop: try EventLoop())
    func perform(_ verb: Request.Verb, at time: Int64 = Clock.microsecondsSince1970()) throws -> [Event] {
      try core.perform([Request(verb, time: time, cause: Cause(producer: "test"))])
    }
    let time = steady.hour - 20 * 60_000_000
    func value() throws -> Int64 { try core.ledger.find(.named("a")).value }
    _ = try perform(.change(.create(name: "a", [.period: .text(steady.hourly)])), at: time)
    // Schedules the end of the period.
    core.commit()
    let counts = Undoable.mostAtOnce + 100
    for _ in 0..<counts { _ = try perform(.change(.add(.named("a"), amount: 1)), at: time) }
    #expect(try value() == 0)
    // Only the first event and those of the last piece are returned.
    #expect(try perform(.undoEvent(2)).count <= Undoable.mostAtOnce)
    #expect(try value() == counts)
    #expect(try perform(.redo(nil)).count <= Undoable.mostAtOnce)
    #expect(try value() == 0)
    core.commit()
    #expect(try JournalFile.verify(temporary.path).isEmpty)
  }
}
