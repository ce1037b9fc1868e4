import Calendars
import Testing

@Suite struct `Times that people type` {
  /// 2026-11-21T13:05:09.25Z, which is 14:05:09.25 in Berlin.
  static let now: Int64 = 1_795_266_309_250_000

  static func moment(_ text: String) throws -> Int64 {
    try TimeText.moment(text, now: now, in: try ZoneFolder().zone(named: "Europe/Berlin"))
  }

  @Test(
    arguments: [
      ("now", 1_795_266_309_250_000), ("14:05", 1_795_266_300_000_000), ("9:05", 1_795_248_300_000_000),
      ("14:05:30", 1_795_266_330_000_000), ("today", 1_795_215_600_000_000), ("today 00:00", 1_795_215_600_000_000),
      ("yesterday", 1_795_129_200_000_000), ("yesterday 14:05", 1_795_179_900_000_000),
      ("2026-11-21", 1_795_215_600_000_000), ("2026-11-21 14:05", 1_795_266_300_000_000),
      ("2026-11-21T14:05:09.25", 1_795_266_309_250_000), ("2026-11-21T14:05:09.123456789+01:00", 1_795_266_309_123_456),
      ("2026-11-21T13:05:00Z", 1_795_266_300_000_000), ("2026-11-21T09:35-0330", 1_795_266_300_000_000),
      ("2026-11-21T14:05+01", 1_795_266_300_000_000), ("14:05Z", 1_795_269_900_000_000),
      ("1969-12-31T23:59:59.5Z", -500_000), ("2026-10-25T02:30+02:00", 1_792_888_200_000_000),
    ] as [(String, Int64)])
  func `each way of writing one`(_ text: String, _ expected: Int64) throws {
    #expect(try Self.moment(text) == expected)
  }

  /// The days begin at 15:00, so that now is still the day before.
  @Test(
    arguments: [
      ("today", "2026-11-20 15:00"), ("yesterday", "2026-11-19 15:00"), ("2026-11-21", "2026-11-21 15:00"),
      ("today 14:00", "2026-11-21 14:00"), ("yesterday 15:00", "2026-11-20 15:00"),
    ])
  func `a day begins when the days of the counter do`(_ text: String, _ expected: String) throws {
    let zone = try ZoneFolder().zone(named: "Europe/Berlin")
    let found = try TimeText.moment(text, now: Self.now, in: zone) { day in
      zone.moments(of: WallTime(day, secondOfDay: 15 * 3600)).first
    }
    #expect(found == (try Self.moment(expected)))
  }

  @Test func `a day without a time is told from other times`() {
    #expect(["today", "yesterday", "2026-11-21"].allSatisfy(TimeText.isDay))
    let others = ["now", "14:05", "today 14:05", "2026-11-21T14:05", "2026-11-21 ", "noon", ""]
    #expect(!others.contains(where: TimeText.isDay))
  }

  @Test(arguments: [
    "", "noon", "24:00", "14:60", "14", "14:5", "2026-13-01", "2026-02-29", "2026-11-21 ", "2026-11-21T",
    "yesterday14:05",
    "2026-11-21T14:05+1", "2026-11-21T14:05+25:00", "2026-11-21 07:00-07:15", "2026-11-21 07:00-08:00", "22:00-23:00",
    "now 14:05", "14:05:09.", "14:05:09.1234567891", "0000-01-01",
    "1e9",
    "２０２６-11-21",
  ])
  func `what is no time is refused`(_ text: String) {
    #expect(throws: TimeError.unreadable(text)) { try Self.moment(text) }
  }

  @Test func `a time that the clocks left out, or showed twice, is named`() {
    #expect {
      try Self.moment("2026-03-29 02:30")
    } throws: {
      ($0 as? TimeError)?.message
        == "There is no 02:30 on 2026-03-29 in Europe/Berlin: the clocks are put forward after 01:59:59."
    }
    #expect {
      try Self.moment("2026-10-25 02:30")
    } throws: {
      ($0 as? TimeError)?.message
        == "It is 02:30 twice on 2026-10-25 in Europe/Berlin, as the clocks are put back; write "
        + "2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00."
    }
  }

  @Test func `a day without midnight begins when the clocks go over it`() throws {
    let zone = try ZoneFolder().zone(named: "America/Sao_Paulo")
    // 2018-11-04 began at 01:00, at 03:00 universal time.
    #expect(try TimeText.moment("2018-11-04", now: 0, in: zone) == 1_541_300_400_000_000)
  }

  @Test func `days and their numbers agree through four centuries`() throws {
    var date = try #require(CalendarDate(year: 1799, month: 12, day: 31))
    for number in date.daysSince1970...(date.daysSince1970 + 150_000) {
      #expect(CalendarDate(daysSince1970: number) == date && date.daysSince1970 == number)
      let next =
        CalendarDate(year: date.year, month: date.month, day: date.day + 1)
        ?? CalendarDate(year: date.year, month: date.month + 1, day: 1)
        ?? CalendarDate(year: date.year + 1, month: 1, day: 1)
      date = try #require(next)
    }
    #expect(CalendarDate(year: 2026, month: 11, day: 21)?.weekday == 6)
  }
}
