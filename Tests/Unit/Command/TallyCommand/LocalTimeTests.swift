import Calendars
import Testing

@testable import TallyCommand

@Suite struct LocalTimeTests {
  @Test(
    arguments: [0, 1_763_643_900_123_456, 1_763_643_900_000_456, -1, -62_135_596_800_000_000, 4_102_444_800_000_000]
      as [Int64])
  func `a moment is written so that the same one is read, in whatever zone`(moment: Int64) throws {
    let time = LocalTime(microseconds: moment)
    #expect(try TimeText.moment(time.iso8601, now: 0, in: .utc) == moment)
    #expect(time.iso8601.hasPrefix("\(time.day)T\(time.clock)."))
  }

  @Test(arguments: [Int64.min, .max]) func `the ends of 64 bits are moments`(moment: Int64) {
    #expect(!LocalTime(microseconds: moment).iso8601.isEmpty)
  }
}
