import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

@Suite(.seeded) final class `A damaged journal` {
  private let temporary = TemporaryFolder()
  var base: String { temporary.path }
  var folder: String { "\(base)/damaged" }
  var file: String { "\(folder)/counters.sqlite" }
  static let total: Int64 = 700

  init() throws {
    let store = try CounterStore(folder: folder)
    var ledger = try store.load()
    let cause = Cause(producer: "test", device: "pedal", gesture: "press")
    for index in 0..<Self.total {
      let change: Change =
        index == 0 ? .create(name: "people", title: "People", start: 0, step: 1) : .add(.current, amount: nil)
      for event in try ledger.perform(change, at: index, cause: cause) { try store.append(event, to: ledger) }
    }
    try store.commit(ledger.head)
  }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }
  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

  func repaired(_ number: Int = 0) throws -> (losses: [String], ledger: Ledger, events: Int) {
    let new = "\(base)/repaired-\(number)"
    let repair = try JournalRepair(folder, into: new)
    let store = try CounterStore(folder: new)
    let ledger = try store.load()
    let count = try store.database.integer("SELECT count(*) FROM event") ?? 0
    #expect(try store.database.text("PRAGMA integrity_check") == "ok")
    return (repair.losses, ledger, Int(count))
  }

  /// A page of other rows lay in its place.
  @Test func `leaves out a setting of an unknown name, without which the history can be read`() throws {
    do {
      let store = try CounterStore(folder: folder)
      try store.database.execute("INSERT INTO alteration VALUES (1, '43', 'x', 'y')")
    }
    let (losses, ledger, events) = try repaired()
    #expect(losses.count == 1)
    #expect(ledger.all.map(\.value) == [Self.total - 1])
    #expect(events == Int(Self.total))
    let history = try CounterStore(folder: "\(base)/repaired-0")
    #expect(try history.events(1...Self.total, in: try history.load()).count == events)
  }

  @Test func `that is whole after all loses nothing`() throws {
    let before = try bytes()
    let (losses, ledger, events) = try repaired()
    #expect(losses.isEmpty)
    #expect(ledger.all.map(\.value) == [Self.total - 1])
    #expect(events == Int(Self.total))
    #expect(try bytes() == before)
  }

  /// The list of tables and some of the other pages, each in turn, are written over; the value is that of the last event
  /// that is left.
  @Test func `gives back what is on its other pages, and names what is lost`() throws {
    let whole = try bytes()
    /// Returns whether events are lost with the page.
    func expectRepair(without page: Int) throws -> Bool {
      var damaged = whole
      for index in 0..<pageSize { damaged[page * pageSize + index] = UInt8(truncatingIfNeeded: index &* 37 &+ page) }
      try write(damaged)
      let (losses, ledger, events) = try repaired(page)
      #expect(try bytes() == damaged)
      if events < Int(Self.total) { #expect(!losses.isEmpty, "page \(page)") }
      if losses.isEmpty { #expect(ledger.all.map(\.value) == [Self.total - 1], "page \(page)") }
      return events < Int(Self.total)
    }
    #expect(try !expectRepair(without: 0))
    let (_, lossy) = try Rounds.untilHit(in: 1...whole.count / pageSize - 1, gap: 12, expectRepair)
    #expect(lossy > 0)
  }

  /// Writes over the page `number`, from 1, of a file.
  private func damage(_ number: Int, of whole: [UInt8]) -> [UInt8] {
    var damaged = whole
    let start = (number - 1) * pageSize
    for index in 0..<pageSize { damaged[start + index] = UInt8(truncatingIfNeeded: index &* 37 &+ number) }
    return damaged
  }

  /// Pages without events include those that refer to the pages with events.
  @Test func `loses only the events of the one page that is damaged, whichever it is`() throws {
    let whole = try bytes()
    var (lost, ends) = (0, 0)
    for page in 2...whole.count / pageSize {
      try write(damage(page, of: whole))
      let new = "\(base)/repaired-\(page)"
      let losses = try JournalRepair(folder, into: new).losses
      let (events, last) = try self.events(new)
      let header = whole[(page - 1) * pageSize..<page * pageSize].prefix(8)
      let rows = header.first == 13 ? header.dropFirst(3).prefix(2).reduce(0) { $0 << 8 | Int64($1) } : 0
      let missing = Self.total - events
      #expect(missing == 0 || missing == rows, "page \(page): \(missing) of \(rows)")
      let isEnd = last < Self.total
      #expect(losses.contains("Later events than \(last) may be lost.") == isEnd, "page \(page)")
      #expect(
        losses.contains("The values are those after event \(last); any later counts are lost.") == isEnd, "page \(page)"
      )
      #expect(losses.contains { $0.hasSuffix(" are missing.") } == (missing > 0 && !isEnd), "page \(page)")
      lost += Int(missing)
      if isEnd { ends += 1 }
    }
    // Each event is on one page.
    #expect(lost == Int(Self.total))
    #expect(ends == 1)
  }

  private func events(_ folder: String) throws -> (count: Int64, last: Int64) {
    let database = try Database(path: "\(folder)/\(JournalFile.name)")
    return (
      try #require(try database.integer("SELECT count(*) FROM event")),
      try #require(try database.integer("SELECT coalesce(max(sequence), 0) FROM event"))
    )
  }

  /// Puts the files of a journal in use in the place of the damaged one.
  ///
  /// - Returns: the page of the root of `table`.
  private func take(_ scratch: Scratch, rootOf table: String) throws -> Int {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
    }
    for end in ["", "-wal"] {
      let name = "\(JournalFile.name)\(end)"
      try FileManager.default.copyItem(atPath: "\(scratch.folder)/\(name)", toPath: "\(folder)/\(name)")
    }
    let root = try scratch.store.database.integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    return Int(try #require(root))
  }

  @Test func `whose root is damaged keeps the events of its log`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    for _ in 0..<Self.total { try scratch.perform(.add(.current, amount: nil)) }
    try scratch.settle()
    scratch.store.checkpoint()
    for _ in 0..<5 { try scratch.perform(.add(.current, amount: nil)) }
    try scratch.settle()
    let root = try take(scratch, rootOf: "event")
    try write(damage(root, of: try bytes()))
    let (losses, ledger, events) = try repaired()
    #expect(losses == [])
    #expect(ledger.all.map(\.value) == [Self.total + 5])
    #expect(events == Int(Self.total) + 6)
  }

  /// Pages that are not in use any more keep their rows until they are used again.
  @Test func `whose root is damaged gets no row back that was deleted`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    let events = try (0..<200).map { _ in try scratch.perform(.add(.current, amount: nil))[0] }
    for event in events { try scratch.perform(.note(event, String(repeating: "a poodle ", count: 12))) }
    try scratch.settle()
    scratch.store.checkpoint()
    try scratch.store.database.execute(
      "PRAGMA secure_delete = OFF; DELETE FROM event_note WHERE event BETWEEN 40 AND 160")
    scratch.store.checkpoint()
    let root = try take(scratch, rootOf: "event_note")
    try write(damage(root, of: try bytes()))
    func notes(hasHeader: Bool) throws -> Set<Int64> {
      var notes: Set<Int64> = []
      _ = try LeafPages(file, hasHeader: hasHeader).each { page throws(StoreError) in
        notes.formUnion(page.rows.filter { $0.values.count == 2 }.map(\.number))
      }
      return notes
    }
    #expect(try notes(hasHeader: false).contains(100))
    #expect(try !notes(hasHeader: true).contains(100))
    let repair = try JournalRepair(folder, into: "\(base)/new")
    // The note had been missing before the damage.
    #expect(repair.losses == ["The note about event 40 is missing."])
    let saved = try Database(path: "\(base)/new/\(JournalFile.name)")
    #expect(try saved.integer("SELECT count(*) FROM event_note") == 200 - 121)
    #expect(repair.saved.last?.text == "79 notes")
  }

  @Test func `may have any bytes on its pages`() throws {
    var random = Seed.generator()
    let whole = try bytes()
    var rows = 0
    for _ in 0..<Rounds.times(2000) {
      let number = random.below(whole.count / pageSize)
      var page = Array(whole[number * pageSize..<(number + 1) * pageSize])
      page[0] = 13
      for _ in 0..<random.below(30) { page[1 + random.below(pageSize - 1)] = UInt8(random.below(256)) }
      rows += LeafPage(page)?.rows.count ?? 0
    }
    #expect(rows > 0)
  }

  @Test func `cut short anywhere is read as far as it goes`() throws {
    let whole = try bytes()
    for (number, length) in stride(from: pageSize, to: whole.count, by: whole.count / Rounds.times(4, atMost: 12))
      .enumerated()
    {
      try write(Array(whole.prefix(length)))
      do {
        let (losses, _, events) = try repaired(number)
        #expect(!losses.isEmpty || events == Int(Self.total))
      } catch is StoreError {
        // Of the list of tables alone nothing can be saved.
        #expect(length == pageSize)
      }
    }
  }

  @Test func `is refused by the core, which names the command that helps, and is not touched`() throws {
    var damaged = try bytes()
    for index in 0..<100 { damaged[index] = 7 }
    try write(damaged)
    #expect { try CounterStore(folder: self.folder) } throws: {
      let error = $0 as? StoreError
      return error?.code == .damaged && error?.message.contains("tally repair \(self.folder) NEWFOLDER") == true
    }
    #expect(try bytes() == damaged)
    let found = try repaired()
    #expect(found.ledger.all.map(\.value) == [Self.total - 1])
    #expect(found.events == Int(Self.total))
  }

  @Test func `without its list of tables is read by that of a new one, and the repair says so`() throws {
    var damaged = try bytes()
    for index in 0..<pageSize { damaged[index] = 7 }
    try write(damaged)
    let losses = try repaired().losses
    #expect(losses.contains { $0.hasPrefix("The structure of the file could not be read") }, "\(losses)")
  }

  @Test func `is not repaired under a running core, nor over something that is there`() throws {
    let core = try CounterStore(folder: folder)
    #expect { try JournalRepair(self.folder, into: "\(self.base)/new") } throws: {
      ($0 as? StoreError)?.code == .inUse
    }
    withExtendedLifetime(core) {}
    #expect { try JournalRepair("\(self.base)/other", into: self.folder) } throws: {
      ($0 as? StoreError)?.code == .unusable
    }
  }

  @Test func `is not looked for where there is none, and nothing is left of a repair that fails`() throws {
    #expect(throws: StoreError.self) { try JournalRepair("\(self.base)/other", into: "\(self.base)/new") }
    try write(Array("This is a letter to the baker.".utf8))
    #expect(throws: StoreError.self) { try JournalRepair(self.folder, into: "\(self.base)/new") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: base) == ["damaged"])
  }

  @Test func `keeps groups, stopwatches, formulas and notes, and holds together`() throws {
    let scratch = try Scratch()
    try scratch.perform(.createGroup(name: "zoo", [.title: .text("The zoo")]))
    try scratch.perform(.create(name: "dogs", decimals: 2, [.group: .text("zoo"), .colour: .text("red")]))
    try scratch.perform(.create(name: "walk", isStopwatch: true))
    try scratch.perform(.clock(.named("walk"), .start))
    let added = try scratch.perform(.add(.named("dogs"), amount: .units(150)))
    try scratch.perform(.note(added[0], "a poodle and a half"))
    try scratch.perform(.set(.named("dogs"), [.title: .text("Dogs")]))
    try scratch.perform(.create(name: "cats"))
    try scratch.perform(.remove(.named("cats")))
    try scratch.perform(.createFormula(name: "legs", [.formula: .text("dogs * 4")]))
    try scratch.settle()
    let (before, events) = (scratch.ledger, try scratch.events)
    let (other, new) = ("\(base)/other", "\(base)/repaired")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try JournalFile.backUp(scratch.folder, to: "\(other)/counters.sqlite")
    let repair = try JournalRepair(other, into: new)
    #expect(repair.losses == [])
    #expect(
      repair.saved.map(\.text) == [
        "1 counter", "1 stopwatch", "1 group", "1 formula", "\(events.count) events", "1 note",
      ])
    #expect(try JournalFile.verify(new) == [])
    let store = try CounterStore(folder: new)
    let after = try store.load()
    #expect(after.all == before.all)
    #expect(after.groups == before.groups)
    #expect(after.formulas == before.formulas)
    #expect(try store.events(1...Int64(events.count), in: after) == events)
  }

  @Test func `gets names and settings back from events where their rows are lost`() throws {
    let scratch = try Scratch()
    try scratch.perform(.createGroup(name: "home"))
    try scratch.perform(.create(name: "people", [.group: .text("home"), .maximum: .integer(9)]))
    try scratch.perform(.create(name: "watch", isStopwatch: true))
    try scratch.perform(.clock(.named("watch"), .start))
    try scratch.perform(.createFormula(name: "twice", [.formula: .text("people * 2")]))
    try scratch.perform(.set(.named("people"), [.name: .text("guests")]))
    for _ in 0..<3 { try scratch.perform(.add(.named("guests"), amount: nil)) }
    try scratch.perform(.lock(.named("guests"), true))
    try scratch.settle()
    try scratch.store.database.execute("DELETE FROM counter WHERE id > 0; DELETE FROM cause")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try JournalFile.backUp(scratch.folder, to: "\(base)/lost.sqlite")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: "\(base)/lost.sqlite", toPath: file)
    let (losses, ledger, _) = try repaired()
    #expect(losses.contains { $0.contains("got them back from events") })
    #expect(ledger.all == scratch.ledger.all)
    #expect(ledger.groups == scratch.ledger.groups)
    #expect(ledger.formulas == scratch.ledger.formulas)
  }
}
