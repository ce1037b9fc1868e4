import CounterStore
import Testing

/// Every call of the disk fails once, in a run that starts, counts, and starts again.
@Suite struct `A disk that fails` {
  static let last: Int64 = 12

  /// What a run does until the disk fails it: two lives of a core, so that the end of a life is in it as well.
  func live(_ run: DiskRun) throws {
    try run.count(to: Self.last / 2, together: 3)
    run.stop()
    try run.count(to: Self.last, together: 3)
    run.stop()
  }

  /// How many calls an undisturbed run takes.
  func calls() throws -> Int {
    let run = DiskRun(seed: 0)
    try live(run)
    return run.disk.calls
  }

  @Test(arguments: FaultyDisk.Fault.allCases, FaultyDisk.End.allCases)
  func `at any call loses nothing that was acknowledged, and doubles nothing`(
    _ fault: FaultyDisk.Fault, _ end: FaultyDisk.End
  ) throws {
    var failures = 0
    for number in 1...(try calls()) {
      let run = DiskRun(seed: number)
      run.disk.fail(fault, in: number)
      do {
        try live(run)
      } catch let error as StoreError {
        failures += 1
        if fault == .full { #expect(error.code == .full) }
        if let value = run.value { #expect(value == run.acknowledged) }
      }
      run.end(end)
      try run.checkAndRepeat()
      try run.count(to: Self.last, together: 2)
      #expect(run.value == Self.last, "call \(number)")
    }
    #expect(failures > 20)
  }

  @Test func `for want of room takes no more, and all of it again once there is room`() throws {
    for number in 1...(try calls()) {
      let run = DiskRun(seed: number)
      try run.count(to: 1, together: 1)
      run.disk.fail(.full, in: number)
      do {
        try run.count(to: Self.last, together: 3)
      } catch let error as StoreError {
        #expect(error.code == .full)
        if let value = run.value { #expect(value == run.acknowledged) }
        run.disk.mend()
        try run.count(to: Self.last, together: 3)
      }
      #expect(run.value == Self.last, "call \(number)")
    }
  }

  @Test func `is not written to again until the core is restarted`() throws {
    for number in 1...40 {
      let run = DiskRun(seed: number)
      try run.count(to: 3, together: 3)
      run.disk.fail(.once, in: number)
      do { try run.count(to: Self.last, together: 3) } catch is StoreError {}
      guard run.acknowledged < Self.last else { continue }
      let writes = run.disk.writes
      #expect { try run.count(to: Self.last, together: 1) } throws: { ($0 as? StoreError)?.code == .failed }
      #expect(run.disk.writes == writes)
      if let value = run.value { #expect(value == run.acknowledged) }
    }
  }
}
