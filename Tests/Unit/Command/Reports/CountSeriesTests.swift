import Counting
import SampleSeries
import Testing

@testable import Reports

@Suite struct CountSeriesTests {
  @Test func `a series is the same in a finer unit`() throws {
    let scaled = try #require(CountSeries.hours([3, -2]).scaled(to: .decimal(2)))
    #expect(scaled.steps.map(\.net) == [300, -200])
    #expect(scaled.format.unit == .decimal(2))
  }

  @Test func `a rate that would be shown as 0 is one of a day, or none`() {
    func rate(_ counts: [Int64], hours: Double) -> String? {
      CountSeries.hours(counts).rate(from: 0, to: Int64(hours * 3_600_000_000))?.text
    }
    #expect(rate([6, 2], hours: 2) == "4.0 an hour")
    #expect(rate([1], hours: 26) == "0.5 a day")
    #expect(rate([1], hours: 24 * 100) == nil)
    #expect(rate([5, -5], hours: 2) == nil)
  }

  @Test func `a series that overflows or has another kind of unit is not converted`() {
    #expect(CountSeries.hours([.max]).scaled(to: .decimal(2)) == nil)
    #expect(CountSeries.hours([3]).scaled(to: .time) == nil)
    #expect(CountSeries.hours([3], .time).scaled(to: .things) == nil)
  }
}
