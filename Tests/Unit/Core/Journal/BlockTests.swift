import Counting
import Foundation
import TestKit
import Testing

@testable import Journal

/// What is written once for a block of 256 events, and how it is read in between.
@Suite struct `Blocks of events` {
  /// The pages of the write-ahead log, which has a header and holds no commit twice.
  func pages(_ scratch: Scratch) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(scratch.folder)/counters.sqlite-wal")
    return ((attributes[.size] as? Int ?? 0) - 32) / (24 + pageSize)
  }

  @Test func `a count writes one page, with a delivery two, and only the last of a block writes more`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    let producer = try scratch.store.open(.init(user: 7, name: "pedal"))
    try scratch.settle()
    var written: [Int] = []
    for number in 1...Int64(254) {
      let before = try pages(scratch)
      try scratch.perform(.add(.current, amount: nil))
      if number > 200 { try scratch.store.save(.init(epoch: 1, sequence: number, events: nil), of: producer) }
      try scratch.settle()
      written.append(try pages(scratch) - before)
    }
    // Now and then the table of events needs a new page.
    #expect(written.prefix(200).filter { $0 == 1 }.count > 190)
    #expect(written.suffix(54).filter { $0 == 2 }.count > 50)
    #expect(try scratch.store.database.integer("SELECT count(*) FROM standing") == 0)
    try scratch.perform(.add(.current, amount: nil))
    try scratch.settle()
    #expect(try scratch.store.database.integer("SELECT value FROM standing") == 255)
  }

  @Test func `the log is copied into the file and begun anew, however many counts come one by one`() throws {
    let scratch = try Scratch()
    for _ in 0..<1300 {
      try scratch.perform(.add(.current, amount: nil))
      try scratch.settle()
    }
    #expect(1000..<1100 ~= (try pages(scratch)))
    #expect(try JournalFile.verify(scratch.folder) == [])
  }

  @Test func `the rollups of an import are written a few at a time, and until then its events are read`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    try scratch.settle()
    var archive = Archive()
    for number in Int64(1)...3600 {
      try archive.add(Archive.Count(name: "people", time: number * 60_000_000, amount: number % 2 == 0 ? "3" : "-1"))
    }
    scratch.ledger = try scratch.store.importArchive(
      archive, onClash: .merge, at: 3600 * 60_000_000, isTrial: false, in: scratch.ledger
    ).1
    var left: [Int64] = []
    repeat {
      left.append(3601 / 256 - (try #require(try scratch.store.database.integer("SELECT count(*) FROM block"))))
      #expect(try JournalFile.verify(scratch.folder) == [])
      #expect(try scratch.store.load().all == scratch.ledger.all)
      #expect(try scratch.store.lastUndoable(of: scratch.id("people"), in: scratch.ledger).count == 3600)
      let totals = try scratch.store.totals(of: nil, between: [0, .max], in: scratch.ledger).totals
      #expect(totals == [Totals(counts: 3600, added: 5400, subtracted: 1800)])
      guard scratch.store.isBehind else { break }
      try scratch.settle()
    } while left.count < 100
    #expect(left.first.map { $0 > 8 } ?? false)
    #expect(left.last == 0)
    #expect(zip(left, left.dropFirst()).allSatisfy { 1...4 ~= $0 - $1 })
  }

  @Test(arguments: [1, 254, 255, 256, 257, 700])
  func `values are those of the last events, wherever the last block ends`(_ count: Int) throws {
    let scratch = try Scratch()
    for name in ["people", "dogs", "cats"] { try scratch.perform(.create(name: name)) }
    for number in 0..<count {
      try scratch.perform(.add(.named(number % 3 == 0 ? "dogs" : "people"), amount: 3))
      if number % 50 == 49 { try scratch.settle() }
    }
    let last = try #require(try scratch.events.last { $0.kind == .added })
    try scratch.perform(.note(last, "the last one"))
    try scratch.perform(.remove(.named("dogs")))
    // A note about what happened to a counter that is gone has no value to tell.
    try scratch.perform(.note(try #require(try scratch.events.first { $0.counter.number == 2 }), "gone"))
    try scratch.settle()
    #expect(try scratch.store.load().all == scratch.ledger.all)
    #expect(try JournalFile.verify(scratch.folder) == [])
    let values: [Int64] = try CounterStore.entries(scratch.store.database).compactMap { entry in
      if case .counter(let counter) = entry.entity { counter.value } else { nil }
    }
    let dogs = Int64((count + 2) / 3)
    #expect(values == [(Int64(count) - dogs) * 3, dogs * 3, 0])
  }

  @Test func `the last event of a counter is found behind any number of others`() throws {
    let scratch = try Scratch()
    for name in ["people", "dogs"] { try scratch.perform(.create(name: name)) }
    let dogs = try scratch.id("dogs")
    for number in 1...Int64(3) { try scratch.perform(.add(.named("dogs"), amount: .units(number))) }
    for _ in 0..<300 { try scratch.perform(.add(.named("people"), amount: nil)) }
    try scratch.perform(.add(.named("dogs"), amount: 4))
    for _ in 0..<900 { try scratch.perform(.add(.named("people"), amount: nil)) }
    try scratch.settle()
    for value in [6, 3, 1, 0] as [Int64] {
      #expect(try scratch.undo(dogs))
      #expect(scratch.ledger[dogs]?.value == value)
    }
    for value in [1, 3, 6, 10] as [Int64] {
      #expect(try scratch.redo(dogs))
      #expect(scratch.ledger[dogs]?.value == value)
    }
    let found = try scratch.store.values(of: [dogs], at: 1_000_000_000 + 5_000_000, in: scratch.ledger)
    #expect(found == [dogs: 6])
    try scratch.settle()
    #expect(try JournalFile.verify(scratch.folder) == [])
  }

  @Test(arguments: ["UPDATE standing SET value = 7", "DELETE FROM standing WHERE counter = 1"])
  func `a value of a whole block that is not what its events add up to is told of`(_ change: String) throws {
    let scratch = try Scratch()
    for _ in 0..<300 { try scratch.perform(.add(.current, amount: nil)) }
    try scratch.settle()
    try scratch.store.database.execute(change)
    let found = try JournalFile.verify(scratch.folder)
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix("after event 256; its events add up to 255.") == true)
  }

  @Test(arguments: [
    "DELETE FROM block_counter WHERE first < 200", "UPDATE block_counter SET last = last - 1",
    "INSERT INTO block_counter VALUES (1, 2, 3)", "UPDATE block SET earliest = earliest - 1",
    "UPDATE block SET latest = latest - 1", "DELETE FROM block_cause", "INSERT INTO block_cause VALUES (1, 7)",
    "UPDATE quarter SET first = first + 1", "UPDATE quarter SET last = NULL", "UPDATE quarter SET added = added + 1",
  ])
  func `a wrong entry of the rollups is told of`(_ change: String) throws {
    let scratch = try Scratch()
    for _ in 0..<300 { try scratch.perform(.add(.current, amount: nil)) }
    try scratch.settle()
    try scratch.store.database.execute(change)
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
  }
}
