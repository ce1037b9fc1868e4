import TestKit
import Testing

@testable import Fleet

struct `A station` {
  var ids = SeededRandom(seed: 1)
  let period = CounterPeriod(World.counters[0])

  mutating func station() -> Station {
    var station = Station()
    station.begin(.random(using: &ids))
    return station
  }

  @Test mutating func `goes on as the same writer only with the proof of its last act`() throws {
    var station = station()
    let boot = "4f5c"
    try station.count(1, in: period, as: 7)
    let proof = try #require(station.continuity(boot: boot))
    let wrong: [WriterProof?] = [
      nil, WriterProof(boot: "other", writer: proof.writer, number: 7, acts: 1),
      WriterProof(boot: boot, writer: .random(using: &ids), number: 7, acts: 1),
      WriterProof(boot: boot, writer: proof.writer, number: 8, acts: 1),
      WriterProof(boot: boot, writer: proof.writer, number: 6, acts: 1),
      WriterProof(boot: boot, writer: proof.writer, number: 7, acts: 2),
    ]
    for wrong in wrong {
      var resumed = station
      resumed.resume(with: wrong, boot: boot)
      #expect(resumed.writer == nil)
      #expect(throws: ActError.needsWriter) { try resumed.count(1, in: self.period, as: 8) }
    }
    station.resume(with: proof, boot: boot)
    #expect(station.writer == proof.writer)
  }

  /// A kill between commit and reply, a copy of the disk, and an older disk put back: with a proof that is written after
  /// the commit, the number would name a second act, and the copy would still have the first.
  @Test mutating func `uses no number twice when a disk is put back after a kill`() throws {
    var journal = station()
    try journal.count(1, in: period, as: 1)
    let older = journal
    try journal.count(1, in: period, as: 2)
    let proof = journal.continuity(boot: "b")
    // Killed here, after the commit; somebody copies the disk.
    var copy = journal
    journal = older
    journal.resume(with: proof, boot: "b")
    journal.begin(.random(using: &ids))
    try journal.count(5, in: period, as: 2)
    for message in journal.announcement(of: period) {
      let learned = try copy.learn(message)
      #expect(learned.contradictions.isEmpty)
    }
    #expect(copy.knowledge[period].total() == 7)
  }

  @Test mutating func `uses a number once in a period, and its proof has each use`() throws {
    var station = station()
    let other = CounterPeriod(World.counters[1], start: 0)
    try station.count(1, in: period, as: 5)
    var older = station
    try station.count(1, in: other, as: 5)
    #expect(throws: ActError.numberInUse) { try station.count(1, in: other, as: 5) }
    #expect(throws: ActError.numberInUse) { try station.reset(other, as: 5) }
    #expect(throws: ActError.numberInUse) { try station.count(1, in: self.period, as: 4) }
    try station.reset(other, as: 6)
    #expect(throws: ActError.numberInUse) { try station.count(1, in: other, as: 6) }
    #expect(throws: ActError.numberInUse) { try station.reset(other, as: 6) }
    try older.count(1, in: period, as: 6)
    // The same last number, without the act in the other period.
    older.resume(with: station.continuity(boot: "b"), boot: "b")
    #expect(older.writer == nil)
    // Periods that were dropped are in no proof: the journal does not have them.
    let parts = station.knowledge.periods.filter { $0 != period }.map { ($0, station.knowledge[$0]) }
    let last = station.writer.map { Entry(writer: $0, number: station.number) }
    station.drop([period])
    var again = Station(writers: station.writers, last: last, lasts: station.lasts, parts: parts)
    again.resume(with: station.continuity(boot: "b"), boot: "b")
    #expect(again.writer == station.writer)
  }

  @Test mutating func `closes its writer when others know later acts of it`() throws {
    var station = station()
    try station.count(1, in: period, as: 1)
    var later = station
    try later.count(1, in: period, as: 2)
    var again = station
    let message = try #require(station.announcement(of: period).first)
    let nothing = try again.learn(message)
    #expect(nothing == Station.Learned())
    #expect(again.writer != nil)
    for message in later.summary(of: period) { _ = try again.learn(message) }
    #expect(again.writer == nil)
    #expect(again.own(in: period) == 2)
    // Also for an act that is no count.
    later = station
    try later.reset(period, as: 2)
    for message in later.announcement(of: period) { _ = try station.learn(message) }
    #expect(station.writer == nil)
    #expect(station.own(in: period) == 0)
  }

