import Calendars
import TestKit
import Testing

@Suite struct Periods {
  static func zone(_ name: String) throws -> Zone { try ZoneFolder().zone(named: name) }

  /// A sentence, a period and its zone, a moment, and the first boundaries after the moment, in universal time.
  static let boundaries: [(sentence: String, period: Period?, zone: String, start: String, boundaries: [String])] = [
    (
      "a day begins at its time by the clock, in winter and in summer", Period(.day, secondOfDay: 4 * 3600),
      "Europe/Berlin", "2026-03-27T12:00Z", ["2026-03-28 03:00", "2026-03-29 02:00", "2026-03-30 02:00"]
    ),
    (
      "where the clocks go over its time a day begins at the change", Period(.day, secondOfDay: 9000),
      "Europe/Berlin", "2026-03-28T00:00Z", ["2026-03-28 01:30", "2026-03-29 01:00", "2026-03-30 00:30"]
    ),
    (
      "where its time is there twice a day begins once, at the first", Period(.day, secondOfDay: 9000),
      "Europe/Berlin", "2026-10-24T00:00Z", ["2026-10-24 00:30", "2026-10-25 00:30", "2026-10-26 01:30"]
    ),
    (
      "a day that a zone left out begins nothing", Period(.day, secondOfDay: 14_400),
      "Pacific/Apia", "2011-12-29T00:00Z", ["2011-12-29 14:00", "2011-12-30 14:00", "2011-12-31 14:00"]
    ),
    (
      "a week begins on its day", Period(.week(from: 1)),
      "UTC", "2026-11-21T00:00Z", ["2026-11-23 00:00", "2026-11-30 00:00"]
    ),
    (
      "a month begins on its last day where it is short", Period(.month(from: 31), secondOfDay: 60),
      "UTC", "2028-01-31T00:01Z", ["2028-02-29 00:01", "2028-03-31 00:01", "2028-04-30 00:01"]
    ),
    (
      "an hour begins at its minute", Period(.hour, secondOfDay: 900),
      "Europe/Berlin", "2026-03-29T00:00Z", ["2026-03-29 00:15", "2026-03-29 01:15"]
    ),
    (
      "an hour begins at its minute in hours that are there twice as well", Period(.hour, secondOfDay: 900),
      "Europe/Berlin", "2026-10-25T00:00Z", ["2026-10-25 00:15", "2026-10-25 01:15", "2026-10-25 02:15"]
    ),
    (
      "an hour begins at its minute half an hour east of the others", Period(.hour, secondOfDay: 900),
      "Asia/Kolkata", "2026-01-01T00:00Z", ["2026-01-01 00:45"]
    ),
    (
      "an hour begins once where the clocks go half an hour over its minute", Period(.hour, secondOfDay: 900),
      "Australia/Lord_Howe", "2026-10-03T14:00Z", ["2026-10-03 14:45", "2026-10-03 16:15", "2026-10-03 17:15"]
    ),
    (
      "an hour begins at its minute where the clocks show it twice in half an hour", Period(.hour, secondOfDay: 2700),
      "Australia/Lord_Howe", "2026-04-04T14:00Z", ["2026-04-04 14:45", "2026-04-04 15:15", "2026-04-04 16:15"]
    ),
    (
      "a year begins on the last of February where there is no 29th",
      Period(.year(month: 2, day: 29), secondOfDay: 3600),
      "UTC", "2026-03-01T00:00Z", ["2027-02-28 01:00", "2028-02-29 01:00", "2029-02-28 01:00"]
    ),
    (
      "a year begins on its day", Period(.year(month: 7, day: 1)),
      "Europe/Berlin", "2026-06-30T22:00Z", ["2027-06-30 22:00", "2028-06-30 22:00"]
    ),
    (
      "a year begins at the change where the clocks go over its time",
      Period(.year(month: 3, day: 29), secondOfDay: 9000),
      "Europe/Berlin", "2026-01-01T00:00Z", ["2026-03-29 01:00", "2027-03-29 00:30"]
    ),
  ]

