import TestKit
import Testing

@testable import Fleet

struct `What a station knows` {
  /// Any knowledge, also of two writers with one ID.
  static func replica(_ random: inout SeededRandom) -> Replica {
    var ids = SeededRandom(seed: 1)
    let writers = (0..<4).map { _ in WriterID.random(using: &ids) }
    func registers() -> [WriterID: Register] {
      var registers: [WriterID: Register] = [:]
      for writer in writers where random.below(2) == 0 {
        let number = random.whole(Int64(1)...4)
        registers[writer] = Register(
          received: number, added: random.whole(0...3), subtracted: random.whole(0...3),
          counts: random.whole(1...number))
      }
      return registers
    }
    func entries() -> [Entry] {
      (0..<random.below(3)).map { _ in Entry(writer: writers[random.below(4)], number: random.whole(1...3)) }
    }
    let resets = entries().map { ($0, Reset(on: entries().first, size: random.below(4), seen: registers())) }
    var replica = Replica()
    replica.join(
      Replica(registers: registers(), resets: Dictionary(resets) { $1 }, undone: Set(entries())))
    return replica
  }

  @Test(.seeded) func `is the same in whatever order it came, and however often`() {
    var random = Seed.generator()
    for _ in 0..<Rounds.times(500) {
      let (one, other, third) = (Self.replica(&random), Self.replica(&random), Self.replica(&random))
      let joined = one.joined(other)
      #expect(joined == other.joined(one))
      #expect(joined.joined(third) == one.joined(other.joined(third)))
      #expect(joined.joined(one) == joined)
      #expect(joined.covers(one) && joined.covers(other))
      #expect(one.covers(other) == (joined == one))
      #expect(joined.joined(other).total() == joined.total())
      #expect(joined.isAsDefined && joined.joined(third).isAsDefined)
    }
  }

  @Test(.seeded) func `is whole again after it was split into messages`() throws {
    var random = Seed.generator()
    for _ in 0..<Rounds.times(100) {
      let period = CounterPeriod(World.counters[0], start: random.below(2) == 0 ? nil : random.whole(0...1_000))
      let replica = Self.replica(&random)
      var together = Replica()
      for message in Message(period, replica).split().reversed() {
        let read = try Message(parsing: Array(message.text.utf8))
        #expect(read == message)
        together.join(read.content)
      }
      #expect(together == replica)
    }
  }

  @Test func `has no effect of a reset until all its parts came`() throws {
    var ids = SeededRandom(seed: 2)
    let period = CounterPeriod(World.counters[0])
    var (resetter, other) = (Station(), Station())
    for _ in 0..<Message.rows + 10 {
      resetter.begin(.random(using: &ids))
      try resetter.count(1, in: period, as: 1)
    }
    for message in resetter.announcement(of: period) { _ = try other.learn(message) }
    #expect(other.knowledge[period].total() == Int128(Message.rows + 10))
    let reset = try resetter.reset(period, as: 2)
    let parts = resetter.announcement(of: period).filter { !$0.content.resets.isEmpty }
    #expect(parts.count == 2)
    for part in parts.dropLast() {
      _ = try other.learn(part)
      #expect(other.knowledge[period].total() == Int128(Message.rows + 10))
      #expect(!other.knowledge[period].isHeld(reset))
    }
    // The resetter is lost; the last part went to somebody else.
    var third = Station()
    _ = try third.learn(try #require(parts.last))
    #expect(third.knowledge[period].total() > 0)
    for message in third.summary(of: period) { _ = try other.learn(message) }
    #expect(other.knowledge[period].total() == 0)
    #expect(other.knowledge[period].isHeld(reset))
    #expect(try other.summary(of: period).map { try third.learn($0).wanted }.last == [reset])
    for part in other.replies(to: Message(period, asked: [reset]), .init()) { _ = try third.learn(part) }
    #expect(third.knowledge[period].isHeld(reset))
  }

  @Test func `of a reset alone has what the reset had seen`() throws {
    var ids = SeededRandom(seed: 4)
    let period = CounterPeriod(World.counters[0])
    var (resetter, other) = (Station(), Station())
    resetter.begin(.random(using: &ids))
    try resetter.count(4, in: period, as: 1)
    let reset = try resetter.reset(period, as: 2)
    let replica = Replica(resets: resetter.knowledge[period].resets)
    _ = try other.learn(Message(period, replica))
    #expect(other.knowledge[period].total() == 0)
    _ = try other.learn(Message(period, Replica(undone: [reset])))
    #expect(other.knowledge[period].total() == 4)
  }

  @Test func `sums in 128 bits`() throws {
    var ids = SeededRandom(seed: 3)
    let full = try #require(Register(received: 1, added: .max, subtracted: 0, counts: 1))
    let registers = (0..<3).map { _ in (WriterID.random(using: &ids), full) }
    let replica = Replica(registers: Dictionary(uniqueKeysWithValues: registers))
    #expect(replica.total() == 3 * Int128(Int64.max))
  }

  @Test func `names registers that one writer cannot have written both`() throws {
    func register(_ number: Int64, _ added: Int64, _ subtracted: Int64, _ counts: Int64) throws -> Register {
      try #require(Register(received: number, added: added, subtracted: subtracted, counts: counts))
    }
    let base = try register(5, 3, 2, 4)
    for good in [base, try register(6, 4, 2, 5), try register(6, 9, 2, 4), try register(4, 3, 0, 3)] {
      #expect(!base.contradicts(good) && !good.contradicts(base))
    }
    for bad in [
      try register(5, 3, 3, 4), try register(6, 2, 2, 5), try register(6, 3, 1, 5), try register(6, 3, 2, 3),
      try register(6, 3, 2, 6), try register(4, 4, 2, 4), try register(.max, 2, 2, .max),
    ] {
      #expect(base.contradicts(bad) && bad.contradicts(base))
    }
  }
}

extension Replica {
  fileprivate func joined(_ other: Replica) -> Replica {
    var joined = self
    joined.join(other)
    return joined
  }
}
