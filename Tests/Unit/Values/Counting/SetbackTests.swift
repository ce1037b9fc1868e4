import Calendars
import Counting
import Testing

/// A clock that was wrong is mended later; meanwhile it has ended periods that had yet to begin.
@Suite struct `A period that a clock began which was ahead`: CalendarHands {
  var ledger = Ledger()

  mutating func make(_ period: String) throws {
    try perform(.create(name: "x", [.period: .text(period)]), at: "2026-11-22T09:00Z")
    try perform(.add(.named("x"), amount: 5), at: "2026-11-22T09:00Z")
    #expect(try renew(until: "2027-01-01T09:00Z").last?.kind == .renewed)
    try perform(.add(.named("x"), amount: 2), at: "2027-01-01T09:00Z")
  }

  @Test(arguments: ["daily 00:00 UTC", "weekly UTC", "monthly UTC"])
  mutating func `goes on once the clock is set back, until the end that it has now`(_ period: String) throws {
    try make(period)
    let now = "2026-11-22T10:00Z"
    #expect(try ledger.earliestTime.map { try Self.moment(now) < $0 } == true)
    let events = try renew(until: now)
    #expect(events.map(\.kind) == [.changed])
    #expect(events.allSatisfy { $0.change == 0 && $0.value == 2 && $0.marks.contains(.notUndoable) })
    #expect(try ledger.find(.named("x")).began == Self.moment(now))
    #expect(try perform(.add(.named("x"), amount: 3), at: now).map(\.value) == [5])
    #expect(try renew(until: now).isEmpty)
    let next = try #require(Schedule(period)?.next(after: Self.moment(now) / 1_000_000, in: .utc)) * 1_000_000
    #expect(ledger.nextRenewal == next)
    // What was done by the wrong clock and arrives only now, and what was done before the day began.
    #expect(try perform(.add(.named("x"), amount: 1), at: "2027-01-01T09:01Z").map(\.value) == [6])
    let late = try perform(.add(.named("x"), amount: 1), at: "2026-10-31T09:00Z")
    #expect(late.map(\.kind) == [.added, .renewed] && late.last?.value == 6)
    // Its end comes once.
    let closed = try ledger.perform(.renew(ledger.find(.named("x")).id), at: next, cause: cause)
    #expect(closed.map(\.change) == [-6] && closed.map(\.time) == [next])
    #expect(ledger.renewals(until: next).isEmpty)
  }

  /// With new starts between, which know of the clock what the journal tells.
  @Test(arguments: [
    (["2016-11-03T17:17:05Z"], false, true), (["2026-11-24T23:00Z"], false, true),
    (["2026-11-25T10:00Z"], false, false), (["2026-11-25T10:00Z"], true, true),
    (["2026-11-25T23:59Z"], true, true), (["2026-11-25T10:00Z", "2026-11-25T09:00Z"], true, true),
  ])
  mutating func `goes on after a restart if the clock was lost, or had been back by more than a period`(
    _ clocks: [String], _ isLost: Bool, _ goesOn: Bool
  ) throws {
    let start = "2026-11-26T10:00Z"
    try perform(.create(name: "x", [.period: .text("daily UTC")]), at: start)
    try perform(.add(.named("x"), amount: 7), at: start)
    var setbacks: [Event] = []
    for clock in clocks {
      if isLost { try restart(after: setbacks, at: clock) }
      setbacks += try renew(until: clock)
      try perform(.add(.named("x"), amount: 3), at: clock)
    }
    #expect(setbacks.map(\.kind) == clocks.map { _ in .changed })
    try restart(after: setbacks, at: "2026-11-26T10:40Z")
    let value = try ledger.find(.named("x")).value
    #expect(try renew(until: "2026-11-26T10:40Z").first?.kind == (goesOn ? .changed : .renewed))
    #expect(try ledger.find(.named("x")).value == (goesOn ? value : 0))
    guard goesOn else { return }
    #expect(try renew(until: "2026-11-27T00:00Z").map(\.change) == [-value])
  }