  @Test mutating func `is the same after a journal kept its parts`() throws {
    var station = station()
    let late = CounterPeriod(World.counters[1], start: 0)
    try station.count(3, in: period, as: 1)
    try station.count(4, in: late, as: 2)
    try station.undo(try station.reset(period, as: 3), of: period)
    try station.count(5, in: period, as: 4)
    let parts = station.knowledge.periods.map { ($0, station.knowledge[$0]) }
    let last = station.writer.map { Entry(writer: $0, number: station.number) }
    #expect(Station(writers: station.writers, last: last, lasts: station.lasts, parts: parts) == station)
    #expect(station.own(in: period) == 8)
    #expect(station.own(in: late) == 4)
  }

  @Test mutating func `keeps all counts of a writer of whom somebody forged a later register`() throws {
    var (door, desk) = (station(), station())
    try door.count(15, in: period, as: 10)
    for message in door.announcement(of: period) { _ = try desk.learn(message) }
    let writer = try #require(door.writer)
    let forged = try #require(Register(received: 1_000, added: 0, subtracted: 0, counts: 1))
    for content in [
      Replica(registers: [writer: forged]),
      Replica(resets: [Entry(writer: .random(using: &ids), number: 1): Reset(size: 2, seen: [writer: forged])]),
    ] {
      for isDoor in [true, false] {
        let learned = try isDoor ? door.learn(Message(period, content)) : desk.learn(Message(period, content))
        #expect(learned.contradictions == [writer])
      }
      #expect(desk.knowledge[period].total() == 15)
      #expect(door.own(in: period) == 15)
    }
    // The writer is closed, and a new one goes on.
    #expect(door.writer == nil)
    door.begin(.random(using: &ids))
    try door.count(1, in: period, as: 11)
    for message in door.announcement(of: period) { _ = try desk.learn(message) }
    #expect(desk.knowledge[period].total() == 16)
  }

  @Test mutating func `learns from another form of a reset that it has completely`() throws {
    var (door, desk) = (station(), station())
    try door.count(2, in: period, as: 1)
    let entry = Entry(writer: .random(using: &ids), number: 1)
    let other = WriterID.random(using: &ids)
    let register = try #require(Register(received: 1, added: 7, subtracted: 0, counts: 1))
    let base = Entry(writer: other, number: 2)
    for (form, station) in [
      (Reset(seen: [other: register]), 0), (Reset(on: base, size: 1, seen: door.knowledge[period].registers), 1),
      (Reset(size: 0, seen: [:]), 1),
    ] {
      let message = Message(period, Replica(resets: [entry: form]))
      if station == 0 { _ = try door.learn(message) } else { _ = try desk.learn(message) }
    }
    // What the two tell each other until there is nothing to say.
    var open: [(isToDoor: Bool, Message)] =
      door.summary(of: period).map { (false, $0) } + desk.summary(of: period).map { (true, $0) }
    var count = 0
    while let (isToDoor, message) = open.popLast(), count < 100 {
      let learned = try isToDoor ? door.learn(message) : desk.learn(message)
      open += (isToDoor ? door : desk).replies(to: message, learned).map { (!isToDoor, $0) }
      count += 1
    }
    #expect(count < 100)
    #expect(door.knowledge[period].resets == desk.knowledge[period].resets)
    #expect(door.knowledge[period].total() == desk.knowledge[period].total())
    #expect(desk.knowledge[period].isAsDefined)
  }

  @Test mutating func `keeps few rows of years with a boot of each door and a reset a day`() throws {
    var desk = station()
    let (days, doors) = (Rounds.times(50, atMost: 200), 20)
    for day in 0..<days {
      for _ in 0..<doors {
        let register = try #require(Register(received: 1, added: 3, subtracted: 0, counts: 1))
        _ = try desk.learn(Message(period, Replica(registers: [.random(using: &ids): register])))
      }
      #expect(desk.knowledge[period].total() == Int128(3 * doors))
      let reset = try desk.reset(period, as: Int64(day + 1))
      #expect(desk.knowledge[period].total() == 0)
      if day == days - 1 {
        try desk.undo(reset, of: period)
        #expect(desk.knowledge[period].total() == Int128(3 * doors))
      }
    }
    let replica = desk.knowledge[period]
    let rows = replica.registers.count + replica.resets.values.reduce(0) { $0 + 1 + $1.seen.count }
    #expect(rows == 2 * days * doors + days)
    #expect(replica.isAsDefined)
  }

