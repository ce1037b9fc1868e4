import CoreAPI
import Counting
import Linux
import TestKit
import Testing

@testable import CoreService
@testable import Fleet
@testable import Journal

@Suite struct `The history of a fleet` {
  /// A quarter hour of yesterday.
  private let day = (Clock.microsecondsSince1970() / 86_400_000_000 - 1) * 86_400_000_000
  private let quarter: Int64 = 900_000_000
  private let minute: Int64 = 60_000_000

  private func station(_ name: String) throws -> FleetTestStation {
    try `Cores in a fleet`.station(name)
  }

  /// Two stations that share the counter “people”.
  private func pair() throws -> (FleetTestStation, FleetTestStation) {
    let (first, second) = (try station("door1"), try station("door2"))
    try create(first)
    _ = try first.fleet.share("people")
    exchange(first, second)
    try adopt(second)
    return (first, second)
  }

  private func create(_ station: FleetTestStation, decimals: Int64 = 0) throws {
    _ = try station.perform(.change(.create(name: "people", decimals: decimals, isStopwatch: false, [:])))
  }

  private func adopt(_ station: FleetTestStation, bringing isBrought: Bool? = nil) throws {
    try station.adopt(bringing: isBrought, isAdministrators: true)
    station.commit()
  }

  private func add(_ amount: Int64, at station: FleetTestStation, _ time: Int64) throws {
    _ = try station.perform(.change(.add(.named("people"), amount: .units(amount))), time: time)
  }

  /// The sums of some quarter hours from the beginning of the day.
  private func sums(_ station: FleetTestStation, isOwn: Bool = false) throws -> [Int64] {
    station.commit()
    return try station.totals(between: (0...4).map { day + $0 * quarter }, isOwn: isOwn).map(\.net)
  }

  @Test func `gives a counter the same rate at every station, also after a reset`() throws {
    let (first, second) = (try station("door1"), try station("door2"))
    let (now, hour) = (Clock.microsecondsSince1970(), 3_600_000_000 as Int64)
    try create(first)
    _ = try first.fleet.share("people")
    exchange(first, second)
    try second.adopt(at: now, isAdministrators: true)
    second.commit()
    for station in [first, second] {
      _ = try station.perform(.change(.createFormula(name: "pace", [.formula: .text("rate(people)")])))
    }
    func rates(_ time: Int64) throws -> [String?] {
      try [first, second].map { station in
        station.commit()
        let core = try #require(station.core)
        let formula = try #require(core.ledger.formula(named: "pace"))
        let beginning = try core.store.reader.beginning(of: try #require(station.counter()), at: time, in: core.ledger)
        let counter = try #require(station.counter())
        let past = FormulaEvaluator.Past(
          values: [counter.id: counter.value], beginnings: [counter.id: try #require(beginning)])
        let (one, other) = (
          FormulaEvaluator(core.ledger, at: time).value(of: formula),
          FormulaEvaluator(core.ledger, at: time, past: past).value(of: formula)
        )
        #expect(one == other)
        return one?.text(decimals: 0)
      }
    }
    try add(60, at: first, now - 4 * hour)
    exchange(first, second)
    #expect(try rates(now) == ["15", "15"])
    let reset = Clock.microsecondsSince1970()
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)), time: reset)
    exchange(first, second)
    try add(8, at: second, reset)
    exchange(first, second)
    #expect(try rates(reset + 2 * hour) == ["4", "4"])
  }

  private func exchange(_ stations: FleetTestStation...) {
    for one in stations {
      for other in stations where other !== one { one.learnAll(from: other) }
    }
  }

