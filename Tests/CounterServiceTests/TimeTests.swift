import Testing
import Varlink

@Suite struct `Times that no calendar shows` {
  static let strange: [Int64] = [.min, -1, 253_402_300_800_000_000, .max]

  @Test(arguments: strange) func `are not taken in with counts`(_ time: Int64) throws {
    let core = try TestCore()
    defer { core.stop() }
    let client = try core.client()
    let line = #"{"count":{"name":"people","time":\#(time),"amount":"1"}}"#
    let words = "A count of “people” lies before 1970 or behind the year 9999."
    #expect(refusal("message") { try client.call("Import", ["lines": [.string(line)]]) } == "BadArchive \(words)")
    #expect(try client.call("Statistics")["total"]?.object?["counts"] == 0)
  }

  @Test(arguments: strange) func `are not delivered, since no import would take them`(_ time: Int64) throws {
    let core = try TestCore()
    defer { core.stop() }
    let client = try core.client()
    try client.call("Open", ["producer": "pedal"])
    func deliver(_ time: Int64) throws {
      let change: JSON = .object(["verb": "add", "time": .int(time)])
      try client.call("Deliver", ["producer": "pedal", "epoch": 1, "sequence": 1, "changes": .array([change])])
    }
    #expect(refusal("parameter") { try deliver(time) } == "InvalidParameter changes[0].time")
    try deliver(253_402_300_799_999_999)
    let pages = [try client.call("Export"), try client.call("Export", ["after": 0])]
    let lines = pages.flatMap { $0["lines"]?.array ?? [] }
    #expect(try client.call("Import", ["lines": .array(lines)])["events"] == 0)
  }
}