  @Test mutating func `asks at once for the reset that another one builds on`() throws {
    var (door, desk, other) = (station(), station(), station())
    try door.count(4, in: period, as: 1)
    let first = try door.reset(period, as: 2)
    for message in door.announcement(of: period) { _ = try desk.learn(message) }
    try desk.count(1, in: period, as: 1)
    let second = try desk.reset(period, as: 2)
    #expect(desk.knowledge[period].resets[second]?.seen.count == 1)
    let wanted = try desk.announcement(of: period).flatMap { try other.learn($0).wanted }
    #expect(wanted == [first])
    #expect(!other.knowledge[period].isHeld(second))
    for reply in desk.replies(to: Message(period, asked: [first]), .init()) { _ = try other.learn(reply) }
    #expect(other.knowledge[period].isHeld(second))
    #expect(other.knowledge[period].total() == 0)
    // The effect of the one that is undone stays with that of the later one.
    for message in desk.announcement(of: period) { _ = try door.learn(message) }
    try door.undo(first, of: period)
    #expect(door.knowledge[period].total() == 0)
  }

  @Test(arguments: [1, 9]) mutating func `asks no more for forged resets that build on each other`(_ size: Int) throws {
    var station = station()
    try station.count(4, in: period, as: 1)
    let (one, other) = (Entry(writer: .random(using: &ids), number: 1), Entry(writer: .random(using: &ids), number: 1))
    let seen = station.knowledge[period].registers
    let messages = [(one, other), (other, one)].map { entry, base in
      Message(period, Replica(resets: [entry: Reset(on: base, size: size, seen: seen)]))
    }
    // Rows of the first one may be missing.
    #expect(try messages.map { try station.learn($0).wanted } == [[other], size == 1 ? [] : [one]])
    #expect(try messages.map { try station.learn($0).wanted } == [[], []])
    #expect(station.knowledge[period].total() == 4)
    try station.reset(period, as: 2)
    #expect(station.knowledge[period].total() == 0)
  }

  @Test mutating func `keeps what a reset had not seen`() throws {
    var (door, desk) = (station(), station())
    try door.count(5, in: period, as: 1)
    for message in door.announcement(of: period) { _ = try desk.learn(message) }
    try desk.count(2, in: period, as: 1)
    let reset = try desk.reset(period, as: 2)
    try door.count(7, in: period, as: 2)
    #expect(door.own(in: period) == 12)
    for message in desk.announcement(of: period) { _ = try door.learn(message) }
    #expect(door.own(in: period) == 7)
    #expect(door.knowledge[period].total() == 7)
    #expect(throws: ActError.notOwnReset) { try door.undo(reset, of: self.period) }
    try desk.undo(reset, of: period)
    for message in desk.announcement(of: period) { _ = try door.learn(message) }
    #expect(door.knowledge[period].total() == 14)
    try desk.count(1, in: period, as: 3)
    #expect(throws: ActError.notOwnReset) { try door.redo(reset, of: self.period, as: 3) }
    try desk.redo(reset, of: period, as: 4)
    #expect(desk.knowledge[period].total() == 1)
  }

  @Test mutating func `announces undos of its own resets only, and passes those of others on in its summary`() throws {
    var (door, desk) = (station(), station())
    try door.count(5, in: period, as: 1)
    let reset = try desk.reset(period, as: 1)
    try desk.undo(reset, of: period)
    #expect(desk.announcement(of: period).contains { $0.content.undone == [reset] })
    for message in desk.announcement(of: period) { _ = try door.learn(message) }
    #expect(door.announcement(of: period).allSatisfy { $0.content.undone.isEmpty })
    #expect(door.summary(of: period).contains { $0.content.undone == [reset] })
  }

