import Calendars
import Testing
import Varlink

@testable import TallyCommand

@Suite struct ExchangeTimeTests {
  @Test(arguments: [0, 1_763_643_900_123_456, -1, -86_400_000_001])
  func `a time is spelt so that the same moment is read`(time: Int64) throws {
    let line: JSON = ["event": ["time": .int(time), "kind": "added"]]
    let spelt = ExchangeTime.spelt(line)
    #expect(spelt.object?["event"]?.object?["time"]?.string?.contains("T") == true)
    #expect(try ExchangeTime.counted(spelt) == line)
  }

  @Test func `lines that are not events are unchanged`() throws {
    for line: JSON in [["tallymark": 1], ["value": ["time": 5]], 5] {
      #expect(ExchangeTime.spelt(line) == line)
      #expect(try ExchangeTime.counted(line) == line)
    }
  }

  @Test func `a time that is none is refused`() {
    #expect(throws: TimeError.self) { try ExchangeTime.counted(["event": ["time": "soon"]]) }
  }
}
