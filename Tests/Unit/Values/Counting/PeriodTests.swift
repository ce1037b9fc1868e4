import Calendars
import Counting
import Foundation
import TestKit
import Testing

@Suite struct `Periods in a ledger`: CalendarHands {
  var ledger: Ledger

  init() {
    ledger = Ledger()
    ledger.zone = { name throws(ZoneError) in try ZoneFolder().zone(named: name ?? "Europe/Berlin") }
  }

  mutating func make(_ name: String, _ period: String, at time: String, isStopwatch: Bool = false) throws {
    var settings: Settings = [.period: .text(period)]
    if !isStopwatch { settings[.target] = .integer(10) }
    try perform(.create(name: name, isStopwatch: isStopwatch, settings), at: time)
  }

  func records(_ events: [Event]) -> [String] {
    events.map { "\(Zone.utc.wallTime(at: $0.time / 1_000_000)) \($0.kind) \($0.value - $0.change)" }
  }

  @Test mutating func `a new day closes the old one and keeps what it came to, right across daylight saving`() throws {
    try make("laps", "daily 04:00", at: "2026-03-28T12:00Z")
    #expect(try ledger.find(.named("laps")).period == "daily 04:00 Europe/Berlin")
    try perform(.add(.named("laps"), amount: 7), at: "2026-03-28T13:00Z")
    #expect(try renew(until: "2026-03-29T01:59:59Z").isEmpty)
    #expect(records(try renew(until: "2026-03-29T02:00Z")) == ["2026-03-29 02:00 renewed 7"])
    #expect(try ledger.find(.named("laps")).value == 0)
    try perform(.add(.named("laps"), amount: 12), at: "2026-03-29T10:00Z")
    #expect(try ledger.find(.named("laps")).reachedAt != nil)
    #expect(records(try renew(until: "2026-03-30T12:00Z")) == ["2026-03-30 02:00 renewed 12"])
    #expect(try ledger.find(.named("laps")).reachedAt == nil)
  }

  @Test mutating func `a machine that was off closes each period that ended meanwhile, once`() throws {
    try make("laps", "daily 00:00", at: "2026-10-23T12:00Z")
    try perform(.add(.named("laps"), amount: 3), at: "2026-10-23T13:00Z")
    // The empty ones in a row are closed together.
    let expected = ["2026-10-23 22:00 renewed 3", "2026-10-26 23:00 renewed 0"]
    #expect(records(try renew(until: "2026-10-27T08:00Z")) == expected)
    #expect(try renew(until: "2026-10-27T08:00Z").isEmpty)
    // The clock is set a little, back over the end: nothing is closed twice.
    #expect(try renew(until: "2026-10-26T22:59:30Z").isEmpty)
    #expect(try ledger.find(.named("laps")).renewsAt == Self.moment("2026-10-27T23:00Z"))
  }