  @Test mutating func `refuses acts without changing anything`() throws {
    var station = station()
    try station.count(.max, in: period, as: 5)
    let before = station
    #expect(throws: ActError.outOfRange) { try station.count(.min, in: self.period, as: 6) }
    #expect(throws: ActError.numberInUse) { try station.count(1, in: self.period, as: 5) }
    #expect(throws: ActError.numberInUse) { try station.reset(self.period, as: 5) }
    // The sum of the writer is full; a new writer has room.
    #expect(throws: ActError.needsWriter) { try station.count(1, in: self.period, as: 6) }
    #expect(station == before)
    station.begin(.random(using: &ids))
    try station.count(1, in: period, as: 1)
    #expect(station.own(in: period) == Int128(Int64.max) + 1)
  }

  @Test mutating func `learns no more rows and counters than the bounds`() throws {
    var station = station()
    let writer = WriterID.random(using: &ids)
    let crowd = Set((1...ReplicaStore.maximumRows).map { Entry(writer: writer, number: Int64($0)) })
    let message = Message(period, Replica(undone: crowd))
    _ = try station.learn(message, isCounted: true)
    let repeated = try station.learn(message)
    #expect(!repeated.isNew)
    let one = Replica(undone: [Entry(writer: .random(using: &ids), number: 1)])
    let before = station
    // Another period has no room of its own.
    for start in [nil, Int64(0)] {
      #expect(throws: MessageError.tooManyRows) {
        try station.learn(Message(CounterPeriod(self.period.counter, start: start), one), isCounted: true)
      }
    }
    #expect(station == before)
    station = self.station()
    try station.count(1, in: period, as: 1)
    for _ in 1..<ReplicaStore.maximumCounters {
      _ = try station.learn(Message(CounterPeriod(.random(using: &ids)), one))
    }
    #expect(throws: MessageError.tooManyCounters) {
      try station.learn(Message(CounterPeriod(.random(using: &self.ids)), one))
    }
  }

  @Test mutating func `has room for others whatever one sender invents, and for a reset of all`() throws {
    var stations = (0..<2).map { _ in Station(knowledge: ReplicaStore(mostRows: 320)) }
    let zero = try #require(Register(received: 1, added: 0, subtracted: 0, counts: 1))
    for _ in 0..<400 {
      let forged = Message(period, Replica(registers: [.random(using: &ids): zero]))
      for place in 0..<2 { _ = try? stations[place].learn(forged, from: .own("evil"), isCounted: true) }
    }
    // The first quarter, and a part of the rest.
    #expect(stations.map { $0.knowledge[period].registers.count } == [90, 90])
    func exchange() throws {
      for (place, other) in [(0, 1), (1, 0)] {
        for message in stations[place].announcement(of: period) {
          _ = try stations[other].learn(message, from: .own("door\(place)"), isCounted: true)
        }
      }
    }
    for place in 0..<2 {
      stations[place].begin(.random(using: &ids))
      try stations[place].count(Int64(10 + place), in: period, as: 1)
    }
    try exchange()
    #expect(stations.map { $0.knowledge[period].total() } == [21, 21])
    try stations[0].reset(period, as: 2)
    try exchange()
    #expect(stations.map { $0.knowledge[period].total() } == [0, 0])
    try stations[1].count(3, in: period, as: 2)
    try exchange()
    #expect(stations.map { $0.knowledge[period].total() } == [3, 3])
  }

  @Test mutating func `does not charge a station for the rows of others that it passes on`() throws {
    var desk = Station(knowledge: ReplicaStore(mostRows: 600))
    let zero = try #require(Register(received: 1, added: 0, subtracted: 0, counts: 1))
    let writers = (0..<20).map { _ in WriterID.random(using: &ids) }
    let rows = (1...Int64(16)).flatMap { number in writers.map { Entry(writer: $0, number: number) } }
    // Half of all, in any periods.
    for (place, row) in rows.enumerated() {
      let message = Message(CounterPeriod(period.counter, start: Int64(place % 3)), Replica(undone: [row]))
      if place < 300 {
        _ = try desk.learn(message, from: .relayed, isCounted: true)
      } else {
        #expect(throws: MessageError.tooManyRelayedRows) {
          try desk.learn(message, from: .relayed, isCounted: true)
        }
      }
    }
    for _ in 0..<18 {
      let own = Message(period, Replica(registers: [.random(using: &ids): zero]))
      #expect(try desk.learn(own, from: .own("door1"), isCounted: true).isNew)
    }
  }

  @Test mutating func `frees the share of a sender with the period of its rows`() throws {
    var desk = Station(knowledge: ReplicaStore(mostRows: 320))
    func learn(_ count: Int, _ sender: RowSender, _ start: Int64) throws {
      let rows = Set((0..<count).map { Entry(writer: .random(using: &ids), number: Int64($0) + 1) })
      let period = CounterPeriod(self.period.counter, start: start)
      _ = try desk.learn(Message(period, Replica(undone: rows)), from: sender, isCounted: true)
    }
    try learn(80, .relayed, 0)
    for start in [1, 2, 1] as [Int64] {
      try learn(9, .own("door1"), start)
      try learn(1, .own("door1"), start)
      #expect(throws: MessageError.tooManyRowsOfSender) { try learn(1, .own("door1"), start) }
      desk.drop([CounterPeriod(period.counter, start: start)])
    }
  }

  @Test mutating func `keeps nothing of questions about counters that nobody knows`() throws {
    var station = station()
    try station.count(1, in: period, as: 1)
    let before = station
    let entry = Entry(writer: .random(using: &ids), number: 1)
    for _ in 0...ReplicaStore.maximumCounters {
      let counter = CounterPeriod(.random(using: &ids), start: 0)
      #expect(try !station.learn(Message(counter, asked: [entry])).isNew)
      let learned = try station.learn(Message(counter, held: [entry: 1]))
      #expect(learned.wanted == [entry])
      #expect(try station.learn(Message(counter)) == Station.Learned())
    }
    #expect(station.knowledge.periods.count == 1)
    let isSame = station == before
    #expect(isSame)
    #expect(try station.learn(Message(CounterPeriod(.random(using: &ids)), Replica(undone: [entry]))).isNew)
  }

  @Test mutating func `counts all rows, also the registers that only a reset has seen`() throws {
    var station = station()
    let register = try #require(Register(received: 1, added: 1, subtracted: 0, counts: 1))
    func crowd(_ count: Int) -> [WriterID: Register] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { _ in (.random(using: &ids), register) })
    }
    // A reset, what it has seen, and as many registers.
    let seen = crowd(ReplicaStore.maximumRows / 2)
    let reset = Replica(resets: [Entry(writer: .random(using: &ids), number: 1): Reset(seen: seen)])
    #expect(throws: MessageError.tooManyRows) { try station.learn(Message(self.period, reset)) }
    #expect(station.knowledge.periods.isEmpty)
  }

  @Test mutating func `learns counters that are counted here, however many are invented`() throws {
    var station = station()
    let one = Replica(undone: [Entry(writer: .random(using: &ids), number: 1)])
    let writer = WriterID.random(using: &ids)
    for counter in 0..<ReplicaStore.maximumCounters {
      let crowd = Set((1...256).map { Entry(writer: writer, number: Int64(counter * 256 + $0)) })
      _ = try? station.learn(Message(CounterPeriod(.random(using: &ids)), Replica(undone: crowd)))
    }
    let rows = station.knowledge.periods.reduce(0) { $0 + station.knowledge[$1].undone.count }
    #expect(rows <= ReplicaStore.maximumRowsInAll / 2)
    #expect(throws: MessageError.self) { try station.learn(Message(CounterPeriod(.random(using: &self.ids)), one)) }
    #expect(try station.learn(Message(period, one), isCounted: true).isNew)
  }

  @Test func `lets a command act once`() {
    var commands = RecentCommands()
    func acts(_ id: String) -> Bool { commands.admit(id) }
    #expect(!acts(""))
    #expect(!acts(String(repeating: "x", count: 129)))
    for isFirst in [true, false] {
      for id in 0..<RecentCommands.capacity { #expect(acts("\(id)") == isFirst) }
    }
    #expect(acts("new"))
    #expect(!acts("1"))
    #expect(acts("0"))
    #expect(acts("1"))
    #expect(!acts("new"))
  }
}