  /// Loads the state as a core does that starts.
  private mutating func restart(after setbacks: [Event], at time: String) throws {
    ledger = Ledger(counters: ledger.all, lastSequence: ledger.lastSequence, lastID: ledger.lastNumber)
    for (id, events) in Dictionary(grouping: setbacks.reversed(), by: \.counter) {
      ledger.recallStarts(
        of: id,
        events.compactMap { event in
          guard let began = event.alterations.first(where: { $0.field == .began }), let before = began.before.integer,
            let after = began.after.integer
          else { return nil }
          return Ledger.StartAlteration(
            kind: event.kind, marks: event.marks, before: before, after: after)
        })
    }
    ledger.noteClockAtStart(try Self.moment(time))
  }

  @Test mutating func `goes on when a clock that was lost runs on into it, and ends then`() throws {
    try perform(.create(name: "x", [.period: .text("daily UTC")]), at: "2026-11-26T10:00Z")
    try perform(.add(.named("x"), amount: 7), at: "2026-11-26T10:00Z")
    try restart(after: [], at: "2026-11-25T20:00Z")
    ledger.boot = Boot(id: "x", began: try Self.moment("2026-11-20T00:00Z"))
    let setbacks = try renew(until: "2026-11-25T20:00Z")
    #expect(try renew(until: "2026-11-26T00:00Z").map(\.kind) == [.changed])
    #expect(try renew(until: "2026-11-27T00:00Z").map(\.change) == [-7])
    #expect(setbacks.count == 1 && setbacks[0].marks.contains(.clockLost))
  }

  /// The clock is five days back, and is set right, by its network or while the machine is off.
  @Test(arguments: [false, true], [(2, true), (40, false)])
  mutating func `is not ended by a lost clock that runs for less than a day`(
    _ isRestarted: Bool, _ run: (hours: Int64, goesOn: Bool)
  ) throws {
    let hour: Int64 = 3_600_000_000
    let boot = Boot(id: "x", began: try Self.moment("2026-11-20T00:00Z"))
    try perform(.create(name: "x", [.period: .text("daily UTC")]), at: "2026-11-26T10:00Z")
    try perform(.add(.named("x"), amount: 7), at: "2026-11-26T10:00Z")
    try restart(after: [], at: "2026-11-20T23:30Z")
    ledger.boot = Boot(id: "x", began: boot.began - 120 * hour)
    var starts = try renew(until: "2026-11-20T23:30Z")
    for later in stride(from: hour, through: run.hours * hour, by: Int(hour)) {
      let time = try Self.moment("2026-11-20T23:30Z") + later
      for id in ledger.renewals(until: time) { starts += try ledger.perform(.renew(id), at: time, cause: cause) }
    }
    #expect(starts.contains { $0.change == -7 && $0.kind == .renewed } != run.goesOn)
    if isRestarted { try restart(after: starts, at: "2026-11-26T11:00Z") } else { ledger.boot = boot }
    #expect(try renew(until: "2026-11-26T11:00Z").map(\.kind).contains(.changed) == run.goesOn)
  }

  /// The clock was ahead by less than a day, and was corrected while the core was off.
  @Test(arguments: [false, true])
  mutating func `ends when it does if the clock is known to be right`(_ isKnownLater: Bool) throws {
    try perform(.create(name: "x", [.period: .text("daily UTC")]), at: "2026-11-26T10:00Z")
    try perform(.add(.named("x"), amount: 7), at: "2026-11-26T10:00Z")
    let ends = try renew(until: "2026-11-27T08:00Z")
    try restart(after: ends, at: "2026-11-26T11:00Z")
    ledger.isClockSynchronized = !isKnownLater
    ledger.boot = Boot(id: "x", began: try Self.moment("2026-11-20T00:00Z"))
    _ = try renew(until: "2026-11-26T11:00Z")
    try perform(.add(.named("x"), amount: 2), at: "2026-11-26T11:00Z")
    ledger.isClockSynchronized = true
    #expect(try renew(until: "2026-11-27T00:00Z").map(\.change) == [-2])
  }

  @Test mutating func `on a date still has that date to come`() throws {
    try make("on 2026-12-24 18:00 UTC")
    #expect(ledger.nextRenewal == nil)
    #expect(try renew(until: "2026-11-22T10:00Z").count == 1)
    #expect(try ledger.nextRenewal == Self.moment("2026-12-24T18:00Z"))
  }

  @Test mutating func `is left alone where the clock is set by seconds, or is ahead no more`() throws {
    try make("daily 00:00 UTC")
    #expect(try renew(until: "2026-12-31T23:59:00Z").isEmpty)
    let late = try perform(.add(.named("x"), amount: 1), at: "2026-12-31T23:59:30Z")
    #expect(late.map(\.kind) == [.added, .renewed])
    #expect(try renew(until: "2026-12-31T23:58:59Z").count == 1)
  }

