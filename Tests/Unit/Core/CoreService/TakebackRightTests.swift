import CoreService
import Counting
import Foundation
import Journal
import Linux
import TestKit
import Testing

/// What an undo or a redo needs the right to administer for: whatever needed it when it was done.
@Suite final class TakebackRightTests {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  let core: Core
  private var time: Int64 = 1_700_000_000_000_000

  init() throws { core = try Core(store: try CounterStore(folder: temporary.path), loop: try EventLoop()) }

  /// Done by an administrator, or by somebody who may only count; answers whether that was permitted.
  @discardableResult
  func perform(_ verbs: Request.Verb..., by isAdministrators: Bool) throws -> Bool {
    let before = core.ledger.lastSequence
    do {
      _ = try core.perform(
        verbs.map { verb in
          time += 1_000_000
          return Request(verb, time: time, cause: Cause(producer: "test"), isAdministrators: isAdministrators)
        })
      core.commit()
      return true
    } catch let error as PermissionDenied {
      #expect(error.right == .administer)
      #expect(core.ledger.lastSequence == before)
      return false
    }
  }

  func administer(_ changes: Change...) throws {
    for change in changes { try perform(.change(change), by: true) }
  }

  func count(_ changes: Change...) throws {
    for change in changes { try perform(.change(change), by: false) }
  }

  var names: [String] { core.ledger.all.map(\.name.text) }
  var values: [Int64] { core.ledger.all.map(\.value) }

  static let arrangements: [[Change]] = [
    [.create(name: "dogs")], [.remove(.named("people"))], [.set(.named("people"), [.maximum: .integer(3)])],
    [.set(.named("people"), [.name: .text("guests")])],
    [.set(.named("people"), [.archived: .integer(1)])],
    [.set(.named("people"), [.period: .text("on 2100-01-01 00:00")])], [.move(.named("cats"), to: .first(of: nil))],
    [.createGroup(name: "team")], [.setGroup("home", [.title: .text("At home")])], [.removeGroup("home")],
    [.createFormula(name: "all", [.formula: .text("people + cats")])],
    [.setFormula("twice", [.formula: .text("people * 3")])], [.remove(.named("twice"))],
    [.create(name: "late"), .lock(.named("late"), true), .lock(.named("late"), false)],
  ]

  @Test(arguments: arrangements.indices)
  func `what an administrator did to counters only an administrator takes back and does again`(_ index: Int) throws {
    try administer(
      .createGroup(name: "home"), .create(name: "people"), .create(name: "cats", [.group: .text("home")]),
      .createFormula(name: "twice", [.formula: .text("people * 2")]))
    for change in Self.arrangements[index] { try administer(change) }
    #expect(try !perform(.undo(nil), by: false))
    #expect(try perform(.undo(nil), by: true))
    #expect(try !perform(.redo(nil), by: false))
    #expect(try perform(.redo(nil), by: true))
    #expect(try !perform(.undo(nil), by: false))
  }

