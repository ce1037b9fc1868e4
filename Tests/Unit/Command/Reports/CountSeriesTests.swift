import Calendars
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

  @Test(arguments: [
    (TimeUnit.week, "2026-11-22T23:50Z", "2026-11-23T00:05Z", "5.0 a day over 2 days"),
    (.year, "2026-12-31T12:00Z", "2027-01-01T12:00Z", "5.0 a day over 2 days"),
    (.week, "2026-11-16T12:00Z", "2026-11-23T12:00Z", "5.0 a week over 2 weeks"),
    (.month, "2026-11-01T12:00Z", "2026-12-31T12:00Z", "5.0 a month over 2 months"),
  ])
  func `a rate is one of long steps only if the counts are nearly a step apart`(
    _ unit: TimeUnit, _ first: String, _ last: String, _ text: String
  ) throws {
    let series = CountSeries(
      unit: unit, steps: [.init(start: 0, counts: 2, added: 10, subtracted: 0)], end: 1, zone: .utc,
      days: .init(of: ["daily 00:00 UTC"]), format: ValueText(unit: .things))
    let (start, end) = (try TimeText.moment(first, now: 0, in: .utc), try TimeText.moment(last, now: 0, in: .utc))
    let rate = try #require(series.rate(from: start, to: end))
    #expect("\(rate.text) over \(rate.time)" == text)
  }

  @Test func `a series that overflows or has another kind of unit is not converted`() {
    #expect(CountSeries.hours([.max]).scaled(to: .decimal(2)) == nil)
    #expect(CountSeries.hours([3]).scaled(to: .time) == nil)
    #expect(CountSeries.hours([3], .time).scaled(to: .things) == nil)
  }
}
