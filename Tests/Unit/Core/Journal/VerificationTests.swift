import Counting
import Fleet
import Foundation
import TestKit
import Testing

@testable import Journal

/// `tally verify` on journals in which something was changed behind the back of the events.
@Suite(.seeded) struct `Verifying a journal` {
  private static func lived() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.perform(.createGroup(name: "home"))
    try scratch.perform(
      .create(name: "people", decimals: 1, [.group: .text("home"), .maximum: .integer(900), .note: .text("the door")]))
    try scratch.perform(.create(name: "dogs", [.target: .integer(3)]))
    try scratch.perform(.create(name: "cats"))
    try scratch.perform(.createFormula(name: "all", [.formula: .text("people + dogs")]))
    for _ in 0..<4 { try scratch.perform(.add(.named("dogs"), amount: nil)) }
    try scratch.perform(.note(try #require(try scratch.events.last), "a poodle"))
    try scratch.perform(.lock(.named("cats"), true))
    try scratch.perform(.select(.named("dogs")))
    try scratch.perform(.create(name: "gone"))
    try scratch.perform(.remove(.named("gone")))
    try scratch.settle()
    return scratch
  }

  @Test(arguments: [
    "name = 'persons'", "title = 'Persons'", "colour = 'red'", "note = NULL", "step = 2", "start = 1", "minimum = 0",
    "maximum = NULL", "limits = 'stop'", "target = 7", "every = 5", "group_number = NULL", "place = 1", "archived = 1",
    "locked = 1", "removed = 1", "period = 'daily 04:00 UTC'", "began = 1", "lapped = 3", "decimals = 0",
    "kind = 'stopwatch'",
  ])
  func `finds every setting that its events do not say`(_ change: String) throws {
    let scratch = try Self.lived()
    #expect(try JournalFile.verify(scratch.folder) == [])
    try scratch.store.database.execute("UPDATE counter SET \(change) WHERE name = 'people'")
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
  }

  /// Sums of blocks that are summarised one by one, or 64 at once, in any order, are beyond 64 bits.
  @Test(arguments: [1, 6]) func `finds sums beyond 64 bits as they are, however blocks are grouped`(_ commits: Int)
    throws
  {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    let half = Quantity(integerLiteral: .max / 2)
    for number in 0..<4 * Int(Rollups.blockSize) {
      let change: Change =
        number % 4 < 2 ? .add(.current, amount: half) : .subtract(.current, amount: half)
      try scratch.perform(change)
      if number % (1024 / commits) == 0 { try scratch.settle() }
    }
    try scratch.settle()
    #expect(try JournalFile.verify(scratch.folder) == [])
    let totals = try scratch.store.totals(of: nil, between: [0, .max], in: scratch.ledger).totals
    #expect(totals.first?.exactAdded == 512 * Int128(Int64.max / 2) && totals.first?.net == 0)
  }

  @Test func `is no reason to refuse a backup whose sums are wrong: they are computed again`() throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "people"))
    for _ in 0..<300 { try scratch.perform(.add(.current, amount: nil)) }
    try scratch.settle()
    try scratch.store.database.execute("UPDATE quarter SET added = 7; DELETE FROM block_counter")
    let folder = TemporaryFolder()
    let (backup, state) = (folder.path("copy.tally"), folder.path("state"))
    try JournalFile.backUp(scratch.folder, to: backup)
    #expect(try !JournalFile.verify(backup).isEmpty)
    #expect(try JournalFile.restore(backup, to: state) == nil)
    #expect(try CounterStore(folder: state).load().all.map(\.value) == [300])
    #expect(try JournalFile.verify(state) == [])
  }

  @Test(arguments: [
    "UPDATE counter SET locked = 0 WHERE name = 'cats'", "UPDATE counter SET removed = 0 WHERE name = 'gone'",
    "UPDATE counter SET name = 'house' WHERE name = 'home'", "UPDATE counter SET formula = '1' WHERE name = 'all'",
    "UPDATE counter SET display = 'percent' WHERE name = 'all'", "UPDATE current SET counter = 2",
    "UPDATE event_note SET text = 'a dachshund'", "DELETE FROM event_note", "DELETE FROM counter WHERE name = 'cats'",
    "INSERT INTO counter (id, name, title, start, step) VALUES (99, 'x', 'x', 0, 1)",
    "UPDATE event SET change = 2 WHERE sequence = 7", "UPDATE event SET value = 9 WHERE sequence = 8",
    "UPDATE event SET presence = 0 WHERE kind = 'removed'", "UPDATE event SET presence = 7 WHERE sequence = 7",
    "UPDATE event SET marks = 1 << 40 WHERE sequence = 7", "UPDATE counter SET step = -5 WHERE name = 'dogs'",
    "UPDATE counter SET step_down = 0 WHERE name = 'dogs'", "UPDATE counter SET archived = 2 WHERE name = 'gone'",
    "DELETE FROM event WHERE sequence = 6",
    "UPDATE alteration SET after = 'other' WHERE field = 'name' AND event = 2",
    "UPDATE event SET kind = 'unlocked' WHERE kind = 'locked'",
  ])
  func `finds a state that its events do not say`(_ sql: String) throws {
    let scratch = try Self.lived()
    try scratch.store.database.execute(sql)
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
  }

  @Test func `lists all places in which events are missing, and ends the list where it is long`() throws {
    let scratch = try Self.lived()
    for _ in 0..<100 { try scratch.perform(.add(.named("dogs"), amount: nil)) }
    try scratch.settle()
    try scratch.store.database.execute("DELETE FROM event WHERE sequence IN (6, 9, 10)")
    let found = try JournalFile.verify(scratch.folder)
    #expect(found.filter { $0.contains("missing") } == ["Event 6 is missing.", "Events 9 to 10 are missing."])
    try scratch.store.database.execute("DELETE FROM event WHERE sequence > 20 AND sequence % 2")
    let many = try JournalFile.verify(scratch.folder).filter { $0.contains("missing") }
    #expect(many.count == 21 && many.last?.hasPrefix("Events are missing in ") == true, "\(many)")
  }

  @Test(arguments: [
    "UPDATE import SET first = 0", "UPDATE import SET first = last + 1", "UPDATE import SET last = 999",
    "INSERT INTO import VALUES (8, 9)", "INSERT INTO import VALUES (-5, -2)", "UPDATE producer SET epoch = 0",
    "UPDATE producer SET epoch = 9223372036854775807", "UPDATE producer SET id = -1", "UPDATE producer SET name = ''",
    "DELETE FROM producer", "UPDATE delivery SET epoch = 3", "UPDATE delivery SET epoch = 0",
    "UPDATE delivery SET slot = 5", "UPDATE delivery SET sequence = -63", "UPDATE delivery SET first_event = 999",
    "UPDATE delivery SET first_event = 3, last_event = 2", "UPDATE delivery SET last_event = 999",
    "UPDATE delivery SET first_event = 0", "INSERT INTO alteration VALUES (999, 'name', 'x', 'y')",
    "INSERT INTO alteration VALUES (6, 'name', 'x', 'y')", "INSERT INTO standing VALUES (99, 1)",
    "INSERT INTO standing VALUES (1, 1)", "UPDATE fleet_former SET event = 999", "UPDATE fleet_former SET counter = 99",
    "UPDATE fleet_former SET id = 'x'", "UPDATE fleet_former SET dropped = 6",
  ])
  func `finds rows beside the events that no core writes`(_ sql: String) throws {
    let scratch = try Self.lived()
    let producer = try scratch.store.open(.init(user: 1, name: "pedals"))
    try scratch.store.save(.init(epoch: 1, sequence: 1, events: 2...3), of: producer)
    try scratch.settle()
    try scratch.store.database.execute("INSERT INTO import VALUES (7, 8)")
    let shared = try #require(scratch.ledger.all.first)
    let id = try #require(CounterID(String(repeating: "a", count: 32)))
    try scratch.store.leaveFleet([.init(id: id, counter: shared.id, event: 5, value: 3, dropped: 2)])
    try scratch.settle()
    #expect(try JournalFile.verify(scratch.folder) == [])
    try scratch.store.database.execute(sql)
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
  }

  @Test(arguments: [
    "UPDATE event SET sequence = -9223372036854775808 WHERE sequence = 3",
    "UPDATE event SET sequence = 9223372036854775807 WHERE sequence = 8",
    "UPDATE counter SET id = 9223372036854775807 WHERE name = 'cats'",
    "INSERT INTO block VALUES (-9223372036854775808, 0, 0)", "INSERT INTO block VALUES (1000000, 0, 0)",
    "INSERT INTO import VALUES (-9223372036854775808, 5)", "INSERT INTO import VALUES (1, 9223372036854775807)",
  ])
  func `and opening it refuse numbers that everything is counted from`(_ sql: String) throws {
    let scratch = try Self.lived()
    try scratch.store.database.execute(sql)
    let database = scratch.store.database
    for attempt in [{ _ = try JournalFile.verify(scratch.folder) }, { try Schema.checkNumbers(database) }] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.code == .damaged && error?.message.contains("is out of range") == true)
    }
  }

  @Test func `and opening it refuse a journal that ends with a number far beyond its events`() throws {
    let scratch = try Self.lived()
    try scratch.store.database.execute("UPDATE event SET sequence = (1 << 53) - 1 WHERE sequence = 8")
    let copy = TemporaryFolder()
    try JournalFile.backUp(scratch.folder, to: copy.path("counters.sqlite"))
    let error = #expect(throws: StoreError.self) { try CounterStore(folder: copy.path) }
    #expect(error?.code == .damaged && error?.message.contains("only") == true)
  }

  @Test func `of events that undo themselves or each other ends`() throws {
    let scratch = try Self.lived()
    try scratch.store.database.execute("UPDATE event SET undoes = sequence WHERE sequence = 7")
    let event = try #require(try scratch.store.events(7...7, in: scratch.ledger).first)
    #expect(try !scratch.store.isTakenBack(event))
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
  }

  @Test(arguments: 1...Rounds.times(2)) func `finds nothing in what was lived`(_ number: Int) throws {
    let scratch = try `Random histories`.lived(number, withUndo: true)
    #expect(try JournalFile.verify(scratch.folder) == [])
  }

  @Test(arguments: [
    "CREATE TRIGGER more AFTER INSERT ON event BEGIN UPDATE standing SET value = value + 1000; END",
    "CREATE VIEW other AS SELECT 1", "CREATE TABLE other (x)", "DROP INDEX counter_by_name",
    "ALTER TABLE event RENAME TO was; CREATE VIEW event AS WITH RECURSIVE f(x) AS (SELECT 1 UNION ALL SELECT x FROM f) SELECT * FROM f",
    "ALTER TABLE event ADD COLUMN other INTEGER",
    """
    CREATE TRIGGER more AFTER INSERT ON event BEGIN UPDATE standing SET value = value + 1000; END;
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET name = 'sqlite_more', sql = replace(sql, 'more', 'sqlite_more') WHERE type = 'trigger'
    """,
  ])
  func `and opening and restoring it refuse definitions of another program`(_ sql: String) throws {
    let scratch = try Self.lived()
    let temporary = TemporaryFolder()
    let (backup, state) = (temporary.path("backup"), temporary.path("state"))
    try JournalFile.backUp(scratch.folder, to: backup)
    try Database(path: backup).execute(sql)
    func expectRefusal(_ attempt: () throws -> Void) {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.code == .damaged && error?.message.contains("is not defined as in a Tallymark journal") == true)
    }
    expectRefusal { _ = try JournalFile.verify(backup) }
    expectRefusal { _ = try JournalFile.restore(backup, to: state) }
    _ = try JournalFile.put(backup, inPlaceOf: "\(state)/\(JournalFile.name)")
    expectRefusal { _ = try JournalFile.verify(state) }
    expectRefusal { _ = try CounterStore(folder: state) }
  }

  @Test(arguments: [Int64.min, -1, 10, .max]) func `sums survive decimals out of range, and a repair ends them`(
    _ decimals: Int64
  ) throws {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "a"))
    for _ in 0..<2 * Rollups.blockSize { try scratch.perform(.add(.current, amount: 1)) }
    try scratch.settle()
    try scratch.store.database.execute("UPDATE counter SET decimals = \(decimals) WHERE id = 1")
    #expect(try JournalFile.verify(scratch.folder).contains("Counter 1 is stored with \(decimals) decimals."))
    for _ in 0..<2 * Rollups.blockSize { try scratch.perform(.add(.current, amount: 1)) }
    try scratch.settle()
    #expect(try !scratch.store.totals(of: nil, between: [0, .max], in: scratch.ledger).totals.isEmpty)
    let (copy, new) = ("\(scratch.folder)-copy", "\(scratch.folder)-new")
    defer { for folder in [copy, new] { try? FileManager.default.removeItem(atPath: folder) } }
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try JournalFile.backUp(scratch.folder, to: "\(copy)/counters.sqlite")
    let repair = try JournalRepair(copy, into: new)
    #expect(repair.losses == ["1 counter had an impossible number of decimals."])
    // The nearest possible number is the right one only for a counter without decimals.
    #expect(try JournalFile.verify(new).isEmpty == (decimals < 0))
  }

  @Test(arguments: [
    "decimals = -9223372036854775808", "renews_at = -1000000000000000000", "start = 9223372036854775807", "step = -5",
    "step = -9223372036854775808", "began = -9223372036854775808", "place = 9223372036854775807", "period = 'daily'",
    "maximum = -9223372036854775808, minimum = 9223372036854775807", "kind = 'other'", "name = char(27) || '[2J'",
    "every = 0", "every = -9223372036854775808", "limits = 'other'", "group_number = 9",
    "since = -9223372036854775808, boottime = 9223372036854775807, boot = 'x', kind = 'stopwatch'",
  ])
  func `and opening it survive settings out of range`(_ change: String) throws {
    let scratch = try Self.lived()
    try? scratch.store.database.execute("UPDATE counter SET \(change) WHERE name = 'people'")
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
    scratch.ledger = try scratch.store.load()
    // A loop over such a number would take hours.
    for counter in scratch.ledger.all {
      for change: Change in [.renew(counter.id), .add(.named(counter.name.text), amount: nil)] {
        _ = try? scratch.perform(change)
      }
    }
  }

  /// Two counts, the undo of the second one and its redo, and the undo of a note.
  private static func tookBack() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.perform(.create(name: "a"))
    try scratch.perform(.add(.named("a"), amount: 1))
    try scratch.perform(.add(.named("a"), amount: 5))
    _ = try scratch.undo()
    _ = try scratch.redo()
    try scratch.perform(.note(try #require(try scratch.events.last), "a poodle"))
    _ = try scratch.undo()
    try scratch.perform(.subtract(.named("a"), amount: 5))
    try scratch.perform(.add(.named("a"), amount: 5))
    try scratch.settle()
    return scratch
  }

  @Test(arguments: [
    "UPDATE event SET undoes = 2, kind = 'undone' WHERE sequence = 4",
    "UPDATE event SET undoes = 1, kind = 'undone' WHERE sequence = 4",
    "UPDATE event SET undoes = 3 WHERE sequence = 5", "UPDATE event SET undoes = 3, kind = 'undone' WHERE sequence = 8",
    "UPDATE event SET undoes = 5 WHERE sequence = 7", "UPDATE event SET kind = 'redone' WHERE sequence = 4",
    "UPDATE event SET kind = 'added' WHERE sequence = 6", "UPDATE event SET undoes = 3 WHERE sequence = 6",
    "UPDATE event SET kind = 'noted' WHERE sequence = 7", "UPDATE event SET kind = 'noted' WHERE sequence = 8",
  ])
  func `finds an undo that is none, and a note of another kind`(_ sql: String) throws {
    let scratch = try Self.tookBack()
    #expect(try JournalFile.verify(scratch.folder) == [])
    try scratch.store.database.execute(sql)
    #expect(try !JournalFile.verify(scratch.folder).isEmpty)
  }
}

@Suite struct `Events that are missing` {
  @Test func `are counted also where a damaged file has the others in no order`() {
    var missing = MissingEvents()
    for sequence in [2, .max, 1, .max - 1, .max] as [Int64] { missing.note(sequence) }
    #expect(missing.count == .max - 2)
    #expect(missing.sentences == ["Event 1 is missing.", "Events 3 to \(Int64.max - 1) are missing."])
  }
}
