import CounterStore
import Counting
import Fleet
import Foundation
import TestKit
import Testing

@Suite struct `Journals of earlier versions` {
  static func journal(_ version: Int) throws -> URL {
    try #require(Bundle.module.url(forResource: "Journals/journal-\(version)", withExtension: "sqlite"))
  }

  @Test func `a journal of the first version opens, and what it holds can still be undone`() throws {
    let scratch = try Scratch(journal: Self.journal(1))
    #expect(scratch.ledger.all.map(\.name.text) == ["people"])
    #expect(scratch.ledger.all.map(\.value) == [41])
    #expect(try scratch.events.map(\.presence) == [.appeared, .unchanged, .appeared, .disappeared])
    #expect(try scratch.undo())
    #expect(scratch.ledger.all.map(\.name.text) == ["people", "dogs"])
  }

  @Test func `a journal of the second version keeps its counters and events, and goes on`() throws {
    let scratch = try Scratch(journal: Self.journal(2))
    let people = try scratch.ledger.find(.named("people"))
    #expect((people.title, people.step, people.value) == ("People at the door", 2, 7))
    #expect(try scratch.ledger.find(.named("dogs")).value == 3)
    let events = try scratch.events
    #expect(events.count == 15)
    #expect(events.map(\.sequence) == Array(1...15))
    #expect(events.last?.kind == .corrected)
    try scratch.perform(.add(.named("people"), amount: nil))
    try scratch.perform(.create(name: "late"))
    #expect(try scratch.ledger.find(.named("late")).id.number == 4)
    #expect(scratch.ledger.all.map(\.name.text) == ["people", "dogs", "late"])
  }

  @Test(arguments: [1, 2]) func `everything in it can be undone and done again`(_ version: Int) throws {
    let scratch = try Scratch(journal: Self.journal(version))
    let before = scratch.ledger.all
    var count = 0
    while try scratch.undo() { count += 1 }
    #expect(scratch.ledger.isEmpty)
    #expect(count > 3)
    while try scratch.redo() {}
    #expect(scratch.ledger.all == before)
  }

  @Test(arguments: [1, 2]) func `what was migrated is the same when it is opened again`(_ version: Int) throws {
    let scratch = try Scratch(journal: Self.journal(version))
    try scratch.perform(.add(.current, amount: 2))
    try scratch.settle()
    let loaded = try scratch.store.load()
    #expect(loaded.all == scratch.ledger.all)
    #expect(loaded.current == scratch.ledger.current)
  }

  @Test func `sums of a journal that mixed units are made anew`() throws {
    let scratch = try Scratch(journal: Self.journal(5))
    let day = try #require(try scratch.events.first?.time)
    let bounds = [day - 3_600_000_000, day + 3_600_000_000]
    let all = try scratch.store.totals(of: nil, between: bounds, in: scratch.ledger)
    #expect(all.unit == .decimal(2))
    #expect(all.totals == [Totals(counts: 260, added: 130 * 200 + 130 * 25)])
    #expect(try scratch.ledger.findFormula("twice").text == "people * 3")
  }

  /// The program that wrote it told producers apart by their names alone; one was opened twice, and delivered three and two.
  @Test func `a producer whose name was nobody's own goes on as that of a user`() throws {
    let scratch = try Scratch(journal: Self.journal(6))
    let store = scratch.store
    let machine = Producer.Key(user: 7, name: "tally-inputd")
    #expect(try store.producer(machine, isWritable: false) == nil)
    let found = try #require(try store.producer(machine))
    #expect(try found.judge(epoch: 2, sequence: 2) == .repeated(6...6))
    #expect(try found.judge(epoch: 2, sequence: 3) == .count)
    #expect(try store.producer(machine, isWritable: false) == found)
    let opened = try store.open(machine)
    #expect(opened.epoch == 3)
    #expect(try store.lastDelivery(of: opened) == .init(epoch: 2, sequence: 2, events: 6...6))
    try store.save(.init(epoch: 3, sequence: 1, events: 7...7), of: opened)
    // Who comes later takes nothing from it, whatever he calls himself.
    for user in [8, 9] as [UInt32] {
      let other = try store.open(.init(user: user, name: "tally-inputd"))
      #expect(try store.lastDelivery(of: other)?.sequence == 2)
    }
    #expect(try store.open(.init(user: 8, name: "7/tally-inputd")).epoch == 2)
    #expect(try store.open(.init(user: 0, name: "7/tally-inputd")).epoch == 2)
    #expect(try store.producer(machine)?.judge(epoch: 3, sequence: 1) == .repeated(7...7))
    #expect(try store.open(machine).epoch == 4)
    try scratch.settle()
  }

  /// Of the station door1, after another fleet, an undone reset, a reset by door2, and a boot.
  @Test func `a journal of a fleet keeps its counts, those of others, and what it had shared before`() throws {
    let scratch = try Scratch(journal: Self.journal(13))
    let store = scratch.store
    let membership = try #require(try store.membership())
    #expect((membership.fleet, membership.station) == ("venue", "door1"))
    #expect(membership.broker.text == "mqtt://u:secret@localhost:1884")
    let (station, shared) = (try store.station(), try store.sharedCounters())
    #expect((station.writers.count, station.number) == (3, 18))
    let quarter: Int64 = 1_995_252 * 900_000_000
    for (name, total, own, sum) in [("people", 18, 6, 18), ("litres", 25, 25, 200)] as [(String, Int64, Int64, Int64)] {
      let counter = try scratch.ledger.find(.named(name))
      let period = CounterPeriod(try #require(shared[counter.id]))
      let replica = station.knowledge[period]
      #expect(counter.value == total && replica.total() == Int128(total) && station.own(in: period) == Int128(own))
      #expect(replica.resets.count == 1 && replica.resets.keys.allSatisfy(replica.isHeld))
      let totals = try store.totals(of: [counter.id], between: [quarter, quarter + 900_000_000], in: scratch.ledger)
      #expect(totals.totals.map(\.added) == [sum])
    }
    // The undone reset.
    let act = try #require(try store.fleetAct(of: 11))
    #expect(station.knowledge[act.period].undone == [act.entry])
    let former = try #require(CounterID("a0bdc6ab7f07ab3c545b3441129196c6"))
    let dogs = try scratch.ledger.find(.named("dogs"))
    #expect(try store.unsharedCount(of: dogs, for: former, in: scratch.ledger) == .since(1))
    // These are of later versions.
    #expect(try store.droppedCounts().isEmpty)
    #expect(try store.knownStations().isEmpty && store.claims().isEmpty)
    try scratch.settle()
    #expect(try store.station() == station)
  }

  @Test(arguments: [1, 2, 5, 6, 13])
  func `a backup of an earlier version is verified and put back`(_ version: Int) throws {
    let journal = try Self.journal(version).path
    #expect(try JournalFile.verify(journal) == [])
    let temporary = TemporaryFolder()
    let folder = temporary.path
    #expect(try JournalFile.restore(journal, to: folder) == nil)
    // As a core leaves it that ran before the programs were replaced, and as one of this version does.
    #expect(try JournalFile.verify(folder) == [])
    #expect(try !CounterStore(folder: folder).load().isEmpty)
    #expect(try JournalFile.verify(folder) == [])
  }
}