  @Test mutating func `several counters begin anew in the order of their times`() throws {
    try make("monthly", "monthly 31 06:00 UTC", at: "2026-02-01T00:00Z")
    try make("weekly", "weekly sunday UTC", at: "2026-02-20T00:00Z")
    #expect(
      try renew(until: "2026-03-02T00:00Z").map(\.name.text) == ["monthly", "weekly"])
    #expect(try ledger.nextRenewal == Self.moment("2026-03-08T00:00Z"))
    for name in ["monthly", "weekly"] { try perform(.add(.named(name), amount: 1), at: "2026-03-02T00:00Z") }
    let events = try renew(until: "2026-05-01T00:00Z")
    #expect(
      records(events) == [
        "2026-03-08 00:00 renewed 1", "2026-03-31 06:00 renewed 1", "2026-04-26 00:00 renewed 0",
        "2026-04-30 06:00 renewed 0",
      ])
  }

  @Test mutating func `a year away is one line, and every count belongs to its hour all the same`() throws {
    try make("laps", "hourly 15 UTC", at: "2025-01-01T12:00Z")
    #expect(records(try renew(until: "2026-01-01T12:00Z")) == ["2026-01-01 11:15 renewed 0"])
    #expect(try ledger.find(.named("laps")).began == Self.moment("2026-01-01T11:15Z"))
    // What was made in one of the empty hours leaves the current one alone.
    let late = try perform(.add(.named("laps"), amount: 3), at: "2025-07-01T10:00Z")
    #expect(records(late) == ["2025-07-01 10:00 added 0", "2025-07-01 10:15 renewed 3"])
    #expect(try ledger.find(.named("laps")).value == 0)
  }

  @Test mutating func `a date comes once`() throws {
    try make("christmas", "on 2026-12-24 18:00", at: "2026-11-01T00:00Z")
    #expect(records(try renew(until: "2030-01-01T00:00Z")) == ["2026-12-24 17:00 renewed 0"])
    #expect(ledger.nextRenewal == nil)
    #expect(throws: CountingError.badSetting("period", reason: "that has passed")) {
      try make("late", "on 2026-12-24", at: "2026-12-25T00:00Z")
    }
  }

  @Test mutating func `a stopwatch that runs goes on in the new period from its beginning`() throws {
    try make("work", "daily 00:00 UTC", at: "2026-01-01T12:00Z", isStopwatch: true)
    try perform(.clock(.named("work"), .start), at: "2026-01-01T22:00Z")
    let events = try renew(until: "2026-01-02T01:00Z")
    #expect(events.map(\.kind) == [.stopped, .renewed, .started])
    #expect(events.map(\.change) == [7_200_000_000, -7_200_000_000, 0])
    #expect(try ledger.find(.named("work")).elapsed(at: Self.moment("2026-01-02T01:30Z"), in: nil) == 5_400_000_000)
  }

  @Test mutating func `one that is locked or put away catches up later`() throws {
    try make("laps", "daily 00:00 UTC", at: "2026-01-01T12:00Z")
    try perform(.lock(.named("laps"), true), at: "2026-01-01T13:00Z")
    #expect(try renew(until: "2026-01-03T12:00Z").isEmpty)
    try perform(.lock(.named("laps"), false), at: "2026-01-03T12:00Z")
    #expect(records(try renew(until: "2026-01-03T12:00Z")) == ["2026-01-03 00:00 renewed 0"])
    try perform(.set(.named("laps"), [.archived: .integer(1)]), at: "2026-01-03T12:00Z")
    #expect(ledger.nextRenewal == nil)
  }

  @Test mutating func `a clock that is set over the end of a period adds nothing to a running stopwatch`() throws {
    let day: Int64 = 86_400_000_000
    ledger.boot = Boot(id: "x", began: try Self.moment("2026-01-01T10:00Z"))
    try make("swim", "daily 04:00 UTC", at: "2026-01-01T12:00Z", isStopwatch: true)
    try perform(.clock(.named("swim"), .start), at: "2026-01-01T12:00Z")
    // Two seconds later the clock is set three days forward; five seconds later back.
    ledger.boot = Boot(id: "x", began: try Self.moment("2026-01-01T10:00Z") + 3 * day)
    _ = try renew(until: "2026-01-04T12:00:02Z")
    #expect(
      try ledger.find(.named("swim")).elapsed(at: Self.moment("2026-01-04T12:00:07Z"), in: ledger.boot) == 7_000_000)
    ledger.boot = Boot(id: "x", began: try Self.moment("2026-01-01T10:00Z"))
    _ = try renew(until: "2026-01-01T12:00:07Z")
    let stopped = try perform(.clock(.named("swim"), .stop), at: "2026-01-01T12:00:08Z")
    #expect(stopped.last?.value == 8_000_000)
  }

  @Test mutating func `a new period can be taken back, and is not closed again at once`() throws {
    try make("laps", "daily 00:00 UTC", at: "2026-01-01T12:00Z")
    try perform(.add(.named("laps"), amount: 4), at: "2026-01-01T12:00Z")
    let events = try renew(until: "2026-01-02T12:00Z")
    try perform(.undo([Change.Takeback(events[0])], .all), at: "2026-01-02T12:00Z")
    #expect(try ledger.find(.named("laps")).value == 4)
    #expect(try renew(until: "2026-01-02T13:00Z").isEmpty)
    #expect(try renew(until: "2026-01-03T00:00Z").count == 1)
  }

  @Test mutating func `a change of the period is taken back with when it ends`() throws {
    try make("laps", "daily 00:00 UTC", at: "2026-01-01T12:00Z")
    let changed = try perform(.set(.named("laps"), [.period: .text("monthly UTC")]), at: "2026-01-01T12:00Z")
    #expect(try ledger.nextRenewal == Self.moment("2026-02-01T00:00Z"))
    try perform(.undo([Change.Takeback(changed[0])], .all), at: "2026-01-05T12:00Z")
    #expect(try ledger.nextRenewal == Self.moment("2026-01-06T00:00Z"))
    try perform(.set(.named("laps"), [.period: .text("")]), at: "2026-01-05T12:00Z")
    #expect(ledger.nextRenewal == nil)
  }

  @Test(arguments: [
    ("daily 25:00", "“25:00” is not a time of day such as 04:00 or 16:30"),
    ("daily 4am", "“4am” is not a time of day such as 04:00 or 16:30"),
    ("weekly mon", "“mon” is not a weekday; write monday"),
    ("weekly funday 05:00", "“funday” is not a weekday such as monday"),
    (
      "weekly funday",
      "“funday” is neither a day of the week such as monday nor a time zone of this machine such as Europe/Berlin"
    ),
    (
      "daily noon",
      "“noon” is neither a time of day such as 04:00 nor a time zone of this machine such as Europe/Berlin"
    ),
    ("monthly 32", "the day of a month must be from 1 to 31"),
    ("on 2026-13-01", "“2026-13-01” is not a date such as 2026-12-24"),
    (
      "daily Mars/Olympus",
      "there is no time zone “Mars/Olympus” on this machine; zones have names such as Europe/Berlin"
    ),
  ])
  mutating func `a wrong period is refused with the word that is wrong`(_ text: String, _ reason: String) {
    #expect(throws: CountingError.badSetting("period", reason: reason)) {
      try make("laps", text, at: "2026-01-01T12:00Z")
    }
  }

  @Test(arguments: [
    "hourly 60", "hourly 4:15", "yearly 13-01", "yearly 02-30", "daily 25:00", "daily 04:00 Mars/Olympus",
    "daily 04:00 UTC more", "weekly someday", "monthly 32", "on",
    "on 2026-02-30", "daily ../etc/passwd",
  ])
  mutating func `what is no period is refused`(_ text: String) {
    #expect(throws: CountingError.self) { try make("laps", text, at: "2026-01-01T12:00Z") }
    #expect(ledger.isEmpty)
  }

  @Test(arguments: [
    ("hourly", "hourly 0 Europe/Berlin"), ("hourly 5 UTC", "hourly 5 UTC"),
    ("yearly", "yearly 01-01 00:00 Europe/Berlin"), ("yearly 02-29 4:00 UTC", "yearly 02-29 04:00 UTC"),
    ("daily", "daily 00:00 Europe/Berlin"), ("weekly", "weekly monday 00:00 Europe/Berlin"),
    ("weekly Sunday 9:05", "weekly sunday 09:05 Europe/Berlin"), ("monthly", "monthly 1 00:00 Europe/Berlin"),
    ("monthly 31 23:59:30 UTC", "monthly 31 23:59:30 UTC"), ("on 2026-12-24", "on 2026-12-24 00:00 Europe/Berlin"),
  ])
  mutating func `a period is kept in full`(_ text: String, _ kept: String) throws {
    try make("laps", text, at: "2026-01-01T12:00Z")
    #expect(try ledger.find(.named("laps")).period == kept)
    #expect(Schedule(kept)?.description == kept)
  }

  @Test(.seeded) mutating func `on random days no boundary is lost or doubled, however seldom anybody looks`() throws {
    var random = Seed.generator()
    for zone in ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"] {
      let time = try Self.moment("2026-01-01T00:00Z")
      let period = "daily 0\(Int.random(in: 0...9, using: &random)):30 \(zone)"
      let name = "c\(zone.count)"
      try perform(.create(name: name, [.period: .text(period)]), at: "2026-01-01T00:00Z")
      var (now, counted, closed, looks) = (time, [] as [Int64], [] as [Int64], [] as [Int64])
      for _ in 0..<40 {
        now += Int64.random(in: 1...1_500_000, using: &random) * 1_000_000
        looks.append(now)
        while let id = ledger.renewals(until: now).first {
          for event in try ledger.perform(.renew(id), at: now, cause: cause) {
            closed.append(event.time)
            counted.append(event.value - event.change)
          }
        }
        _ = try ledger.perform(.add(.named(name), amount: 1), at: now, cause: cause)
      }
      let schedule = try #require(Schedule(period))
      var expected: [Int64] = []
      var boundary = time / 1_000_000
      for (index, look) in looks.enumerated() {
        var ended: [Int64] = []
        while let next = schedule.next(after: boundary, in: try ZoneFolder().zone(named: zone)),
          next * 1_000_000 <= look
        {
          ended.append(next * 1_000_000)
          boundary = next
        }
        // The one with the last count, and the empty ones after it together.
        expected += index > 0 && ended.count > 1 ? [ended[0], ended[ended.count - 1]] : ended.suffix(1)
      }
      #expect(closed == expected)
      #expect(try counted.reduce(0, +) + ledger.find(.named(name)).value == 40)
      try perform(.remove(.named(name)), at: "2026-01-01T00:00Z")
    }
  }

  @Test mutating func `what was made before a period ended belongs to it, however late it arrives`() throws {
    try make("laps", "daily 00:00", at: "2026-11-20T12:00Z")
    try perform(.add(.named("laps"), amount: 7), at: "2026-11-20T13:00Z")
    _ = try renew(until: "2026-11-21T23:30Z")
    try perform(.add(.named("laps"), amount: 2), at: "2026-11-21T23:31Z")
    // 23:59 in Berlin, delivered after midnight.
    let late = try perform(.add(.named("laps"), amount: 30), at: "2026-11-21T22:59Z")
    #expect(late.map(\.kind) == [.added, .renewed])
    #expect(late.map(\.value) == [32, 2])
    #expect(late.last?.time == (try Self.moment("2026-11-21T23:00Z")))
    #expect(late.allSatisfy { !$0.marks.contains(.reached) })
    #expect(try ledger.find(.named("laps")).value == 2)
    // What is taken back is both.
    _ = try ledger.perform(
      .undo(late.reversed().map { Change.Takeback($0) }), at: Self.moment("2026-11-21T23:40Z"), cause: cause)
    #expect(try ledger.find(.named("laps")).value == 2)
    #expect(try perform(.add(.named("laps"), amount: 1), at: "2026-11-21T23:00Z").map(\.value) == [3])
  }

  @Test mutating func `a count of an ended period keeps the limits for the value of that period`() throws {
    for (name, limits) in [("a", "refuse"), ("b", "stop")] {
      try perform(
        .create(
          name: name, [.period: .text("daily 00:00 UTC"), .maximum: .integer(5), .limits: .text(limits)]),
        at: "2026-11-20T12:00Z")
      try perform(.add(.named(name), amount: 4), at: "2026-11-20T13:00Z")
    }
    _ = try renew(until: "2026-11-21T12:00Z")
    let time = try Self.moment("2026-11-20T20:00Z")
    func late(_ name: String, _ amount: Int64) throws -> [Event] {
      let events = try perform(.add(.named(name), amount: .units(amount)), at: time, from: 4)
      #expect(try events.last?.time == Self.moment("2026-11-21T00:00Z"))
      return events
    }
    let refused = CountingError.ofEndedPeriod(
      .limitReached("a", limit: 5), end: "2026-11-21 00:00 UTC", value: "4")
    #expect(throws: refused) { try late("a", 2) }
    #expect(try late("a", 1).map(\.change) == [1, -1])
    let stopped = try late("b", 2)
    #expect(stopped.map(\.change) == [1, -1] && stopped[0].marks.contains(.limited))
    // A count within the present period asks nothing.
    let noon = try Self.moment("2026-11-21T12:00Z")
    #expect(ledger.question(before: .add(.named("a"), amount: 1), at: noon) == nil)
  }

  @Test func `a zone without a name in the database is kept as that of the machine`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "JST-9", 1)
      var ledger = Ledger()
      ledger.zone = { name throws(ZoneError) in try ZoneFolder().zone(named: name) }
      let noon: Int64 = 1_795_262_400
      let made = Change.create(name: "laps", [.period: .text("daily 04:00")])
      _ = try ledger.perform(made, at: noon * 1_000_000, cause: Cause(producer: "test"))
      #expect(try ledger.find(.named("laps")).period == "daily 04:00")
      #expect(try ledger.find(.named("laps")).renewsAt == (noon + 7 * 3600) * 1_000_000)
    }
  }

  @Test mutating func `a boundary at which nothing was closed divides nothing`() throws {
    try perform(.create(name: "laps"), at: "2026-11-20T12:00Z")
    try perform(.set(.named("laps"), [.period: .text("daily 00:00")]), at: "2026-11-21T12:00Z")
    #expect(try perform(.add(.named("laps"), amount: 4), at: "2026-11-20T13:00Z").map(\.value) == [4])
  }

  @Test(arguments: [
    ("daily 02:30", "2026-10-25T00:29Z", "2026-10-24T00:30Z", "2026-10-25T00:30Z"),
    ("daily 02:30", "2026-10-25T00:30Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"),
    // The second 02:00.
    ("daily 02:30", "2026-10-25T01:00Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"),
    ("weekly monday 04:00 UTC", "2026-11-24T03:00Z", "2026-11-23T04:00Z", "2026-11-24T04:00Z"),
    ("hourly 15 UTC", "2026-11-24T23:30Z", "2026-11-24T23:00Z", "2026-11-25T23:00Z"),
  ])
  mutating func `the day of a time contains it`(_ period: String, _ time: String, _ start: String, _ end: String) throws
  {
    try make("laps", period, at: "2026-01-01T12:00Z")
    let day = ledger.day(containing: try Self.moment(time), for: try ledger.find(.named("laps")))
    #expect(try day == Self.moment(start)..<Self.moment(end))
  }

  @Test(.seeded)
  mutating func `on random days each count belongs to the period in which it was made, however late it comes`()
    throws
  {
    var random = Seed.generator()
    let zone = try ZoneFolder().zone(named: "Europe/Berlin")
    let schedule = try #require(Schedule("daily 02:30 Europe/Berlin"))
    let start = try Self.moment("2026-03-20T00:00Z")
    try perform(.create(name: "c", [.period: .text("daily 02:30 Europe/Berlin")]), at: "2026-03-20T00:00Z")
    var (now, records, made) = (start, [Int64: Int64](), [Int64]())
    func note(_ events: [Event], _ records: inout [Int64: Int64]) {
      for event in events where event.kind == .renewed && event.change != 0 {
        records[event.time, default: 0] -= event.change
      }
    }
    for _ in 0..<100 {
      now += Int64.random(in: 1...20_000, using: &random) * 1_000_000
      while let id = ledger.renewals(until: now).first {
        note(try ledger.perform(.renew(id), at: now, cause: cause), &records)
      }
      let time = max(start, now - Int64.random(in: 0...200_000, using: &random) * 1_000_000)
      note(try perform(.add(.named("c"), amount: 1), at: time), &records)
      made.append(time)
    }
    var (expected, left) = ([Int64: Int64](), Int64(0))
    for time in made {
      let end = try #require(schedule.next(after: time / 1_000_000, in: zone)) * 1_000_000
      if end <= now { expected[end, default: 0] += 1 } else { left += 1 }
    }
    #expect(records == expected)
    #expect(try ledger.find(.named("c")).value == left)
  }
}
