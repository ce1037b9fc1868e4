import Journal
import TestKit
import Testing

/// Power fails and programs are killed again and again, each time at another call, on a disk that also fails.
@Suite(.seeded) struct `A disk without power` {
  @Test(arguments: 0..<Rounds.times(3))
  func `or with failing syncs, ten times in a row, loses nothing that was acknowledged`(_ number: Int) throws {
    let run = DiskRun(case: number)
    var last: Int64 = 0
    var failures = 0
    for round in 1...10 {
      run.disk.fail(round % 3 == 0 ? .once : .forever, in: (number * 37 + round * 101) % 220 + 1)
      do {
        if round > 1 { try run.checkAndRepeat() }
        last = run.acknowledged + 30
        try run.count(to: last, together: Int64(number % 4) + 1)
      } catch is StoreError {
        failures += 1
      }
      run.end((number + round) % 2 == 0 ? .killed : .withoutPower)
    }
    #expect(failures > 0)
    try run.checkAndRepeat()
    try run.count(to: max(last, run.acknowledged), together: 1)
    #expect(run.value == max(last, run.acknowledged))
  }

  /// The calls of the disk in which the log is copied into the file, at a thousand pages: those of the count with most calls.
  private static func callsOfCopy() throws -> Range<Int> {
    let run = DiskRun(case: 0)
    try run.count(to: 1, together: 1)
    var longest = 0..<0
    for number in 2...1200 as ClosedRange<Int64> {
      let before = run.disk.calls
      try run.count(to: number, together: 1)
      if run.disk.calls - before > longest.count { longest = before..<run.disk.calls }
    }
    return longest
  }

  @Test(arguments: 0..<Rounds.times(3))
  func `while the log is copied into the file loses nothing that was acknowledged`(_ number: Int) throws {
    let run = DiskRun(case: number)
    try run.count(to: 1, together: 1)
    let copy = try Self.callsOfCopy()
    #expect(copy.count > 100)
    var random = Seed.generator(case: number)
    let call = Int.random(in: copy, using: &random)
    run.disk.fail([.once, .forever, .full][number % 3], in: call - run.disk.calls)
    // A copy that fails is tried again later, without an error.
    do { try run.count(to: 1200, together: 1) } catch is StoreError {}
    #expect(run.disk.calls >= call)
    run.end(number % 4 == 0 ? .killed : .withoutPower)
    try run.checkAndRepeat()
    try run.count(to: 1210, together: 1)
    #expect(run.value == 1210)
  }
}
