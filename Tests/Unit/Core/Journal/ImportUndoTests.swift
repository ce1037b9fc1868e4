import Calendars
import Counting
import Synchronization
import TestKit
import Testing

@testable import Journal

@Suite struct `Undo of an import` {
  /// A journal into which counts of a table were imported: three new counters and an older one.
  private static func imported(_ count: Int) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "old"))
    try scratch.settle()
    var archive = Archive()
    for number in 0..<count {
      try archive.add(
        Archive.Count(
          name: ["a", "b", "c", "old"][number % 4], time: Int64(1_600_000_000_000_000 + number), amount: "1"))
    }
    scratch.ledger = try scratch.store.importArchive(
      archive, onClash: .merge, at: 1_700_000_000_000_000, isTrial: false, in: scratch.ledger
    ).1
    return scratch
  }

  private static func takeBack(_ what: Undoable, as kind: Event.Kind, _ scratch: Scratch) throws -> [Event] {
    let (events, ledger) = try scratch.store.takeBack(
      what, as: kind, at: 1_800_000_000_000_000, cause: Cause(producer: "test"), in: scratch.ledger)
    scratch.ledger = ledger
    return events
  }

  @Test func `reads a single event for a user who may not undo it`() throws {
    let scratch = try Self.imported(600)
    let store = scratch.store
    func expectOne(_ what: Undoable, sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(what.events.count == 1 && what.rest.isEmpty, sourceLocation: sourceLocation)
      if let event = what.events.first?.event { #expect(try store.isImported(event), sourceLocation: sourceLocation) }
    }
    let ids = try [nil, "a", "b", "c", "old"].map { try $0.map { try scratch.id($0) } }
    func expectOneToUndo() throws {
      for id in ids {
        try expectOne(try store.lastUndo(of: id, in: scratch.ledger, passing: id == nil, wholeImports: false))
      }
    }
    try expectOneToUndo()
    let undo = try store.lastUndo(of: nil, in: scratch.ledger, passing: true)
    #expect(undo.events.count == 603)
    _ = try Self.takeBack(undo, as: .undone, scratch)
    for id in ids { try expectOne(try store.lastRedo(of: id, in: scratch.ledger, wholeImports: false)) }
    _ = try Self.takeBack(try store.lastRedo(of: nil, in: scratch.ledger), as: .redone, scratch)
    try expectOneToUndo()
  }

  @Test func `that undid all of a counter leaves nothing of it to undo`() throws {
    let scratch = try Self.imported(600)
    let id = try scratch.id("old")
    _ = try Self.takeBack(try scratch.store.lastUndo(of: id, in: scratch.ledger), as: .undone, scratch)
    #expect(try scratch.ledger.find(.named("old")).value == 0)
    // The creation of the counter, which came before the import.
    let next = try scratch.store.lastUndo(of: id, in: scratch.ledger, wholeImports: false)
    #expect(next.events.map(\.event.sequence) == [1])
  }

  @Test func `of many events reads them in pieces, and is one step`() throws {
    let scratch = try Self.imported(4200)
    let before = scratch.ledger.all
    for _ in 0..<Rounds.times(1, atMost: 2) {
      let undo = try scratch.store.lastUndo(of: nil, in: scratch.ledger, passing: true)
      #expect(undo.events.count == Undoable.mostAtOnce)
      #expect(undo.events.count + undo.rest.count == 4203)
      let events = try Self.takeBack(undo, as: .undone, scratch)
      #expect(events.count <= Undoable.mostAtOnce + 1)
      #expect(Set(events.map(\.batch)).count == 1)
      #expect(scratch.ledger.all.map(\.name.text) == ["old"])
      #expect(scratch.ledger.all.map(\.value) == [0])
      #expect(try JournalFile.verify(scratch.folder) == [])
      let redo = try scratch.store.lastRedo(of: nil, in: scratch.ledger)
      #expect(redo.events.count == Undoable.mostAtOnce)
      #expect(redo.events.count + redo.rest.count == 4203)
      _ = try Self.takeBack(redo, as: .redone, scratch)
      #expect(scratch.ledger.all == before)
      #expect(try scratch.store.load().all == before)
      #expect(try JournalFile.verify(scratch.folder) == [])
    }
  }

  /// The service manager would end a core that is silent for a minute.
  @Test func `of many events, and the import itself, report that they go on`() throws {
    let scratch = try Self.imported(4200)
    var reports = 0
    scratch.store.onProgress = { reports += 1 }
    _ = try Self.takeBack(try scratch.store.lastUndo(of: nil, in: scratch.ledger), as: .undone, scratch)
    #expect(reports == 2)
    for isRepeated in [false, true] {
      reports = 0
      var archive = Archive()
      for number in 0..<4200 {
        try archive.add(Archive.Count(name: "old", time: Int64(1_500_000_000_000_000 + number), amount: "1"))
      }
      let (summary, ledger) = try scratch.store.importArchive(
        archive, onClash: .merge, at: 1_900_000_000_000_000, isTrial: false, in: scratch.ledger)
      scratch.ledger = ledger
      #expect(summary.duplicates == (isRepeated ? 4200 : 0))
      #expect(reports >= 1)
    }
  }

  @Test func `is of rows that were counted with one look for the time zone`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "old"))
    try scratch.settle()
    let looks = Looks()
    scratch.ledger.zone = { _ in looks.zone() }
    var archive = Archive()
    for number in 0..<100 {
      try archive.add(Archive.Count(name: "old", time: Int64(1_600_000_000_000_000 + number * 60_000_000), amount: "1"))
    }
    scratch.ledger = try scratch.store.importArchive(
      archive, onClash: .merge, at: 1_700_000_000_000_000, isTrial: false, in: scratch.ledger
    ).1
    #expect(looks.number == 1)
    // A zone that changes later is seen.
    _ = try scratch.ledger.zone(nil)
    #expect(looks.number == 2)
  }

  private final class Looks: Sendable {
    private let looks = Mutex(0)
    var number: Int { looks.withLock { $0 } }

    func zone() -> Zone {
      looks.withLock { $0 += 1 }
      return .utc
    }
  }

  @Test func `of many events changes nothing if the last of them cannot be undone`() throws {
    let scratch = try Self.imported(4200)
    try scratch.perform(.lock(.named("a"), true))
    try scratch.settle()
    let (before, last) = (scratch.ledger.all, scratch.ledger.lastSequence)
    let undo = try scratch.store.lastUndo(of: nil, in: scratch.ledger)
    #expect(throws: CountingError.self) { try Self.takeBack(undo, as: .undone, scratch) }
    #expect(scratch.ledger.all == before && scratch.ledger.lastSequence == last)
    #expect(try scratch.store.load().all == before)
    try scratch.perform(.add(.named("b"), amount: nil))
    try scratch.settle()
    #expect(try JournalFile.verify(scratch.folder) == [])
  }
}
