import Counting
import Journal
import TestKit
import Testing

@testable import CoreService
@testable import Linux

/// A core on a ``FaultyDisk``, whose only counter stands at 5 when its period ends.
final class PeriodRun {
  let disk = FaultyDisk(case: 1)
  let steady = SteadyPeriod()
  let loop: EventLoop
  private(set) var core: Core?

  init(mostRenewals: Int = Core.mostRenewals) throws {
    loop = try EventLoop()
    let core = try Core(
      store: try CounterStore(folder: disk.folder), loop: loop, surroundings: .standard, mostRenewals: mostRenewals)
    self.core = core
    try perform(.create(name: "visitors"))
    try perform(.add(.current, amount: .units(5)))
    core.commit()
  }

  /// Handles of the disk must not outlive it.
  deinit { core = nil }

  func perform(_ change: Change, at time: Int64 = Clock.microsecondsSince1970()) throws {
    _ = try core?.perform(Request(.change(change), time: time, cause: Cause(producer: "test")))
  }

  /// Lets the period end now: it began two days ago.
  func endPeriod() throws {
    let time = Clock.microsecondsSince1970() - 2 * 86_400_000_000
    try perform(.set(.current, [.period: .text(steady.daily)]), at: time)
    core?.commit()
  }

  func turn(_ times: Int) throws { for _ in 0..<times { _ = try loop.runOnce(waiting: 1_000) } }

  var value: Int64? { core?.ledger.all.first?.value }
}

@Suite struct `Periods that end together` {
  @Test func `are closed in the order of their ends, whatever their counter`() throws {
    let run = try PeriodRun()
    var told: [Int64] = []
    run.core?.onEvents = { told += $0.filter { $0.kind == .renewed }.map(\.time) }
    let time = Clock.microsecondsSince1970() - 20 * 86_400_000_000
    for (name, period) in [("days", "daily 00:00 UTC"), ("weeks", "weekly monday 12:00 UTC")] {
      try run.perform(.create(name: name), at: time)
      try run.perform(.set(.named(name), [.period: .text(period)]), at: time)
      try run.perform(.add(.named(name), amount: 3), at: time)
    }
    run.core?.commit()
    try run.core?.renew()
    run.core?.commit()
    // The period with the counts, and the empty ones after it together.
    #expect(told.count == 4)
    #expect(told == told.sorted())
  }

  @Test func `in great number are closed before anything is counted for their counters`() throws {
    let run = try PeriodRun(mostRenewals: 1)
    let names = (1...5).map { "c\($0)" }
    for name in names {
      try run.perform(.create(name: name))
      try run.perform(.add(.named(name), amount: .units(3)))
    }
    let time = Clock.microsecondsSince1970() - 2 * 86_400_000_000
    for name in names { try run.perform(.set(.named(name), [.period: .text(run.steady.daily)]), at: time) }
    run.core?.commit()
    for name in names.reversed() { try run.perform(.add(.named(name), amount: .units(1))) }
    for _ in 0..<20 { try run.core?.renew() }
    #expect(run.core?.ledger.all.dropFirst().map(\.value) == [1, 1, 1, 1, 1])
  }

  @Test func `in great number leave calls and commits their turn`() throws {
    let run = try PeriodRun(mostRenewals: 1)
    let time = Clock.microsecondsSince1970() - 12 * 3_600_000_000
    try run.perform(.create(name: "sw", isStopwatch: true, [.period: .text("hourly UTC")]), at: time)
    try run.perform(.clock(.named("sw"), .start), at: time)
    run.core?.commit()
    var closed: [Int] = []
    run.core?.onEvents = { closed.append($0.filter { $0.kind == .renewed }.count) }
    for _ in 0..<10_000 where closed.reduce(0, +) < 12 { try run.turn(1) }
    // One commit for all would be one turn for all calls.
    #expect(closed.filter { $0 > 0 }.count >= 10, "periods that were closed by each commit: \(closed)")
  }
}

@Suite struct `A period that ends while its counter is archived` {
  private func archived() throws -> PeriodRun {
    let run = try PeriodRun()
    try run.perform(.create(name: "dogs"))
    let time = Clock.microsecondsSince1970() - 2 * 86_400_000_000
    let settings: Settings = [.period: .text(run.steady.daily), .archived: .integer(1)]
    try run.perform(.set(.named("visitors"), settings), at: time)
    run.core?.commit()
    #expect(run.core?.ledger.nextRenewal == nil)
    return run
  }

  private func value(_ run: PeriodRun) throws -> Int64? { try run.core?.ledger.find(.named("visitors")).value }

  @Test func `is closed before a count, which belongs to the present period`() throws {
    let run = try archived()
    try run.perform(.add(.named("dogs"), amount: 1))
    try run.perform(.reset(.all, isConfirmed: true))
    #expect(try value(run) == 5)
    try run.perform(.add(.named("visitors"), amount: 4))
    #expect(try value(run) == 4)
    try run.perform(.set(.named("visitors"), [.archived: .integer(0)]))
    run.core?.commit()
    try run.core?.renew()
    #expect(try value(run) == 4)
  }

  @Test func `is closed before an import of counts, by name or by history`() throws {
    let run = try archived()
    var archive = Archive()
    try archive.add(.init(name: "visitors", time: Clock.microsecondsSince1970(), amount: "3"))
    _ = try run.core?.importArchive(archive, onClash: .merge, isTrial: false)
    #expect(try value(run) == 3)
  }
}

@Suite(.seeded) struct `A period that ends while the disk` {
  @Test func `is full is tried to be closed once, and closed with the next change when there is room`() throws {
    let run = try PeriodRun()
    try run.endPeriod()
    run.disk.fail(.full, in: 1)
    try Wait.until("the disk is found full", turning: run.loop) { run.core?.trouble?.code == .full }
    #expect(run.value == 5)
    let calls = run.disk.calls
    try run.turn(40)
    #expect(run.disk.calls == calls)
    #expect(run.core?.alarm?.isArmed == true)
    run.disk.mend()
    try run.perform(.add(.current, amount: nil))
    run.core?.commit()
    #expect(run.value == 1)
  }

  @Test func `has failed is left to the core that takes over`() throws {
    let run = try PeriodRun()
    var told: [Event.Kind] = []
    run.core?.onEvents = { told += $0.map(\.kind) }
    try run.endPeriod()
    run.disk.fail(.once, in: 1)
    try Wait.until("the disk has failed", turning: run.loop) { run.core?.failure?.code == .failed }
    let writes = run.disk.writes
    try run.turn(40)
    #expect(run.disk.writes == writes)
    #expect(run.value == 5)
    #expect(told == [.changed])
    #expect(run.core?.alarm?.isArmed == false)
  }
}