  @Test func `each station has the sums of all, and can tell its own`() throws {
    let (first, second) = (try station("door1"), try station("door2"))
    try create(first)
    try add(1, at: first, day)
    _ = try first.fleet.share("people")
    exchange(first, second)
    try adopt(second)
    try add(2, at: second, day + 10 * minute)
    try add(4, at: first, day + 20 * minute)
    try add(8, at: second, day + 50 * minute)
    try add(16, at: second, day + 50 * minute)
    _ = try second.perform(.undo("people"))
    exchange(first, second)
    for station in [first, second] { #expect(try sums(station) == [3, 4, 0, 8]) }
    #expect(try sums(first, isOwn: true) == [1, 4, 0, 0])
    #expect(try sums(second, isOwn: true) == [2, 0, 0, 8])
    let core = try #require(first.core)
    try core.store.flush(core.ledger.head)
    let found = try core.store.reader.statistics(
      of: nil, from: day, until: day + 4 * quarter, now: .init(time: 0, boot: nil))
    #expect(found.totals == Totals(counts: 4, added: 15))
    #expect((found.first, found.last) == (day, day + 50 * minute))
    #expect(found.gap == day + 20 * minute...day + 50 * minute)
    // Own counts go by their times, those of others by the quarter hour.
    #expect(try second.totals(between: [day + 5 * minute, day + 30 * minute]).map(\.net) == [6])
    for station in [first, second] {
      try station.stopAndVerify()
    }
  }

  @Test func `the first and the last time are those of counts that are not undone`() throws {
    let (first, second) = try pair()
    for (amount, time) in [(1, 2), (2, 5), (4, 9)] as [(Int64, Int64)] {
      try add(amount, at: second, day + time * minute)
    }
    func times(_ station: FleetTestStation) throws -> [Int64?] {
      let core = try #require(station.core)
      try core.store.flush(core.ledger.head)
      let found = try core.store.reader.statistics(
        of: nil, from: day, until: day + quarter, now: .init(time: 0, boot: nil))
      return [found.first, found.last].map { $0.map { ($0 - day) / minute } }
    }
    exchange(first, second)
    #expect(try times(first) == [2, 9])
    _ = try second.perform(.undo("people"))
    exchange(first, second)
    #expect(try [times(first), times(second)] == [[2, 5], [2, 5]])
    _ = try second.perform(.redo("people"))
    exchange(first, second)
    #expect(try [times(first), times(second)] == [[2, 9], [2, 9]])
    for _ in 0..<3 { _ = try second.perform(.undo("people")) }
    exchange(first, second)
    #expect(try [times(first), times(second)] == [[nil, nil], [nil, nil]])
    for station in [first, second] { try station.stopAndVerify() }
  }

  @Test func `the history of a writer whose counts come after the comparison of a connection is asked for`() throws {
    let (first, second, third) = (try station("door1"), try station("door2"), try station("door3"))
    try create(first)
    _ = try first.fleet.share("people")
    exchange(first, second, third)
    try adopt(second)
    try adopt(third)
    try add(1, at: first, day)
    // The first station hears that the second one has its history, and does not say it with its counts any more.
    for _ in 0..<2 { exchange(first, second) }
    let last = first.everything().filter { $0.topic.contains("/reg/") && !$0.payload.isEmpty }
    first.kill()
    // The third station knows nothing of the first one when it compares.
    second.learn(third.everything(), from: third)
    #expect(third.hear(last).isEmpty)
    second.learn(third.news(), from: third)
    third.learn(second.news(), from: second)
    #expect(third.counter()?.value == 1)
    #expect(try sums(third) == [1, 0, 0, 0])
  }

  @Test func `a count that is brought has its history with it, and one that is dropped has not`() throws {
    for (brings, sums) in [(true, [5, 2, 0, 0]), (false, [1, 0, 0, 0])] as [(Bool, [Int64])] {
      let (first, second) = (try station("door1"), try station("door2"))
      try create(first)
      try add(1, at: first, day)
      _ = try first.fleet.share("people")
      try create(second)
      try add(4, at: second, day + minute)
      try add(2, at: second, day + 20 * minute)
      // The count is 0, and its history is not.
      _ = try second.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
      exchange(first, second)
      try adopt(second, bringing: brings)
      exchange(first, second)
      for station in [first, second] { #expect(try self.sums(station) == sums) }
      #expect(try self.sums(second, isOwn: true) == [4, 2, 0, 0])
    }
  }

  @Test func `a counter in the place of a removed one brings its own history only`() throws {
    let (first, second) = (try station("door1"), try station("door2"))
    try create(first)
    try add(16, at: first, day)
    _ = try first.fleet.share("people")
    exchange(first, second)
    try adopt(second)
    try add(1, at: second, day)
    exchange(first, second)
    _ = try second.perform(.change(.remove(.named("people"))))
    try create(second)
    try add(2, at: second, day)
    try add(4, at: second, day + quarter)
    // As the same writer as before.
    try adopt(second, bringing: true)
    exchange(first, second)
    for station in [first, second] {
      #expect(try sums(station) == [19, 4, 0, 0])
      #expect(station.counter()?.value == 23)
    }
    #expect(try sums(second, isOwn: true) == [2, 4, 0, 0])
    for station in [first, second] {
      try station.stopAndVerify()
    }
  }

  @Test func `who leaves keeps the sums, and brings them where it shares again`() throws {
    let (first, second) = try pair()
    try add(2, at: second, day)
    try add(4, at: first, day)
    exchange(first, second)
    try first.leave()
    try add(1, at: first, day + quarter)
    #expect(try sums(first) == [6, 1, 0, 0])
    try first.fleet.join(broker: "mqtt://localhost", fleet: "other", station: "door1")
    _ = try first.fleet.share("people")
    #expect(try sums(first) == [6, 1, 0, 0])
    let third = try station("door3")
    exchange(first, third)
    try adopt(third)
    exchange(first, third)
    #expect(try sums(third) == [6, 1, 0, 0])
  }

  @Test func `a register that a broker has kept tells when its counts were made`() throws {
    let (first, second) = try pair()
    for index in 0..<4 { try add(1, at: first, day + Int64(index) * quarter) }
    first.commit()
    _ = second.hear(first.fleet.everything().filter { $0.topic.contains("/reg/") })
    #expect(try sums(second) == [1, 1, 1, 1])
  }

  @Test func `a long history comes in pages`() throws {
    let (first, second) = (try station("door1"), try station("door2"))
    try create(first)
    let count = HistoryMessage.rows * 9 + 7
    let start = day - Int64(count) * quarter
    for index in 0..<count { try add(Int64(index % 7 + 1), at: first, start + Int64(index) * quarter) }
    _ = try first.fleet.share("people")
    exchange(first, second)
    try adopt(second)
    second.learnAll(from: first)
    second.commit()
    let bounds = [start, day]
    #expect(try second.totals(between: bounds) == first.totals(between: bounds))
    #expect(try second.totals(between: bounds).map(\.counts) == [Int64(count)])
  }

  @Test func `copies of a station under one name tell each other their sums`() throws {
    let first = try station("door1")
    try create(first)
    _ = try first.fleet.share("people")
    let copy = try FleetTestStation(copyOf: try first.image(), boot: "copy")
    for station in [first, copy] {
      try add(station === first ? 1 : 2, at: station, day)
      // The registers of the writer before have no quarter hours with them.
      try newWriter(station)
      try add(4, at: station, day + quarter)
    }
    exchange(first, copy)
    for station in [first, copy] { #expect(try sums(station) == [3, 8, 0, 0]) }
  }

  @Test func `a station that hears its own messages learns, asks and withholds nothing`() throws {
    let (first, second) = try pair()
    try add(1, at: first, day)
    let all = first.everything()
    try add(2, at: first, day + quarter)
    first.commit()
    #expect(first.hear(all).isEmpty)
    #expect(first.hear(first.everything()).isEmpty)
    #expect(try sums(first) == [1, 2, 0, 0])
    // Nobody else has reported these quarter hours, so that the register tells them again.
    _ = second.hear(first.everything().filter { $0.topic.contains("/reg/") })
    #expect(try sums(second) == [1, 2, 0, 0])
  }

  private func newWriter(_ station: FleetTestStation) throws {
    station.commit()
    try station.reboot()
  }

  @Test func `who adopts a counter asks for its history`() throws {
    let (first, second) = (try station("door1"), try station("door2"))
    try create(first)
    try add(1, at: first, day)
    _ = try first.fleet.share("people")
    try newWriter(first)
    try add(2, at: first, day + quarter)
    exchange(first, second)
    _ = first.news()
    try adopt(second)
    #expect(try sums(second) == [0, 0, 0, 0])
    // The first says more than the second, which asks.
    first.learn(second.news(), from: second)
    second.learn(first.news(), from: first)
    #expect(try sums(second) == [1, 2, 0, 0])
    // Nothing is left to say.
    first.learn(second.news(), from: second)
    #expect(first.news().isEmpty)
  }

  @Test func `who adopts a counter asks for its history also if a connection comes first`() throws {
    let (first, second) = (try station("door1"), try station("door2"))
    try create(first)
    try add(3, at: first, day)
    _ = try first.fleet.share("people")
    exchange(first, second)
    _ = first.news()
    try adopt(second)
    // The counts come without their quarter hours.
    _ = second.hear(first.everything().filter { $0.topic.contains("/reg/") && !$0.payload.contains("quarters") })
    first.learn(second.everything(), from: second)
    second.learn(first.news(), from: first)
    #expect(try sums(second) == [3, 0, 0, 0])
  }

  @Test func `an answer has the sums of many writers, however many calls of the core that takes`() throws {
    let (first, second) = try pair()
    for _ in 0..<4 {
      try add(1, at: first, day)
      try newWriter(first)
    }
    second.learnAll(from: first)
    #expect(try sums(second) == [4, 0, 0, 0])
    // More than one call returns: one writer's sums come in parts, and those of another with the next call.
    for writer in 0..<4 {
      for index in 0..<300 { try add(1, at: first, day - Int64(index + writer) * quarter) }
      try newWriter(first)
    }
    func sum() throws -> [Int64] {
      second.commit()
      return try second.totals(between: [day - 400 * quarter, day + quarter]).map(\.net)
    }
    _ = first.news()
    second.learnAll(from: first)
    #expect(try sum() == [1204])
  }

  @Test func `a page begins where the index has its place`() throws {
    let first = try station("door1")
    let statement = try #require(first.core).store.fleetTables.database.prepare(
      "EXPLAIN QUERY PLAN \(FleetTables.page)")
    let plan = try statement.rows { row throws(StoreError) in row.text(3) }
    #expect(plan.contains { $0.contains("(entry,number)>(?,?)") }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func `a writer whose history has no room here is asked for once`() throws {
    let (first, second) = try pair()
    try add(1, at: first, day)
    try #require(second.core).store.fleetTables.registerCount = FleetTables.maximumRegisters
    let digests = first.everything().filter { $0.payload.contains("\"history\"") }
    #expect(!digests.isEmpty)
    #expect(second.hear(digests).count { $0.payload.contains("\"wanted\"") } == 1)
    second.learn(digests, from: first)
    second.commit()
    #expect(second.hear(digests).isEmpty)
    #expect(second.news().isEmpty)
    #expect(try sums(second) == [0, 0, 0, 0])
    // It may have room when it comes back.
    let tables = try #require(second.core).store.fleetTables
    #expect(tables.refused.count == 1)
    try second.leave()
    #expect(tables.refused.isEmpty)
  }
}