  @Test(arguments: boundaries) func `each period begins where the clock and the calendar begin it`(
    sentence: String, period: Period?, zone: String, start: String, boundaries: [String]
  ) throws {
    let (period, zone) = (try #require(period), try Self.zone(zone))
    var time = try TimeText.moment(start, now: 0, in: .utc) / 1_000_000
    for boundary in boundaries {
      time = period.boundary(after: time, in: zone)
      #expect("\(Zone.utc.wallTime(at: time))" == boundary, "\(sentence)")
    }
  }

  @Test func `there are no days, weeks and months but those of the calendar`() {
    for unit in [.week(from: 0), .week(from: 8), .month(from: 32), .year(month: 2, day: 30), .year(month: 13, day: 1)]
      as [Period.Unit]
    { #expect(Period(unit) == nil) }
    for (unit, second) in [(.day, 86_400), (.day, -1), (.hour, 3600)] as [(Period.Unit, Int)] {
      #expect(Period(unit, secondOfDay: second) == nil)
    }
  }

  @Test(
    .seeded,
    arguments: [
      "UTC", "Europe/Berlin", "America/St_Johns", "America/Sao_Paulo", "America/Nuuk", "Africa/Casablanca", "Asia/Gaza",
      "Australia/Lord_Howe", "Pacific/Apia", "America/Juneau", "Antarctica/Troll",
    ])
  func `no boundary is lost or doubled, whichever moment one asks from`(_ name: String) throws {
    let zone = try Self.zone(name)
    var random = Seed.generator()
    for _ in 0..<Rounds.times(40) {
      let unit: Period.Unit =
        [
          .hour, .day, .week(from: Int.random(in: 1...7, using: &random)),
          .year(month: Int.random(in: 1...12, using: &random), day: Int.random(in: 1...29, using: &random)),
          .month(from: Int.random(in: 1...31, using: &random)),
        ].randomElement(using: &random) ?? .day
      let minutes = Int.random(in: 0..<(unit == .hour ? 60 : 1440), using: &random)
      let period = try #require(Period(unit, secondOfDay: minutes * 60))
      // Near where something happens: a change of the clocks, often the one of Samoa.
      var time = Int64.random(in: -2_000_000_000...3_000_000_000, using: &random)
      if Bool.random(using: &random) { time = 1_325_000_000 }
      time =
        (zone.firstChange(after: time, until: time + 400 * 86_400) ?? time)
        - Int64.random(in: 0...200_000, using: &random)
      for _ in 0..<12 {
        let next = period.boundary(after: time, in: zone)
        #expect(next > time)
        #expect(period.boundary(atOrBefore: next, in: zone) == next)
        // From anywhere in between one comes to the same two.
        let begun = period.boundary(atOrBefore: time, in: zone)
        #expect(begun <= time)
        let between = Int64.random(in: begun..<next, using: &random)
        #expect(period.boundary(after: between, in: zone) == next)
        #expect(period.boundary(atOrBefore: between, in: zone) == begun)
        if unit == .day { #expect(next - begun <= 86_400 + 86_400 && next - begun >= 3600 * 12) }
        // Each day that the wall shows has begun by its time at the latest.
        let wall = zone.wallTime(at: next)
        #expect(wall.secondOfDay >= period.secondOfDay || wall.date > zone.wallTime(at: next - 1).date)
        time = next
      }
    }
  }
}

@Suite struct LongScheduleTests {
  @Test(arguments: [64, 65, 113])
  func `a schedule that is read can be read again as it is written out`(length: Int) {
    let schedule = Schedule("on 2013-12-24 " + String(repeating: "z", count: length))
    #expect((schedule != nil) == (length <= 64))
    if let schedule { #expect(Schedule(schedule.description) == schedule) }
  }
}
