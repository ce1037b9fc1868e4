import Counting
import Foundation
import JSON
import Journal
import Linux
import Tallymark
import TestKit
import Testing
import Varlink

@testable import CoreService

/// A core that is served, on a disk that fails and comes back, with one who delivers to it.
final class LiveRun {
  let disk: FaultyDisk
  let loop: EventLoop
  private(set) var live: CoreSupervisor?
  private var epoch: Int64 = 0
  private(set) var sent: Int64 = 0
  private(set) var acknowledged: Int64 = 0
  let temporary = TemporaryFolder()
  var socket: String { temporary.path("socket") }

  init(case number: Int) throws {
    disk = FaultyDisk(case: number)
    loop = try EventLoop()
    try temporary.write("", to: "core.toml")
  }

  /// Handles of the disk must not outlive it.
  deinit { live = nil }

  func start() throws { live = try serve(disk.folder) }

  /// A core on the journal in `folder`.
  func serve(_ folder: String, lockPatience: Int64 = CoreSupervisor.lockPatience) throws -> CoreSupervisor {
    try CoreSupervisor(
      loop: loop, state: folder, rights: try CurrentRights(option: temporary.path("core.toml")),
      patience: Backoff(shortest: 1_000_000, longest: 4_000_000), lockPatience: lockPatience
    ) { [socket] in try UnixSocket.listen(at: socket, mode: 0o600) }
  }

  var core: Core? { live?.core }
  var value: Int64? { core.map { $0.ledger.all.first?.value ?? 0 } }

  func turn() throws { for _ in 0..<4 { _ = try loop.runOnce(waiting: 2_000) } }

  /// Waits until there is a core that has not failed.
  func recover() throws {
    try Wait.until("a core takes changes", turning: loop) { core != nil && core?.failure == nil }
  }

  /// Delivers, two in one commit, what was not acknowledged up to `last`; ends early where the core fails.
  func count(to last: Int64) throws {
    if epoch == 0 {
      guard let core else { return }
      let opened = try core.open(.init(user: 7, name: "clicker")).epoch
      core.whenDurable { if case .durable = $0 { self.epoch = opened } }
      core.commit()
    }
    while acknowledged < last, epoch > 0, let core {
      let batch = acknowledged + 1...min(acknowledged + 2, last)
      let before = acknowledged
      for sequence in batch {
        sent = max(sent, sequence)
        let request = Request(.change(.add(.current, amount: nil)), time: sequence, cause: Cause(producer: "clicker"))
        _ = try core.deliver([request], from: .init(user: 7, name: "clicker"), epoch: epoch, sequence: sequence)
        core.whenDurable { if case .durable = $0 { self.acknowledged = max(self.acknowledged, sequence) } }
      }
      core.commit()
      if acknowledged == before { return }
    }
  }

  func tryToCount(to last: Int64) { do { try count(to: last) } catch {} }
}

@Suite(.seeded) struct `A core whose journal has failed` {
  static let last: Int64 = 12

