import Calendars
import TestKit
import Testing

@Suite struct Periods {
  static func zone(_ name: String) throws -> Zone { try ZoneFolder().zone(named: name) }

  static func moment(_ text: String) throws -> Int64 {
    try TimeText.moment(text, now: 0, in: .utc) / 1_000_000
  }

  /// The boundaries after a moment, in universal time.
  static func boundaries(_ period: Period?, _ zone: String, after start: String, count: Int) throws -> [String] {
    let period = try #require(period)
    let zone = try Self.zone(zone)
    var time = try moment(start)
    return (0..<count).map { _ in
      time = period.boundary(after: time, in: zone)
      return "\(Zone.utc.wallTime(at: time))"
    }
  }

  @Test func `a day begins at its time by the clock, in winter and in summer`() throws {
    let found = try Self.boundaries(
      Period(.day, secondOfDay: 4 * 3600), "Europe/Berlin", after: "2026-03-27T12:00Z", count: 3)
    #expect(found == ["2026-03-28 03:00", "2026-03-29 02:00", "2026-03-30 02:00"])
  }

  @Test func `where the clocks go over its time a day begins at the change`() throws {
    let found = try Self.boundaries(
      Period(.day, secondOfDay: 9000), "Europe/Berlin", after: "2026-03-28T00:00Z", count: 3)
    #expect(found == ["2026-03-28 01:30", "2026-03-29 01:00", "2026-03-30 00:30"])
  }

  @Test func `where its time is there twice a day begins once, at the first`() throws {
    let found = try Self.boundaries(
      Period(.day, secondOfDay: 9000), "Europe/Berlin", after: "2026-10-24T00:00Z", count: 3)
    #expect(found == ["2026-10-24 00:30", "2026-10-25 00:30", "2026-10-26 01:30"])
  }

  @Test func `a day that a zone left out begins nothing`() throws {
    let found = try Self.boundaries(
      Period(.day, secondOfDay: 14_400), "Pacific/Apia", after: "2011-12-29T00:00Z", count: 3)
    #expect(found == ["2011-12-29 14:00", "2011-12-30 14:00", "2011-12-31 14:00"])
  }

  @Test func `a week begins on its day, and a month on its last where it is short`() throws {
    #expect(
      try Self.boundaries(Period(.week(from: 1)), "UTC", after: "2026-11-21T00:00Z", count: 2)
        == ["2026-11-23 00:00", "2026-11-30 00:00"])
    #expect(
      try Self.boundaries(Period(.month(from: 31), secondOfDay: 60), "UTC", after: "2028-01-31T00:01Z", count: 3)
        == ["2028-02-29 00:01", "2028-03-31 00:01", "2028-04-30 00:01"])
  }

  @Test func `an hour begins at its minute, in hours that are there twice as well`() throws {
    let period = Period(.hour, secondOfDay: 15 * 60)
    #expect(
      try Self.boundaries(period, "Europe/Berlin", after: "2026-03-29T00:00Z", count: 2)
        == ["2026-03-29 00:15", "2026-03-29 01:15"])
    #expect(
      try Self.boundaries(period, "Europe/Berlin", after: "2026-10-25T00:00Z", count: 3)
        == ["2026-10-25 00:15", "2026-10-25 01:15", "2026-10-25 02:15"])
    // Half an hour east of the others; and a change by half an hour, which goes over one minute and shows one twice.
    #expect(
      try Self.boundaries(period, "Asia/Kolkata", after: "2026-01-01T00:00Z", count: 1) == ["2026-01-01 00:45"])
    #expect(
      try Self.boundaries(period, "Australia/Lord_Howe", after: "2026-10-03T14:00Z", count: 3)
        == ["2026-10-03 14:45", "2026-10-03 16:15", "2026-10-03 17:15"])
    #expect(
      try Self.boundaries(
        Period(.hour, secondOfDay: 45 * 60), "Australia/Lord_Howe", after: "2026-04-04T14:00Z", count: 3)
        == ["2026-04-04 14:45", "2026-04-04 15:15", "2026-04-04 16:15"])
  }

  @Test func `a year begins on its day, and on the last of February where there is no 29th`() throws {
    #expect(
      try Self.boundaries(
        Period(.year(month: 2, day: 29), secondOfDay: 3600), "UTC", after: "2026-03-01T00:00Z", count: 3)
        == ["2027-02-28 01:00", "2028-02-29 01:00", "2029-02-28 01:00"])
    #expect(
      try Self.boundaries(Period(.year(month: 7, day: 1)), "Europe/Berlin", after: "2026-06-30T22:00Z", count: 2)
        == ["2027-06-30 22:00", "2028-06-30 22:00"])
    #expect(
      try Self.boundaries(
        Period(.year(month: 3, day: 29), secondOfDay: 9000), "Europe/Berlin", after: "2026-01-01T00:00Z", count: 2)
        == ["2026-03-29 01:00", "2027-03-29 00:30"])
  }

  @Test func `there are no days, weeks and months but those of the calendar`() {
    #expect(Period(.week(from: 0)) == nil)
    #expect(Period(.week(from: 8)) == nil)
    #expect(Period(.month(from: 32)) == nil)
    #expect(Period(.day, secondOfDay: 86_400) == nil)
    #expect(Period(.day, secondOfDay: -1) == nil)
    #expect(Period(.hour, secondOfDay: 3600) == nil)
    #expect(Period(.year(month: 2, day: 30)) == nil)
    #expect(Period(.year(month: 13, day: 1)) == nil)
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
