import Calendars
import JSON
import Testing

@testable import TallyCommand

@Suite struct ExchangeTimeTests {
  @Test(arguments: [0, 1_763_643_900_123_456, -1, -86_400_000_001])
  func `a time is spelt so that the same moment is read`(time: Int64) throws {
    let entry: JSONObject = ["event": ["time": .int(time), "kind": "added"]]
    let spelt = ExchangeTime.spelt(entry)
    #expect(spelt["event"]?.object?["time"]?.string?.contains("T") == true)
    #expect(try ExchangeTime.counted(.object(spelt)) == .object(entry))
  }

  @Test func `lines that are not events are unchanged`() throws {
    for entry: JSONObject in [["tallymark": 1], ["value": ["time": 5]]] {
      #expect(ExchangeTime.spelt(entry) == entry)
      #expect(try ExchangeTime.counted(.object(entry)) == .object(entry))
    }
    #expect(try ExchangeTime.counted(5) == 5)
  }

  @Test func `a time that is none is refused`() {
    #expect(throws: TimeError.self) { try ExchangeTime.counted(["event": ["time": "soon"]]) }
  }
}
