import TestKit
import Testing

@testable import Fleet

struct `The periods of a counter` {
  var ids = SeededRandom(seed: 1)
  let counter = World.counters[1]
  static let hour: Int64 = 3_600_000_000

  mutating func station(knowledge: ReplicaStore = ReplicaStore()) -> Station {
    var station = Station(knowledge: knowledge)
    station.begin(.random(using: &ids))
    return station
  }

  private func period(_ hour: Int64) -> CounterPeriod { CounterPeriod(counter, start: hour * Self.hour) }
  private func room(_ hour: Int64) -> PeriodRetention { PeriodRetention(present: hour * Self.hour) }

  @Test mutating func `leave room for years of an hourly counter at 20 doors`() throws {
    // Fewer than all these hours have.
    var station = station(knowledge: ReplicaStore(mostRows: 7_000))
    let register = try #require(Register(received: 1, added: 1, subtracted: 0, counts: 1))
    let hours = Int64(Rounds.times(500, atMost: 2 * 365 * 24))
    for hour in 0..<hours {
      let doors = (0..<20).map { _ in (WriterID.random(using: &ids), register) }
      let message = Message(period(hour), Replica(registers: .init(uniqueKeysWithValues: doors)))
      #expect(try station.learn(message, isCounted: true, in: room(hour)).isNew)
      if hour % 100 == 0 { #expect(station.knowledge[period(hour)].total() == 20) }
    }
    #expect(station.knowledge.periods.count == PeriodRetention.ended + 1)
    // The rows of those that were dropped are free.
    let crowd = Set((1...Int64(5_000)).map { Entry(writer: .random(using: &ids), number: $0) })
    let last = period(hours)
    #expect(try station.learn(Message(last, Replica(undone: crowd)), isCounted: true, in: room(hours)).isNew)
  }

  @Test mutating func `are not learned again when an old message is repeated`() throws {
    var (door, desk) = (station(), station())
    var old: [Message] = []
    for hour in 0...Int64(100) {
      try door.count(1, in: period(hour), as: hour + 1)
      let said = door.announcement(of: period(hour))
      if hour == 0 { old = said }
      for message in said { _ = try desk.learn(message, isCounted: true, in: room(hour)) }
    }
    let before = desk
    for message in old {
      #expect(try desk.learn(message, isCounted: true, in: room(100)) == Station.Learned())
    }
    #expect(desk == before)
    // Where the clock was set back to it, the message tells the truth.
    for message in old { _ = try desk.learn(message, isCounted: true, in: room(0)) }
    #expect(desk.knowledge[period(0)].total() == 1)
  }

  @Test mutating func `that are still to come push out neither the present one nor ended ones`() throws {
    var station = station()
    let one = Replica(undone: [Entry(writer: .random(using: &ids), number: 1)])
    for hour in 0...Int64(100) { _ = try station.learn(Message(period(hour), one), in: room(100)) }
    let known = Set(station.knowledge.periods)
    #expect(known.count == PeriodRetention.ended + 1)
    for hour in (Int64(101)...1_000).shuffled(using: &ids) {
      _ = try station.learn(Message(period(hour), one), in: room(100))
    }
    #expect(known.isSubset(of: station.knowledge.periods))
    #expect(station.knowledge.periods.count <= known.count + PeriodRetention.next + PeriodRetention.last)
    // Other clocks may be ahead, or the own one far behind.
    for hour in [101, 104, 1_000] { #expect(station.knowledge.periods.contains(period(Int64(hour)))) }
    let told = station.knowledge.periods(of: counter, in: room(100)).map { ($0.start ?? 0) / Self.hour }
    #expect(told.prefix(3) == [100, 99, 98])
    #expect(told.dropFirst(PeriodRetention.ended + 1).first == 101)
    let whole = CounterPeriod(counter)
    _ = try station.learn(Message(whole, one), in: PeriodRetention(present: nil))
    #expect(station.knowledge.periods(of: counter, in: PeriodRetention(present: nil)) == [whole])
    #expect(try !station.learn(Message(period(2_000), one), in: PeriodRetention(present: nil)).isNew)
  }

  @Test mutating func `that were dropped are counted in by a new writer alone`() throws {
    var station = station()
    try station.count(5, in: period(0), as: 1)
    let writer = station.writer
    for hour in 1...Int64(100) {
      let surplus = try #require(station.surplus(adding: period(hour), in: room(hour)))
      try station.count(1, in: period(hour), as: hour + 1)
      station.drop(surplus)
    }
    #expect(station.writer == writer)
    #expect(station.surplus(adding: period(0), in: room(100)) == nil)
    // The clock was set back: others may know the register that was dropped here.
    #expect(station.surplus(adding: period(0), in: room(0)) != nil)
    #expect(throws: ActError.needsWriter) { try station.count(1, in: self.period(0), as: 102) }
    station.begin(.random(using: &ids))
    try station.count(1, in: period(0), as: 102)
    #expect(station.knowledge[period(0)].total() == 1)
  }
}
