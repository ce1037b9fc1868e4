import CoreService
import Counting
import Journal
import Linux
import TestKit
import Testing

/// A core on a ``FaultyDisk`` and one who delivers to it, and what the core has told him.
final class DiskRun {
  let disk: FaultyDisk
  private(set) var core: Core?
  private var epoch: Int64?
  /// How many deliveries were ever sent, and up to which they were acknowledged.
  private(set) var sent: Int64 = 0
  private(set) var acknowledged: Int64 = 0

  init(case number: Int) { disk = FaultyDisk(case: number) }

  /// Handles of the disk must not outlive it.
  deinit { core = nil }

  func start() throws {
    core = nil
    core = try Core(store: try free(), loop: try EventLoop())
  }

  /// The journal, once it is free: a program that another test starts has all descriptors for a moment, locks too.
  private func free() throws -> CounterStore {
    var store: CounterStore?
    try Wait.until("the journal is free") {
      do throws(StoreError) {
        store = try CounterStore(folder: disk.folder)
      } catch {
        guard error.code == .inUse else { throw error }
      }
      return store != nil
    }
    return try #require(store)
  }

  /// Ends the core in good order.
  func stop() { core = nil }

  /// Ends the core all of a sudden: nothing of what it does now reaches the disk, which is sound again afterwards.
  func end(_ end: FaultyDisk.End) {
    disk.end(end)
    disk.fail(.forever, in: 0)
    core = nil
    disk.mend()
  }

  /// How many the core says it has counted; `nil` where there is none.
  var value: Int64? { core.map { $0.ledger.all.first?.value ?? 0 } }

  /// Starts where that is needed and delivers, `together` in one commit, until `last` is acknowledged.
  ///
  /// - Throws: what the core could not do.
  func count(to last: Int64, together: Int64) throws {
    if core == nil { try start() }
    try open()
    while acknowledged < last {
      let batch = acknowledged + 1...min(acknowledged + together, last)
      try commit { core, answer in
        for sequence in batch {
          self.sent = max(self.sent, sequence)
          _ = try self.deliver(sequence, to: core)
          core.whenDurable { outcome in
            if case .durable = outcome { self.acknowledged = max(self.acknowledged, sequence) }
            answer(outcome)
          }
        }
      }
    }
  }

  private func open() throws {
    guard epoch == nil else { return }
    var opened: Int64?
    try commit { core, answer in
      opened = try core.open(.init(user: 7, name: "clicker")).epoch
      core.whenDurable(answer)
    }
    epoch = opened
  }

  private func deliver(_ sequence: Int64, to core: Core) throws -> Bool {
    let request = Request(.change(.add(.current, amount: nil)), time: sequence, cause: Cause(producer: "clicker"))
    let key = Producer.Key(user: 7, name: "clicker")
    return try core.deliver([request], from: key, epoch: epoch ?? 0, sequence: sequence).duplicate
  }

  private func commit(_ body: (Core, @escaping (Core.Outcome) -> Void) throws -> Void) throws {
    guard let core else { return }
    var failure: StoreError?
    try body(core) { outcome in
      if case .lost(let error) = outcome { failure = error }
    }
    core.commit()
    if let failure { throw failure }
  }

  /// What a core must hold that was started after the end of another: all that was acknowledged, nothing that was not
  /// sent; and what is repeated counts if and only if it is not there.
  func checkAndRepeat() throws {
    try start()
    let value = value ?? -1
    #expect(acknowledged...max(acknowledged, sent) ~= value, "acknowledged \(acknowledged), sent \(sent)")
    guard epoch != nil, sent > acknowledged else { return }
    try commit { core, answer in
      for sequence in acknowledged + 1...sent {
        let isDuplicate = try deliver(sequence, to: core)
        #expect(isDuplicate == (sequence <= value))
      }
      core.whenDurable(answer)
    }
    acknowledged = sent
  }
}
