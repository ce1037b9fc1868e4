import Counting
import Journal
import TestKit
import Testing

@testable import CoreService

/// A call of the disk fails, in a run that starts, counts, and starts again.
@Suite(.seeded) struct `A disk that fails` {
  static let last: Int64 = 12

  /// What a run does until the disk fails it: two lives of a core, so that the end of a life is in it as well.
  func live(_ run: DiskRun) throws {
    try run.count(to: Self.last / 2, together: 3)
    run.stop()
    try run.count(to: Self.last, together: 3)
    run.stop()
  }

  /// The calls that an undisturbed run takes.
  func calls() throws -> ClosedRange<Int> {
    let run = DiskRun(case: 0)
    try live(run)
    return 1...run.disk.calls
  }

  @Test(arguments: FaultyDisk.Fault.allCases, FaultyDisk.End.allCases)
  func `at any call loses nothing that was acknowledged, and doubles nothing`(
    _ fault: FaultyDisk.Fault, _ end: FaultyDisk.End
  ) throws {
    let number = fault.rawValue * FaultyDisk.End.allCases.count + end.rawValue
    let (tried, failures) = try Rounds.untilHit(in: calls(), gap: 120, case: number) { number in
      let run = DiskRun(case: number)
      var hasFailed = false
      run.disk.fail(fault, in: number)
      do {
        try live(run)
      } catch let error as StoreError {
        hasFailed = true
        if fault == .full { #expect(error.code == .full) }
        if let value = run.value { #expect(value == run.acknowledged) }
      }
      run.end(end)
      try run.checkAndRepeat()
      try run.count(to: Self.last, together: 2)
      #expect(run.value == Self.last, "call \(number)")
      return hasFailed
    }
    // Some calls may be such as the core does without.
    #expect(failures > (tried < 50 ? 0 : tried / 4), "\(failures) of \(tried)")
  }

  @Test func `for want of room takes no more, and all of it again once there is room`() throws {
    let (_, failures) = try Rounds.untilHit(in: calls(), gap: 120) { number in
      let run = DiskRun(case: number)
      var hasFailed = false
      try run.count(to: 1, together: 1)
      run.disk.fail(.full, in: number)
      do {
        try run.count(to: Self.last, together: 3)
      } catch let error as StoreError {
        hasFailed = true
        #expect(error.code == .full)
        if let value = run.value { #expect(value == run.acknowledged) }
        run.disk.mend()
        try run.count(to: Self.last, together: 3)
      }
      #expect(run.value == Self.last, "call \(number)")
      return hasFailed
    }
    #expect(failures > 0)
  }

  @Test func `is not written to again until the core is restarted`() throws {
    let (_, failures) = try Rounds.untilHit(in: 1...40, gap: 5) { number in
      let run = DiskRun(case: number)
      try run.count(to: 3, together: 3)
      run.disk.fail(.once, in: number)
      do { try run.count(to: Self.last, together: 3) } catch is StoreError {}
      guard run.acknowledged < Self.last else { return false }
      let writes = run.disk.writes
      #expect { try run.count(to: Self.last, together: 1) } throws: { ($0 as? StoreError)?.code == .failed }
      #expect(run.disk.writes == writes)
      if let value = run.value { #expect(value == run.acknowledged) }
      return true
    }
    #expect(failures > 0)
  }

  /// What a disk is asked for decides how fast counts are.
  @Test func `has one write and one sync of a count`() throws {
    let run = DiskRun(case: 0)
    try run.start()
    let core = try #require(run.core)
    let request = Request(.change(.add(.current, amount: nil)), time: 1, cause: Cause(producer: "test"))
    var writes: [Int] = []
    for _ in 0..<4 {
      let before = run.disk.writes
      _ = try core.perform(request)
      core.commit()
      writes.append(run.disk.writes - before)
    }
    // The first one makes the counter, and notes its cause.
    #expect(writes.dropFirst() == [2, 2, 2])
    run.stop()
  }
}
