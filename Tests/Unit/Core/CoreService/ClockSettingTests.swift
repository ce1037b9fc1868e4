import Counting
import Foundation
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Journal

/// A board without a hardware clock: the clock shows a time of the past, and is set while the core runs.
@Suite struct `A clock that is set for the first time since boot` {
  static let day: Int64 = 86_400_000_000
  let temporary = TemporaryFolder()
  let core: Core
  let now = Clock.microsecondsSince1970()

  init() throws { core = try Core(store: try CounterStore(folder: temporary.path), loop: try EventLoop()) }

  /// Performs changes while the clock shows `time`: no period ends by the real one.
  func perform(at time: Int64, isLate: Bool = false, _ changes: Change...) throws {
    for change in changes { try perform(.change(change), at: time, isLate: isLate) }
  }

  func perform(_ verb: Request.Verb, at time: Int64, isLate: Bool = false) throws {
    core.periodTimes = .init()
    _ = try core.performOne(Request(verb, time: time, cause: Cause(producer: "pedal"), isLate: isLate))
  }

  /// Sets the clock, which was `lag` microseconds behind while the events after `last` were made.
  func setClock(after last: Int64 = 0, lag: Int64) throws {
    core.unsetClock = .init(bootTime: Clock.bootTime() - lag, lastEvent: last)
    core.scheduleRenewal()
    try core.renew()
  }

  /// The counts of a day that ends at `time`, and their sum.
  func sums(of days: Int64...) throws -> [[Int64]] {
    try days.map { end in
      try core.store.flush(core.ledger.head)
      let totals = try core.store.reader.totals(
        of: nil, between: [end - Self.day / 2, end + Self.day / 2], now: .init(time: 0, boot: nil)
      ).totals
      return [totals.map(\.counts).reduce(0, +), totals.map { $0.added - $0.subtracted }.reduce(0, +)]
    }
  }

  func expectWhole() throws {
    core.commit()
    #expect(try JournalFile.verify(temporary.path).isEmpty)
  }

  @Test func `counts of a morning that showed last night are in today's value and totals`() throws {
    let night = now - Self.day
    try perform(
      at: night, .create(name: "visitors"), .set(.current, [.period: .text(SteadyPeriod().daily)]),
      .add(.current, amount: 10))
    let last = core.ledger.lastSequence
    try perform(at: night + 1_000_000, .add(.current, amount: nil), .add(.current, amount: 2))
    #expect(core.ledger.all.map(\.value) == [13])
    #expect(try sums(of: night, now) == [[3, 13], [0, 0]])
    try setClock(after: last, lag: Self.day)
    #expect(core.ledger.all.map(\.value) == [3])
    #expect(try sums(of: night, now) == [[1, 10], [2, 3]])
    // Undo still takes back the last press.
    try perform(.undo(nil), at: now)
    #expect(core.ledger.all.map(\.value) == [1])
    try expectWhole()
  }

  @Test func `counts of a new card, whose clock began years ago, are of today`() throws {
    let long = now - 3650 * Self.day
    try perform(
      at: long, .add(.current, amount: nil), .set(.current, [.period: .text(SteadyPeriod().daily)]),
      .add(.current, amount: nil), .subtract(.current, amount: nil), .add(.current, amount: 5))
    try setClock(lag: 3650 * Self.day)
    try perform(at: now, .add(.current, amount: 1))
    #expect(core.ledger.all.map(\.value) == [7])
    #expect(try sums(of: long, now) == [[0, 0], [5, 7]])
    try expectWhole()
  }

  @Test func `counts that were made together are repeated together, and nobody entered them by hand`() throws {
    let night = now - Self.day
    for name in ["a", "b"] { try perform(at: night, .create(name: name)) }
    let last = core.ledger.lastSequence
    let cause = Cause(producer: "tally")
    core.periodTimes = .init()
    _ = try core.perform([
      Request(.change(.add(.named("a"), amount: 3)), time: night, cause: cause),
      Request(.change(.add(.named("b"), amount: 1)), time: night, cause: cause, isTogether: true),
    ])
    try setClock(after: last, lag: Self.day)
    #expect(core.ledger.all.map(\.value) == [3, 1])
    let repeated = try core.store.events(last + 1...core.ledger.lastSequence, in: core.ledger)
      .filter { $0.marks.contains(.late) }
    #expect(repeated.map(\.change) == [3, 1] && !repeated.contains(where: \.isEnteredLater))
    try perform(.undo(nil), at: now)
    #expect(core.ledger.all.map(\.value) == [0, 0])
    try expectWhole()
  }

  @Test func `what was undone, reset, locked or late keeps its date, and values stay`() throws {
    let night = now - Self.day
    for name in ["undone", "reset", "locked", "late"] { try perform(at: night, .create(name: name)) }
    try perform(at: night, .add(.named("undone"), amount: 1))
    try perform(.undo("undone"), at: night)
    try perform(
      at: night, .add(.named("reset"), amount: 1), .reset(.one(.named("reset")), isConfirmed: true),
      .add(.named("reset"), amount: 1), .add(.named("locked"), amount: 1), .lock(.named("locked"), true))
    try perform(at: night, isLate: true, .add(.named("late"), amount: 1))
    let values = core.ledger.all.map(\.value)
    try setClock(lag: Self.day)
    #expect(core.ledger.all.map(\.value) == values)
    #expect(try sums(of: night, now) == [[3, 3], [1, 1]])
    try expectWhole()
  }

  @Test(arguments: [0, 59_000_000, -day])
  func `keeps all dates if it was right, or was set back`(_ lag: Int64) throws {
    try perform(at: now - Self.day, .add(.current, amount: 1))
    try setClock(lag: lag)
    #expect((core.unsetClock == nil) == (lag < 0))
    #expect(try sums(of: now - Self.day, now) == [[1, 1], [0, 0]])
  }

  @Test func `concerns only clocks of boards that no hardware clock has set`() throws {
    let board = temporary.path
    #expect(Clock.isPlausible(hardware: temporary.path, board: temporary.path("none")))
    #expect(!Clock.isPlausible(hardware: temporary.path, board: board))
    for name in ["rtc0", "rtc1"] {
      try FileManager.default.createDirectory(atPath: temporary.path(name), withIntermediateDirectories: false)
    }
    try temporary.write("0\n", to: "rtc0/hctosys")
    #expect(!Clock.isPlausible(hardware: temporary.path, board: board))
    try temporary.write("1\n", to: "rtc1/hctosys")
    #expect(Clock.isPlausible(hardware: temporary.path, board: board))
  }
}