  @Test mutating func `is left alone where there is none, or where the counter is locked`() throws {
    try make("daily 00:00 UTC")
    try perform(.lock(.named("x"), true), at: "2026-11-22T10:00Z")
    #expect(try renew(until: "2026-11-22T10:00Z").isEmpty && ledger.earliestTime == nil)
    try perform(.lock(.named("x"), false), at: "2026-11-22T10:00Z")
    try perform(.set(.named("x"), [.archived: .integer(1)]), at: "2026-11-22T10:00Z")
    #expect(try renew(until: "2026-11-22T10:00Z").map(\.kind) == [.changed])
    try perform(.set(.named("x"), [.archived: .integer(0), .period: .text("")]), at: "2026-11-22T10:00Z")
    #expect(try renew(until: "2026-11-22T10:00Z").isEmpty && ledger.earliestTime == nil)
  }

  @Test mutating func `ends when it does, where nobody noticed before`() throws {
    try perform(.create(name: "x", [.period: .text("daily 00:00 UTC")]), at: "2026-11-22T09:00Z")
    try perform(.reset(.one(.named("x")), isConfirmed: true), at: "2027-01-01T09:00Z")
    try perform(.add(.named("x"), amount: 5), at: "2027-01-01T09:01Z")
    let events = try renew(until: "2026-11-23T00:00Z")
    #expect(events.map(\.kind) == [.renewed] && events.map(\.change) == [-5])
    #expect(try events.map(\.time) == [Self.moment("2026-11-23T00:00Z")])
  }

  @Test mutating func `keeps its value where the clock was wrong only after it was set back`() throws {
    let hour: Int64 = 3_600_000_000
    let right = Boot(id: "x", began: try Self.moment("2026-11-20T00:00Z"))
    func behind(_ hours: Int64) -> Boot { Boot(id: "x", began: right.began - hours * hour) }
    ledger.boot = right
    try perform(.create(name: "d", [.period: .text("daily 00:00 UTC")]), at: "2026-11-23T07:00Z")
    try perform(.add(.named("d"), amount: 7), at: "2026-11-23T07:00Z")
    ledger.boot = behind(12)
    #expect(try renew(until: "2026-11-22T22:00Z").count == 1)
    let pressed = try perform(.add(.named("d"), amount: 1), at: "2026-11-22T22:01Z")
    ledger.boot = behind(36)
    #expect(try renew(until: "2026-11-21T22:02Z").count == 1)
    ledger.boot = right
    let events = try renew(until: "2026-11-23T10:03Z")
    #expect(events.map(\.kind) == [.changed] && events.map(\.value) == [8])
    #expect(try ledger.nextRenewal == Self.moment("2026-11-24T00:00Z"))
    let undone = try ledger.perform(
      .undo(pressed.map { Change.Takeback($0) }), at: Self.moment("2026-11-23T10:04Z"), cause: cause)
    #expect(undone.map(\.value) == [7])
    #expect(try renew(until: "2026-11-24T00:00Z").map(\.change) == [-7])

    // A clock that goes on by itself ends the period; so does one that is set to a later period.
    try perform(.add(.named("d"), amount: 5), at: "2026-11-24T09:00Z")
    ledger.boot = behind(12)
    _ = try renew(until: "2026-11-23T21:00Z")
    #expect(try renew(until: "2026-11-24T09:30Z").map(\.change) == [-5])
    try perform(.add(.named("d"), amount: 5), at: "2026-11-24T09:30Z")
    _ = try renew(until: "2026-11-23T09:30Z")
    ledger.boot = right
    #expect(try renew(until: "2026-11-25T10:00Z").first?.change == -5)
  }

  @Test mutating func `bears any times`() throws {
    try perform(.create(name: "x", [.period: .text("daily 00:00 UTC")]), at: "2026-11-22T09:00Z")
    for time in [Int64.max, .min] {
      _ = try ledger.perform(.reset(.one(.named("x")), isConfirmed: true), at: time, cause: cause)
      _ = ledger.earliestTime
      _ = try renew(until: "2026-11-22T10:00Z")
      #expect(try ledger.find(.named("x")).began.map { $0 <= (try Self.moment("2026-11-22T10:00Z")) } == true)
    }
  }
}
