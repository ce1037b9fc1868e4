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
    try store.commit(ledger)
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
      for index in 0..<2048 { damaged[page * 2048 + index] = UInt8(truncatingIfNeeded: index &* 37 &+ page) }
      try write(damaged)
      let (losses, ledger, events) = try repaired(page)
      #expect(try bytes() == damaged)
      if events < Int(Self.total) { #expect(!losses.isEmpty, "page \(page)") }
      if losses.isEmpty { #expect(ledger.all.map(\.value) == [Self.total - 1], "page \(page)") }
      return events < Int(Self.total)
    }
    #expect(try !expectRepair(without: 0))
    let (_, lossy) = try Rounds.untilHit(in: 1...whole.count / 2048 - 1, gap: 12, expectRepair)
    #expect(lossy > 0)
  }

  @Test func `cut short anywhere is read as far as it goes`() throws {
    let whole = try bytes()
    for (number, length) in stride(from: 2048, to: whole.count, by: whole.count / Rounds.times(4, atMost: 12))
      .enumerated()
    {
      try write(Array(whole.prefix(length)))
      do {
        let (losses, _, events) = try repaired(number)
        #expect(!losses.isEmpty || events == Int(Self.total))
      } catch is StoreError {
        // Of the list of tables alone nothing can be saved.
        #expect(length == 2048)
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
    for index in 0..<2048 { damaged[index] = 7 }
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
    #expect(try JournalRepair(other, into: new).losses == [])
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
    try scratch.store.database.execute("DELETE FROM counter WHERE id > 0")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try JournalFile.backUp(scratch.folder, to: "\(base)/lost.sqlite")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: "\(base)/lost.sqlite", toPath: file)
    let (losses, ledger, _) = try repaired()
    #expect(losses.contains { $0.contains("restored from their events") })
    #expect(ledger.all == scratch.ledger.all)
    #expect(ledger.groups == scratch.ledger.groups)
    #expect(ledger.formulas == scratch.ledger.formulas)
  }
}
