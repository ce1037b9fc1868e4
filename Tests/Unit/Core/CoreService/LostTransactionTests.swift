import CoreService
import Counting
import Linux
import TestKit
import Testing

@testable import Journal

/// SQLite takes a whole transaction back by itself where the disk fails before the commit: when more is to be written
/// than it keeps in memory.
@Suite(.seeded) struct `A transaction that is too long for the memory` {
  static let last: Int64 = 40
  static let clicker = Producer.Key(user: 7, name: "clicker")

  /// A core that keeps next to nothing in memory, with the counter that is counted.
  func start(_ disk: FaultyDisk) throws -> Core {
    let store = try CounterStore(folder: disk.folder)
    try store.database.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
    return try Core(store: store, loop: try EventLoop())
  }

  /// Delivers, two counts at a time and all in one commit, from a number to the last; what was acknowledged.
  func deliver(_ core: Core, from first: Int64, in epoch: Int64) -> Int64 {
    var acknowledged = first - 1
    for sequence in first...Self.last {
      let request = Request(.change(.add(.current, amount: nil)), time: sequence, cause: Cause(producer: "clicker"))
      let label = Request(
        .change(.add(.current, amount: nil)), time: sequence,
        cause: Cause(producer: "clicker", device: "\(sequence)\(String(repeating: "x", count: 100))"))
      do {
        _ = try core.deliver([request, label], from: Self.clicker, epoch: epoch, sequence: sequence)
      } catch {
        continue
      }
      core.whenDurable { if case .durable = $0 { acknowledged = max(acknowledged, sequence) } }
    }
    core.commit()
    return acknowledged
  }

  /// What a core finds that starts anew: each acknowledged delivery once, and no gap in the history.
  func check(_ disk: FaultyDisk, _ acknowledged: Int64, _ hint: Comment) throws {
    let store = try CounterStore(folder: disk.folder)
    let ledger = try store.load()
    let events = try store.search(EventFilter(), .after(0), limit: 1000, in: ledger).events
    #expect(ledger.all.first?.value == 2 * acknowledged, hint)
    #expect(events.map(\.sequence) == Array(1...Int64(events.count)), hint)
    #expect(events.last?.value == 2 * acknowledged, hint)
  }

  @Test(arguments: FaultyDisk.Fault.allCases)
  func `is all or none when the disk fails in the middle of it`(_ fault: FaultyDisk.Fault) throws {
    let (_, failures) = try Rounds.untilHit(in: 1...60, gap: 20, case: fault.rawValue) { number in
      let disk = FaultyDisk(case: number)
      var core: Core? = try start(disk)
      defer { core = nil }
      let epoch = try #require(try core?.open(Self.clicker).epoch)
      _ = try core?.perform(Request(.change(.create(name: "x")), time: 1, cause: Cause(producer: "test")))
      core?.commit()
      disk.fail(fault, in: number)
      var acknowledged = core.map { deliver($0, from: 1, in: epoch) } ?? 0
      let hasFailed = acknowledged < Self.last
      #expect(core?.ledger.all.first?.value == 2 * acknowledged, "call \(number)")
      disk.mend()
      if fault == .full, acknowledged < Self.last {
        acknowledged = core.map { deliver($0, from: acknowledged + 1, in: epoch) } ?? 0
        #expect(acknowledged == Self.last, "call \(number)")
      }
      core = nil
      try check(disk, acknowledged, "call \(number)")
      return hasFailed
    }
    #expect(failures > 0)
  }
}
