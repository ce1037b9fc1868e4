import Calendars
import Testing

@testable import Reports

@Suite struct TimeUnitTests {
  private static func moment(_ text: String) throws -> Int64 { try TimeText.moment(text, now: 0, in: .utc) }

  private static func bounds(
    _ unit: TimeUnit, _ from: String, _ until: String, _ zone: String = "UTC", most: Int = 2000
  )
    throws -> [String]
  {
    let bounds = try unit.bounds(
      from: moment(from), until: moment(until), most: most, in: ZoneFolder().zone(named: zone))
    return bounds.map { "\(Zone.utc.wallTime(at: $0 / 1_000_000))" }
  }

  @Test func `stretches begin where the clock and the calendar begin one`() throws {
    for (unit, from, until, expected) in [
      (.hour, "2026-11-21T08:10Z", "2026-11-21T09:10Z", ["2026-11-21 08:00", "2026-11-21 09:00", "2026-11-21 10:00"]),
      (.day, "2026-11-21T08:10Z", "2026-11-22T00:00Z", ["2026-11-21 00:00", "2026-11-22 00:00"]),
      (.week, "2026-11-21T08:10Z", "2026-11-21T09:00Z", ["2026-11-16 00:00", "2026-11-23 00:00"]),
      (
        .month, "2026-01-31T08:10Z", "2026-02-01T00:00:01Z",
        ["2026-01-01 00:00", "2026-02-01 00:00", "2026-03-01 00:00"]
      ),
      (.year, "2026-01-31T08:10Z", "2027-01-01T00:00Z", ["2026-01-01 00:00", "2027-01-01 00:00"]),
      (.quarter, "2026-11-21T08:20Z", "2026-11-21T08:30Z", ["2026-11-21 08:15", "2026-11-21 08:30"]),
      (
        .halfHour, "2026-11-21T08:20Z", "2026-11-21T08:31Z",
        ["2026-11-21 08:00", "2026-11-21 08:30", "2026-11-21 09:00"]
      ),
      (
        .fiveMinutes, "2026-11-21T08:04Z", "2026-11-21T08:06Z",
        ["2026-11-21 08:00", "2026-11-21 08:05", "2026-11-21 08:10"]
      ),
    ] as [(TimeUnit, String, String, [String])] { #expect(try Self.bounds(unit, from, until) == expected) }
  }

  @Test func `each day of four years shows twelve months or thirteen`() throws {
    let first = try Self.moment("2026-01-01T03:00Z")
    for day in 0..<1461 as Range<Int64> {
      let end = first + day * 86_400_000_000
      let count = TimeUnit.month.bounds(from: end - TimeUnit.month.usualSpan, until: end, in: .utc).count - 1
      #expect([12, 13].contains(count), "\(count) months on day \(day)")
    }
  }

  @Test func `a day in which the clocks change has 23 or 25 hours`() throws {
    #expect(try Self.bounds(.hour, "2026-03-28T23:00Z", "2026-03-29T22:00Z", "Europe/Berlin").count == 24)
    #expect(try Self.bounds(.hour, "2026-10-24T22:00Z", "2026-10-25T23:00Z", "Europe/Berlin").count == 26)
    // Half an hour: a new hour begins with the change.
    #expect(
      try Self.bounds(.hour, "2026-04-04T14:10Z", "2026-04-04T15:40Z", "Australia/Lord_Howe")
        == ["2026-04-04 14:00", "2026-04-04 15:00", "2026-04-04 15:30", "2026-04-04 16:30"])
  }

  @Test func `of more stretches than are wanted the last ones are given`() throws {
    let bounds = try Self.bounds(.minute, "2026-11-21T00:00Z", "2026-11-21T09:59:30Z", most: 10)
    #expect(bounds.count == 11)
    #expect(bounds.last == "2026-11-21 10:00")
  }

  @Test func `a stretch is called by what distinguishes it`() throws {
    let start = try Self.moment("2026-11-21T08:05Z")
    #expect(
      TimeUnit.allCases.map { $0.label(start, in: .utc) } == [
        "2026-11-21 08:05", "2026-11-21 08:05", "2026-11-21 08:05", "2026-11-21 08:05", "2026-11-21 08:05",
        "2026-11-21 Sat", "week from 2026-11-21", "2026-11", "2026",
      ])
    #expect(
      TimeUnit.allCases.map { $0.shortLabel(start, in: .utc) } == [
        "08:05", "08:05", "08:05", "08:05", "08:05", "11-21", "11-21", "2026-11", "2026",
      ])
  }

  @Test func `days and weeks begin when the periods of all counters do`() throws {
    func days(_ periods: String?...) -> DayStart { DayStart(of: periods) }
    let days4 = days("daily 04:00 Asia/Tokyo", "weekly monday 04:00 Asia/Tokyo")
    #expect(days4 == DayStart(secondOfDay: 4 * 3600, zoneName: "Asia/Tokyo"))
    let others = [days(), days(nil), days("daily 04:00", nil), days("daily 04:00", "daily 05:00"), days("hourly 5")]
    #expect(others.allSatisfy { $0 == .midnight })
    #expect(days("daily 00:00 \(Zone.local.name)", nil) == .midnight)
    #expect(days("monthly 3 04:00", "yearly 04:00") == DayStart(secondOfDay: 4 * 3600))
    let sunday = days("weekly sunday 12:00")
    let moment = try Self.moment("2026-11-22T11:00Z")
    func start(_ unit: TimeUnit, _ days: DayStart) -> String {
      "\(Zone.utc.wallTime(at: unit.boundary(atOrBefore: moment.seconds, in: .utc, days: days)))"
    }
    #expect(start(.day, sunday) == "2026-11-21 12:00")
    #expect(start(.week, sunday) == "2026-11-15 12:00")
    #expect(start(.hour, sunday) == "2026-11-22 11:00")
    let labels = [TimeUnit.hour, .day, .week, .month].map { $0.label(moment, in: .utc, days: sunday) }
    #expect(
      labels == ["2026-11-22 11:00", "2026-11-22 Sun from 12:00", "week from 2026-11-22 12:00", "2026-11 from 12:00"])
    #expect(days4.suffix == " from 04:00 Asia/Tokyo")
  }

  @Test func `a span is said without what its ends have in common`() throws {
    let (start, end) = try (Self.moment("2026-11-21T08:00Z"), Self.moment("2026-11-21T10:00Z"))
    #expect(TimeUnit.hour.spanText(from: start, until: end, in: .utc) == "2026-11-21, 08:00 to 10:00")
    #expect(TimeUnit.day.spanText(from: start, until: end, in: .utc) == "2026-11-21")
    let later = try Self.moment("2026-11-23T00:00Z")
    #expect(TimeUnit.hour.spanText(from: start, until: later, in: .utc) == "2026-11-21 to 2026-11-22")
  }

  @Test(
    arguments: [(0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-1_000_000, -1), (-1_000_001, -2)] as [(Int64, Int64)])
  func `microseconds are whole seconds, rounded down`(microseconds: Int64, seconds: Int64) {
    #expect(microseconds.seconds == seconds)
  }
}