  @Test(arguments: FaultyDisk.Fault.allCases)
  func `goes on by itself once the disk does, with all that was acknowledged, each once`(_ fault: FaultyDisk.Fault)
    throws
  {
    let (tried, failures) = try Rounds.untilHit(in: 1...40, gap: 13, case: fault.rawValue) { number in
      let run = try LiveRun(case: number)
      run.disk.fail(fault, in: number)
      do {
        try run.start()
      } catch let error as StoreError where error.code == .unusable {
        // It ended, and the service manager starts it again.
        run.disk.mend()
        try run.start()
      }
      run.tryToCount(to: Self.last)
      let hasFailed = run.acknowledged < Self.last
      if let value = run.value { #expect(value == run.acknowledged, "call \(number)") }
      try run.turn()
      run.disk.mend()
      try run.recover()
      #expect(run.acknowledged...max(run.acknowledged, run.sent) ~= run.value ?? -1, "call \(number)")
      try run.count(to: Self.last)
      #expect(run.value == Self.last, "call \(number)")
      return hasFailed
    }
    // Some calls may be such as the core does without.
    #expect(failures > (tried < 20 ? 0 : tried / 2), "\(failures) of \(tried)")
  }

  @Test func `answers questions until another one has read the journal, and writes nothing`() throws {
    let run = try LiveRun(case: 1)
    try run.start()
    try run.count(to: 4)
    run.disk.fail(.once, in: 1)
    run.tryToCount(to: 8)
    #expect(run.core?.failure?.code == .failed)
    #expect(run.value == 4)
    #expect(try run.core.map { try $0.store.events(1...9, in: $0.ledger).count } == 5)
    let writes = run.disk.writes
    #expect(throws: StoreError.self) { try run.count(to: 8) }
    #expect(run.disk.writes == writes)
    try run.recover()
    #expect(run.core?.failure == nil)
    try run.count(to: 8)
    #expect(run.value == 8)
  }

  @Test func `tells everyone why while there is none, and begins by itself`() throws {
    let run = try LiveRun(case: 1)
    try run.start()
    try run.count(to: 2)
    let again = try LiveRun(case: 1)
    again.disk.fail(.full, in: 1)
    try again.start()
    #expect(again.core == nil)
    #expect(again.live?.obstacle.code == .full)
    var answer: Result<JSONObject, VarlinkError>?
    let client = try AsyncClient(loop: again.loop, path: again.socket)
    client.send("org.tallymark.Counters.List", [:]) { answer = $0 }
    try Wait.until("the call is answered", turning: again.loop) { answer != nil }
    let refused = #expect(throws: VarlinkError.self) { try answer?.get() }
    #expect(refused?.name == "org.tallymark.Counters.StorageFailed")
    again.disk.mend()
    try again.recover()
    try again.count(to: 3)
    #expect(again.value == 3)
  }

  @Test func `does not go on with less than was answered`() throws {
    let run = try LiveRun(case: 1)
    // Not on the disk that fails: files that can be put in the place of others.
    let folder = run.temporary.path("state")
    let live = try run.serve(folder)
    for amount in 1...2 {
      if amount == 2 { try FileManager.default.copyItem(atPath: folder, toPath: "\(folder)-copy") }
      let add = Request(.change(.add(.current, amount: nil)), time: 1, cause: Cause(producer: "test"))
      _ = try live.core?.perform([add])
      live.core?.commit()
    }
    #expect(throws: StoreError.self) {
      try live.core?.storing { () throws(StoreError) in throw StoreError(.failed, "The disk is gone.") }
    }
    for name in ["counters.sqlite", "counters.sqlite-wal"] {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      try FileManager.default.copyItem(atPath: "\(folder)-copy/\(name)", toPath: "\(folder)/\(name)")
    }
    try Wait.until("the core gives up", turning: run.loop) { live.core == nil }
    #expect(live.obstacle.code == .damaged)
  }
}

@Suite struct `A core that starts` {
  @Test func `waits for one that was killed and has not ended`() throws {
    let run = try LiveRun(case: 1)
    let folder = run.temporary.path("state")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let lock = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    Thread.detachNewThread {
      // The core has opened the lock, and tries to get it.
      try? Wait.until("the core waits") { Self.descriptors(of: "\(folder)/lock") == 2 }
      close(lock)
    }
    #expect(try run.serve(folder, lockPatience: Wait.longest).core != nil)
  }

  /// How many descriptors of this process are open files of that path.
  private static func descriptors(of path: String) -> Int {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return open.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
  }

  @Test func `waits for another program that has locked the journal, says so, and begins once it has not`() throws {
    let run = try LiveRun(case: 1)
    let folder = run.temporary.path("state")
    var store: CounterStore? = try CounterStore(folder: folder)
    store = nil
    _ = store
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let code = """
      import sqlite3, sys
      journal = sqlite3.connect(sys.argv[1], isolation_level=None)
      journal.execute("BEGIN IMMEDIATE")
      print("locked", flush=True)
      sys.stdin.read()
      """
    other.arguments = ["python3", "-c", code, "\(folder)/counters.sqlite"]
    let (input, output) = (Pipe(), Pipe())
    (other.standardInput, other.standardOutput) = (input, output)
    try other.run()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("locked"))
    let live = try run.serve(folder, lockPatience: 0)
    #expect(live.core == nil)
    #expect(
      live.obstacle.message
        == "Another program has locked \(folder)/counters.sqlite; close that program. Nothing is counted until the lock is "
        + "released; tallyd retries by itself.")
    var answer: Result<JSONObject, VarlinkError>?
    let client = try AsyncClient(loop: run.loop, path: run.socket)
    client.send("org.tallymark.Counters.List", [:]) { answer = $0 }
    try Wait.until("the call is answered", turning: run.loop) { answer != nil }
    #expect(throws: VarlinkError.self) { try answer?.get() }
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    try Wait.until("the core begins", turning: run.loop) { live.core != nil }
  }

  @Test func `is refused where another one goes on, with the folder's name`() throws {
    let run = try LiveRun(case: 1)
    let folder = run.temporary.path("state")
    let store = try CounterStore(folder: folder)
    let error = #expect(throws: StoreError.self) { try run.serve(folder, lockPatience: 100_000_000) }
    #expect(error?.message == "Another tallyd uses \(folder); stop it, or use another folder (--state).")
    withExtendedLifetime(store) {}
  }
}