  @Test func `what is counted anybody who counts takes back, whoever counted it`() throws {
    try administer(
      .create(name: "people", [.target: .integer(3)]), .create(name: "swim", isStopwatch: true))
    try count(.add(.current, amount: 5), .subtract(.current, amount: 1), .correct(.named("people"), to: 7))
    try administer(.add(.current, amount: 2), .reset(.one(.named("people")), isConfirmed: true))
    try count(.clock(.named("swim"), .start), .clock(.named("swim"), .stop), .reset(.all, isConfirmed: true))
    try count(.add(.current, amount: 1))
    try perform(.note(3, "Who was that?"), by: false)
    for _ in 0..<10 { #expect(try perform(.undo(nil), by: false)) }
    #expect(values == [0, 0])
    #expect(try !perform(.undo(nil), by: false))
    for _ in 0..<10 { #expect(try perform(.redo(nil), by: false)) }
    #expect(try core.ledger.find(.named("people")).value == 1)
  }

  @Test func `a counter that the first gesture made is taken back and made again by whoever counts`() throws {
    try count(.add(.current, amount: nil))
    for _ in 0..<2 {
      #expect(try perform(.undo(nil), .undo(nil), by: false))
      #expect(names == [])
      #expect(try perform(.redo(nil), .redo(nil), by: false))
      #expect(values == [1])
    }
    // One of that name that somebody decided to have is his affair.
    #expect(try perform(.undo(nil), .undo(nil), by: false))
    try administer(.create(name: "count"))
    #expect(try !perform(.undo(nil), by: false))
  }

  @Test func `neither a single counter nor a batch is a way round`() throws {
    try administer(
      .createGroup(name: "home"), .create(name: "people"), .create(name: "dogs", [.group: .text("home")]))
    try administer(.removeGroup("home"))
    try count(.add(.named("people"), amount: 1))
    #expect(try !perform(.undo("dogs"), by: false))
    #expect(try perform(.undo("people"), by: false))
    #expect(try !perform(.undo("people"), by: false))
    #expect(try !perform(.change(.add(.named("people"), amount: 1)), .undo(nil), .undo(nil), by: false))
    #expect(values == [0, 0])
    // Nor what a gesture says that it began with.
    let made = time + 5
    _ = try core.perform([
      Request(.change(.create(name: "cats")), time: made, cause: Cause(producer: "test"), isAdministrators: true)
    ])
    _ = try core.perform([Request(.takeBack(madeAt: made), time: made, cause: Cause(producer: "test"))])
    #expect(names == ["people", "dogs", "cats"])
  }

  @Test func `an import is undone by an administrator, who alone may import`() throws {
    var archive = Archive()
    try archive.add(Archive.Count(name: "people", time: 1_600_000_000_000_000, amount: "5"))
    try administer(.create(name: "people"))
    _ = try core.importArchive(archive, onClash: .merge, isTrial: false)
    #expect(values == [5])
    #expect(try !perform(.undo(nil), by: false))
    #expect(try perform(.undo(nil), by: true))
    #expect(values == [0])
    #expect(try !perform(.redo(nil), by: false))
    #expect(try perform(.redo(nil), by: true))
    #expect(values == [5])
  }

  @Test func `an import that was redone is undone by an administrator as well`() throws {
    var archive = Archive()
    try archive.add(Archive.Count(name: "people", time: 1_600_000_000_000_000, amount: "5"))
    try administer(.create(name: "people"))
    _ = try core.importArchive(archive, onClash: .merge, isTrial: false)
    #expect(try perform(.undo(nil), by: true))
    for _ in 0..<3 {
      #expect(try perform(.redo(nil), by: true))
      #expect(try !perform(.undo(nil), by: false))
      #expect(try !perform(.undo("people"), by: false))
      #expect(try !perform(.undoEvent(core.ledger.lastSequence), by: false))
      #expect(try perform(.undo(nil), by: true))
      #expect(try !perform(.redo("people"), by: false))
    }
    #expect(values == [0])
  }

  @Test func `an import of many events is undone and redone, and watchers start over`() throws {
    var archive = Archive()
    for number in 0..<4200 {
      try archive.add(Archive.Count(name: "people", time: Int64(1_600_000_000_000_000 + number), amount: "1"))
    }
    try administer(.create(name: "people"))
    _ = try core.importArchive(archive, onClash: .merge, isTrial: false)
    var (replaced, told) = (0, 0)
    core.onReplaced = { replaced += 1 }
    core.onEvents = { told += $0.count }
    try count(.add(.named("people"), amount: nil))
    #expect(try perform(.undo(nil), by: false))
    #expect(try perform(.undo(nil), by: true))
    #expect(values == [0])
    #expect(try perform(.redo("people"), by: true))
    #expect(values == [4200])
    #expect(try perform(.undoEvent(core.ledger.lastSequence), by: true))
    #expect(values == [0])
    #expect(replaced == 3 && told == 2)
    #expect(try JournalFile.verify(folder) == [])
  }
}
