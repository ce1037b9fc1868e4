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

  @Test func `a series that overflows or has another kind of unit is not converted`() {
    #expect(CountSeries.hours([.max]).scaled(to: .decimal(2)) == nil)
    #expect(CountSeries.hours([3]).scaled(to: .time) == nil)
    #expect(CountSeries.hours([3], .time).scaled(to: .things) == nil)
  }
}
