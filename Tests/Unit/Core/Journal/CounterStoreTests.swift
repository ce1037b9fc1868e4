import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

@Suite final class `The journal on disk` {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  let cause = Cause(producer: "test", device: "pedal", gesture: "press KEY_B")

  func record(_ changes: [Change], _ store: CounterStore, _ ledger: inout Ledger) throws {
    for change in changes {
      for event in try ledger.perform(change, at: 5, cause: cause) { try store.append(event, to: ledger) }
    }
  }

  func settle(_ store: CounterStore, _ ledger: inout Ledger) throws {
    try store.commit(ledger.head)
    ledger.clearUndoLog()
  }

  func everything(_ store: CounterStore, _ ledger: Ledger) throws -> [Event] {
    try store.search(EventFilter(), .after(0), limit: 1000, in: ledger).events
  }

  @Test func `an undo in the morning takes back a count of yesterday, and leaves today alone`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "c", [.period: .text("daily 04:00 UTC")]))
    let added = try scratch.perform(.add(.named("c"), amount: 6))
    scratch.time += 2 * 86_400_000_000
    try scratch.perform(.renew(try scratch.id("c")))
    try scratch.perform(.add(.named("c"), amount: 1))
    #expect(try scratch.undo() && scratch.ledger.find(.named("c")).value == 0)
    #expect(try scratch.undo() && scratch.ledger.find(.named("c")).value == 0)
    let last = try scratch.events.suffix(2)
    #expect(last.map(\.kind) == [.undone, .renewed] && last.first?.undoes == added.first?.sequence)
    #expect(try scratch.redo() && scratch.ledger.find(.named("c")).value == 0)
  }

  @Test(arguments: [1, 50]) func `counts of several kinds keep their kinds, one by one or together`(_ counts: Int)
    throws
  {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    try record([.create(name: "people")], store, &ledger)
    let kinds = (0..<50).map { number in number % 3 == 0 ? Event.Kind.subtracted : .added }
    for (number, kind) in kinds.enumerated() {
      let change = kind == .added ? Change.add(.current, amount: 2) : .subtract(.current, amount: 1)
      try record([change], store, &ledger)
      if (number + 1) % counts == 0 { try settle(store, &ledger) }
    }
    let events = try everything(store, ledger).dropFirst()
    #expect(events.map(\.kind) == kinds)
    #expect(events.map(\.change) == kinds.map { $0 == .added ? 2 : -1 })
  }

  @Test func `what was committed is there when it is opened again, and nothing else`() throws {
    var ledger: Ledger
    do {
      let store = try CounterStore(folder: folder)
      ledger = try store.load()
      try record(
        [.create(name: "people", title: "People", start: 2, step: 3), .add(.current, amount: nil)], store, &ledger)
      try settle(store, &ledger)
      try record([.add(.current, amount: nil)], store, &ledger)
    }
    let store = try CounterStore(folder: folder)
    let loaded = try store.load()
    #expect(loaded.all.map(\.value) == [5])
    #expect(loaded.all.map(\.title) == ["People"])
    #expect(loaded.lastSequence == 2)
    let events = try everything(store, loaded)
    #expect(events.map(\.kind) == [.created, .added])
    #expect(events.allSatisfy { $0.cause == cause })
  }

  @Test(.seeded) func `every value is the fold of its events`() throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    var random = Seed.generator()
    for name in ["a", "b"] { try record([.create(name: name, title: nil, start: 4, step: 1)], store, &ledger) }
    for _ in 0..<200 {
      let target = Change.Target.named(random.happens(0.5) ? "a" : "b")
      let amount = Quantity.units(random.whole(1...16384))
      try record(
        [random.happens(0.5) ? .add(target, amount: amount) : .subtract(target, amount: amount)], store, &ledger)
      if random.below(8) == 0 { try settle(store, &ledger) }
    }
    try settle(store, &ledger)
    let events = try everything(store, ledger)
    for counter in try store.load().all {
      #expect(counter.value == 4 + events.filter { $0.counter == counter.id }.map(\.change).reduce(0, +))
    }
  }

  @Test func `a second core on the same folder is refused`() throws {
    let store = try CounterStore(folder: folder)
    #expect { try CounterStore(folder: folder) } throws: { ($0 as? StoreError)?.code == .inUse }
    withExtendedLifetime(store) {}
  }

  @Test(arguments: [
    ("user_version = 2", StoreError.Code.newer, "was written by a newer version of tallyd (schema 2;"),
    ("user_version = 0", .damaged, "has the unknown schema 0"),
    ("user_version = -1", .damaged, "has the unknown schema -1"),
    ("application_id = 1", .damaged, "is not a Tallymark journal"),
  ])
  func `a file of another version or program is refused and left as it is`(
    _ pragma: String, _ code: StoreError.Code, _ words: String
  ) throws {
    let folder = TemporaryFolder()
    let (state, file) = (folder.path("state"), folder.path("state/counters.sqlite"))
    do { _ = try CounterStore(folder: state) }
    try Database(path: file).execute("PRAGMA \(pragma)")
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    for attempt in [{ _ = try CounterStore(folder: state) }, { _ = try JournalFile.verify(state) }] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.code == code && error?.message.contains(words) == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test(arguments: ["not a database at all, but long enough to have a header of its own", ""])
  func `a file that is no journal is refused and left as it is`(_ content: String) throws {
    let path = "\(folder)/counters.sqlite"
    let bytes = Data(String(repeating: content, count: 40).utf8)
    try bytes.write(to: URL(fileURLWithPath: path))
    if content.isEmpty {
      // An empty file is what a first start that was cut off leaves behind: it becomes a journal.
      _ = try CounterStore(folder: folder)
      return
    }
    #expect { try CounterStore(folder: folder) } throws: { ($0 as? StoreError)?.code == .damaged }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func `undo goes back through everything, and counts that follow are undone first`() throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    try record([.add(.current, amount: 1), .add(.current, amount: 2), .add(.current, amount: 4)], store, &ledger)
    func undo() throws -> Int64? {
      let last = try store.lastUndoable(of: nil, in: ledger)
      guard !last.isEmpty else { return nil }
      try record([.undo(last, .all)], store, &ledger)
      return ledger.all.first?.value ?? -1
    }
    #expect(try undo() == 3)
    #expect(try undo() == 1)
    try record([.add(.current, amount: 8), .select(.current)], store, &ledger)
    #expect(try undo() == 1)
    #expect(try undo() == 0)
    #expect(try undo() == -1)
    #expect(try undo() == nil)
    try settle(store, &ledger)
    #expect(try store.load().isEmpty)
  }

  @Test func `redo does again what undo took back, in turn, until something else happens`() throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    func undo(to states: [Int64]...) throws {
      for values in states {
        let last = try store.lastUndoable(of: nil, in: ledger)
        #expect(!last.isEmpty)
        try record([.undo(last, .all)], store, &ledger)
        #expect(ledger.all.map(\.value) == values)
      }
    }
    func redo() throws -> Bool {
      let last = try store.lastRedoable(of: nil, in: ledger)
      guard !last.isEmpty else { return false }
      try record([.redo(last, .all)], store, &ledger)
      return true
    }
    func redo(to states: [Int64]...) throws {
      for values in states {
        #expect(try redo())
        #expect(ledger.all.map(\.value) == values)
      }
    }
    try record([.add(.current, amount: 1), .add(.current, amount: 2), .remove(.current)], store, &ledger)
    #expect(try !redo())
    try undo(to: [3], [1], [0], [])
    try redo(to: [0], [1], [3], [])
    #expect(try !redo())
    try undo(to: [3], [1])
    try redo(to: [3])
    try record([.add(.current, amount: 10)], store, &ledger)
    #expect(try !redo())
    try undo(to: [3], [1], [0], [])
    try settle(store, &ledger)
    #expect(try store.load().isEmpty)
  }

  @Test(.seeded) func `random undos and redos go back and forth through the same states`() throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    // What a text editor would keep: the states behind and the states ahead.
    var (past, future): ([[Int64]], [[Int64]]) = ([], [])
    var random = Seed.generator()
    var (undone, redone) = (0, 0)
    for _ in 0..<400 {
      let before = ledger.all.map(\.value)
      switch random.below(16) {
      case 0..<6:
        let last = try store.lastUndoable(of: nil, in: ledger)
        guard !last.isEmpty else {
          #expect(past.isEmpty)
          continue
        }
        try record([.undo(last, .all)], store, &ledger)
        future.append(before)
        undone += 1
        #expect(ledger.all.map(\.value) == past.popLast())
      case 6..<11:
        let last = try store.lastRedoable(of: nil, in: ledger)
        guard !last.isEmpty else {
          #expect(future.isEmpty)
          continue
        }
        try record([.redo(last, .all)], store, &ledger)
        past.append(before)
        redone += 1
        #expect(ledger.all.map(\.value) == future.popLast())
      case 11 where !ledger.isEmpty:
        try record([.remove(.current)], store, &ledger)
        past.append(before)
        future = []
      case 12 where !ledger.isEmpty:
        try record([.select(.current)], store, &ledger)
      case 13 where !ledger.isEmpty:
        try record([.add(.current, amount: 3)], store, &ledger)
        past.append(before)
        future = []
      default:
        try record([.create(name: "c\(ledger.lastSequence)", title: nil, start: 7, step: 1)], store, &ledger)
        past.append(before)
        future = []
      }
      if random.below(8) == 0 { try settle(store, &ledger) }
    }
    #expect(undone > 10 && redone > 10)
  }

  @Test(arguments: [true, false])
  func `a removal is undone with its value, within one commit and across two`(_ settled: Bool) throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    try record([.create(name: "a", title: nil, start: 0, step: 1), .add(.current, amount: 6)], store, &ledger)
    if settled { try settle(store, &ledger) }
    try record([.remove(.named("a")), .create(name: "a", title: nil, start: 1, step: 1)], store, &ledger)
    if settled { try settle(store, &ledger) }
    for expected in [[], [6]] as [[Int64]] {
      let last = try store.lastUndoable(of: nil, in: ledger)
      #expect(!last.isEmpty)
      try record([.undo(last, .all)], store, &ledger)
      #expect(ledger.all.map(\.value) == expected)
    }
    try settle(store, &ledger)
    #expect(try store.load().all == ledger.all)
  }

  @Test func `a rollback forgets what was appended, and a failed group what was in it`() throws {
    struct Stop: Error {}
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    try record([.add(.current, amount: 1)], store, &ledger)
    let mark = ledger.mark
    #expect(throws: Stop.self) {
      try store.atomically {
        try record([.add(.current, amount: 2)], store, &ledger)
        throw Stop()
      }
    }
    ledger.rollback(to: mark)
    try settle(store, &ledger)
    try record([.add(.current, amount: 4)], store, &ledger)
    store.rollback()
    ledger.rollback(to: .beginning)
    #expect(try store.load().all.map(\.value) == [1])
    #expect(try everything(store, ledger).count == 2)
    #expect(ledger.lastSequence == 2)
  }

  @Test func `many counts of one commit are there in their order, whatever comes between them`() throws {
    struct Stop: Error {}
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    func add(_ amounts: ClosedRange<Int64>) throws {
      for amount in amounts { try record([.add(.current, amount: .units(amount))], store, &ledger) }
    }
    try add(1...20)
    #expect(try everything(store, ledger).map(\.change) == [0] + Array(1...20))
    try add(21...25)
    try record([.create(name: "dogs")], store, &ledger)
    try add(26...60)
    let mark = ledger.mark
    #expect(throws: Stop.self) {
      try store.atomically {
        try add(1000...1020)
        throw Stop()
      }
    }
    ledger.rollback(to: mark)
    try add(61...62)
    try settle(store, &ledger)
    #expect(try everything(store, ledger).map(\.change).filter { $0 != 0 } == Array(1...62))
    #expect(try everything(store, ledger).map(\.sequence) == Array(1...64))
    #expect(try JournalFile.verify(folder) == [])
  }

  @Test func `what a failed group wrote on the way is written again by the next one that needs it`() throws {
    struct Stop: Error {}
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    func make(_ name: String) -> Change { .create(name: name, title: nil, start: 0, step: 1) }
    try record([make("a"), make("b")], store, &ledger)
    try settle(store, &ledger)
    let other = Cause(producer: "other")
    func add(_ amount: Int64) throws {
      for event in try ledger.perform(.add(.named("b"), amount: .units(amount)), at: 5, cause: other) {
        try store.append(event, to: ledger)
      }
    }
    let mark = ledger.mark
    #expect(throws: Stop.self) {
      try store.atomically {
        // A new cause, and another current counter, which asking for the last event writes.
        try add(1)
        try record([.select(.named("b"))], store, &ledger)
        _ = try store.lastUndoable(of: nil, in: ledger)
        throw Stop()
      }
    }
    ledger.rollback(to: mark)
    try add(2)
    try record([.select(.named("b"))], store, &ledger)
    try settle(store, &ledger)
    let loaded = try store.load()
    #expect(loaded.current == ledger.current)
    #expect(try everything(store, loaded).map(\.change) == [0, 0, 2, 0])
  }

  @Test func `pages of the history follow on each other in both directions`() throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    try record(
      [.create(name: "a", title: nil, start: 0, step: 1), .create(name: "b", title: nil, start: 0, step: 1)], store,
      &ledger)
    for _ in 0..<5 { try record([.add(.named("a"), amount: 1), .add(.named("b"), amount: 1)], store, &ledger) }
    let a = try ledger.find(.named("a")).id
    func page(_ page: CounterStore.Page) throws -> [Int64] {
      try store.search(EventFilter(counters: [a]), page, limit: 2, in: ledger).events.map(\.sequence)
    }
    #expect(try page(.after(0)) == [1, 3])
    #expect(try page(.after(3)) == [5, 7])
    #expect(try page(.before(Int64.max)) == [11, 9])
    #expect(try page(.before(1)) == [])
  }

  @Test func `deliveries are remembered across a restart, and opening again starts a new epoch`() throws {
    do {
      let store = try CounterStore(folder: folder)
      let ledger = try store.load()
      let producer = try store.open(.init(user: 7, name: "pedals"))
      #expect(producer.epoch == 1)
      for sequence in 1...70 {
        let number = Int64(sequence)
        try store.save(.init(epoch: 1, sequence: number, events: number...number), of: producer)
      }
      try store.commit(ledger.head)
    }
    let store = try CounterStore(folder: folder)
    let producer = try #require(try store.producer(.init(user: 7, name: "pedals")))
    #expect(try producer.judge(epoch: 1, sequence: 70) == .repeated(70...70))
    #expect(throws: DeliveryError.forgotten) { try producer.judge(epoch: 1, sequence: 6) }
    #expect(try store.open(.init(user: 7, name: "pedals")).epoch == 2)
    #expect(try store.producer(.init(user: 7, name: "nobody")) == nil)
  }
}
