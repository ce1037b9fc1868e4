import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

/// The queries that are made of a journal, and their replies.
private struct Answers: Equatable {
  var counters: [Counter] = []
  var groups: [Group] = []
  var formulas: [Formula] = []
  var events: [Event] = []
  var past: [[Counter.ID: Int64]] = []
  var totals: [Totals] = []

  init(_ folder: String) throws {
    let store = try CounterStore(folder: folder)
    // A killed core writes nothing when it ends.
    store.stopWriting()
    let ledger = try store.load()
    (counters, groups, formulas) = (ledger.all, ledger.groups, ledger.formulas)
    events = try store.events(1...max(1, ledger.lastSequence), in: ledger)
    let times = stride(from: Int64(1_000_000_000), to: 3_000_000_000, by: 100_000_000)
    past = try times.map { try store.values(of: counters.map(\.id), at: $0, in: ledger) }
    for id in counters.map(\.id) {
      totals += try store.totals(of: [id], between: Array(times), in: ledger).totals
    }
  }
}

/// Single bits that change in the files of a journal.
@Suite(.seeded) struct `A disk that changes bits` {
  private let temporary = TemporaryFolder()

  /// A journal, and the same as a killed core leaves it, with the last transactions in the log.
  private func live(_ events: Int, inLog: Int) throws -> (whole: String, killed: String) {
    let scratch = try Scratch()
    try scratch.perform(.createGroup(name: "home"))
    for index in 1...12 {
      try scratch.perform(
        .create(
          name: "counter-\(index)", decimals: Int64(index % 3),
          [.group: .text("home"), .title: .text("The counter \(index)")]))
    }
    try scratch.perform(.createFormula(name: "all", [.formula: .text("counter-3 + counter-6")]))
    try scratch.settle()
    for index in 0..<events {
      let added = try scratch.perform(.add(.named("counter-\(index % 12 + 1)"), amount: .units(Int64(index % 7 + 1))))
      if index % 50 == 0, let event = added.first { try scratch.perform(.note(event, "the note at \(index)")) }
      if index % 20 == 0 { try scratch.settle() }
    }
    try scratch.settle()
    scratch.store.checkpoint()
    let (whole, killed) = (temporary.path("whole"), temporary.path("killed"))
    for _ in 0..<inLog {
      try scratch.perform(.add(.named("counter-5"), amount: nil))
      try scratch.settle()
    }
    try FileManager.default.copyItem(atPath: scratch.folder, toPath: killed)
    #expect(scratch.store.logPages >= inLog)
    try FileManager.default.copyItem(atPath: killed, toPath: whole)
    _ = try CounterStore(folder: whole)
    return (whole, killed)
  }

  /// What became of the answers when bits were changed.
  private struct Outcomes: CustomStringConvertible {
    var (same, refusedAtStart, toldByAnAnswer, silent, toldByVerify) = (0, 0, 0, 0, 0)
    var description: String {
      "no difference \(same), refused at the start \(refusedAtStart), told by an answer \(toldByAnAnswer), "
        + "silently wrong \(silent); told by verify \(toldByVerify)"
    }
  }

  /// Changes `count` bits, and more until `isEnough` holds, each in another copy.
  private func outcomes(
    ofFlipping file: String, in folder: String, _ count: Int, until isEnough: (Outcomes) -> Bool
  ) throws -> Outcomes {
    let expected = try Answers(folder)
    var random = Seed.generator(case: count)
    var outcomes = Outcomes()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
    for number in 0..<count + 100 where number < count || !isEnough(outcomes) {
      let trial = temporary.path("trial")
      try? FileManager.default.removeItem(atPath: trial)
      try FileManager.default.copyItem(atPath: folder, toPath: trial)
      var flipped = bytes
      let bit = random.below(bytes.count * 8)
      flipped[bit / 8] ^= 1 << (bit % 8)
      try flipped.write(to: URL(fileURLWithPath: "\(trial)/\(file)"))
      do {
        let differences = try JournalFile.verify(trial)
        if !differences.isEmpty { outcomes.toldByVerify += 1 }
      } catch {
        outcomes.toldByVerify += 1
      }
      // SQLite removes a log when the last connection is closed.
      try flipped.write(to: URL(fileURLWithPath: "\(trial)/\(file)"))
      do {
        if try Answers(trial) == expected { outcomes.same += 1 } else { outcomes.silent += 1 }
      } catch {
        #expect((error as? StoreError)?.code == .damaged, "\(error)")
        let isRefused = (try? CounterStore(folder: trial)) == nil
        if isRefused { outcomes.refusedAtStart += 1 } else { outcomes.toldByAnAnswer += 1 }
      }
    }
    return outcomes
  }

  @Test func `in the journal gives no wrong answer`() throws {
    let folder = try live(400, inLog: 1).whole
    let outcomes = try outcomes(ofFlipping: JournalFile.name, in: folder, Rounds.times(10)) { $0.toldByVerify > 0 }
    print("Single bits in the journal: \(outcomes)")
    #expect(outcomes.silent == 0)
    #expect(outcomes.toldByVerify > 0)
  }

  @Test func `in the log of a killed core is told at the start`() throws {
    let folder = try live(200, inLog: 30).killed
    let outcomes = try outcomes(ofFlipping: "\(JournalFile.name)-wal", in: folder, Rounds.times(6)) {
      // A third of the bits makes no difference.
      $0.refusedAtStart > 0
    }
    print("Single bits in the log: \(outcomes)")
    #expect(outcomes.silent == 0)
    #expect(outcomes.refusedAtStart > 0)
  }
}
