import JSON
import Linux
import Testing

@Suite struct `Times that no calendar shows` {
  static let strange: [Int64] = [.min, -1, 253_402_300_800_000_000, .max]

  @Test(arguments: strange) func `are not taken in with counts`(_ time: Int64) throws {
    let client = try TestCore().client()
    let entry: JSON = ["count": ["name": "people", "time": .int(time), "amount": "1"]]
    let words = "Line 1 is not valid: A count of “people” has a time before 1970 or after the year 9999."
    #expect(refusal("message") { try client.call("Import", ["entries": [entry]]) } == "BadArchive \(words)")
    #expect(try client.call("Statistics")["total"]?.object?["counts"] == 0)
  }

  @Test(arguments: strange) func `are not delivered, since no import would take them`(_ time: Int64) throws {
    let client = try TestCore().client()
    try client.call("Open", ["producer": "pedal"])
    func deliver(_ time: Int64) throws {
      let change: JSON = .object(["verb": "add", "time": .int(time)])
      try client.call("Deliver", ["producer": "pedal", "epoch": 1, "sequence": 1, "changes": .array([change])])
    }
    #expect(refusal("parameter") { try deliver(time) } == "InvalidParameter changes[0].time")
    try deliver(253_402_300_799_999_999)
    let pages = [try client.call("Export"), try client.call("Export", ["after": 0])]
    let entries = pages.flatMap { $0["entries"]?.array ?? [] }
    #expect(try client.call("Import", ["entries": .array(entries)])["events"] == 0)
  }
}

@Suite struct `A gesture from a clock that was set back since` {
  @Test func `counts now, not in the future`() throws {
    let client = try TestCore().client()
    try client.call("Open", ["producer": "pedal"])
    let before = Clock.microsecondsSince1970()
    let change: JSON = ["verb": "add", "time": .int(before + 3_600_000_000)]
    try client.call("Deliver", ["producer": "pedal", "epoch": 1, "sequence": 1, "changes": .array([change])])
    let count = try client.call("History", ["limit": 1])["events"]?.array?.first?.object
    #expect(before...Clock.microsecondsSince1970() ~= count?["time"]?.int ?? 0)
  }
}

@Suite struct `A count for a period that has ended` {
  @Test func `is answered with its own event, not with the end of the period`() throws {
    let client = try TestCore().client()
    try client.call("Create", ["name": "coffee", "period": "daily 00:00 UTC"])
    let day: Int64 = 86_400_000_000
    let event = try client.change(
      "Add", ["counter": "coffee", "amount": 7, "time": .int(Clock.microsecondsSince1970() - 2 * day)])
    #expect(event["kind"] == "added")
    #expect(event["change"] == 7)
    #expect(try client.value("coffee") == 0)
  }
}
