import CoreAPI
import Counting
import JSON
import TestKit
import Testing

@testable import Bridge
@testable import CoreService
@testable import Fleet
@testable import Journal

/// Any client with the right to share may call itself a bridge.
@Suite struct `A bridge that lies` {
  private typealias Lie = (inout Counters.StationMessage, _ counter: String, _ own: String) -> Void

  private static let writer = String(repeating: "a", count: 64)
  private static let row = Counters.FleetRegister(writer: writer, number: 5, added: 9, subtracted: 1, counts: 3)
  private static let entry = Counters.FleetEntry(writer: writer, number: 5)

  private static func register(_ change: (inout Counters.FleetRegister) -> Void) -> Counters.FleetRegister {
    var row = row
    change(&row)
    return row
  }

  private static func page(_ change: (inout Counters.FleetQuarters) -> Void) -> Counters.FleetQuarters {
    var page = Counters.FleetQuarters(
      writer: writer, number: 5, quarter: 9,
      quarters: [.init(quarter: 9, number: 5, counts: 1, added: 1, subtracted: 0)])
    change(&page)
    return page
  }

  /// Rows that no station can have.
  private static var wrongCounts: [(inout Counters.FleetCounts) -> Void] {
    [
      { $0.counter = "people" }, { $0.period = -1 }, { $0.registers = [row, row] },
      { $0.registers = [register { $0.writer = "A" + writer.dropFirst() }] },
      { $0.registers = [register { $0.added = -1 }] }, { $0.registers = [register { $0.counts = 6 }] },
      { $0.registers = [register { $0.counts = 0 }] },
      { $0.undone = [.init(writer: writer, number: 0)] }, { $0.undone = [.init(writer: "", number: 1)] },
      { $0.resets = [.init(entry: entry, size: -1)] }, { $0.resets = [.init(entry: entry, size: .max)] },
      { $0.resets = [.init(entry: entry, base: .init(writer: writer, number: 0), size: 0)] },
      { $0.resets = [.init(entry: entry, size: 1), .init(entry: entry, size: 1)] },
      { $0.resets = [.init(entry: entry, size: 1, registers: [register { $0.subtracted = -1 }])] },
      { $0.held = [.init(entry: .init(writer: "", number: 1), digest: 1)] },
      { ($0.asked, $0.of) = ([entry], "all") },
      { $0.quarters = page { $0.quarter = .max } }, { $0.quarters = page { $0.quarters += $0.quarters } },
      { $0.quarters = page { $0.quarters[0].number = 0 } }, { $0.quarters = page { $0.quarters[0].first = 1 } },
      {
        $0.quarters = page {
          $0.quarters = (0...100).map { .init(quarter: $0, number: 1, counts: 1, added: 1, subtracted: 0) }
        }
      },
    ]
  }

  private static var lies: [Lie] {
    let counts = wrongCounts.map { change -> Lie in
      { message, counter, _ in
        var counts = Counters.FleetCounts(counter: counter, registers: [row])
        change(&counts)
        message.counts = counts
      }
    }
    let definitions: [(inout Counters.CounterDefinition) -> Void] = [
      { $0.counter = "x" }, { $0.name = "" }, { $0.decimals = 10 }, { $0.step = 0 }, { $0.period = "whenever" },
      // With another start than the counter has here.
      { $0.start = 1 },
    ]
    return counts
      + definitions.map { change in
        { message, counter, _ in
          var definition = Counters.CounterDefinition(counter: counter, name: "people", decimals: 0, step: 1, start: 0)
          change(&definition)
          message.definition = definition
        }
      } + [
        { message, _, _ in message.station = "all" }, { message, _, _ in message.station = "door9/reg" },
        { message, _, _ in message.topic = String(repeating: "x", count: 300) },
        { message, _, _ in message.id = "door9" }, { message, _, _ in message.removed = "reg" },
        { message, counter, _ in message.history = .init(counter: counter) },
        { message, counter, _ in
          message.history = .init(counter: counter, known: [.init(writer: "", number: 1, quarter: 1, sum: 1)])
        },
        { message, counter, _ in
          message.history = .init(counter: counter, wanted: [.init(writer: writer, number: 1, quarter: 1)])
        },
      ]
  }

  @Test func `is refused with a sentence for each message, and nothing of it is merged`() throws {
    let (first, _) = try `Cores in a fleet`.pair()
    _ = try first.perform(.change(.add(.named("people"), amount: .units(3))))
    first.commit()
    let counter = try #require(first.fleet.member.locals.keys.first).description
    let own = try #require(first.fleet.member.station.writer).description
    let before = first.fleet.member.station
    for (number, lie) in Self.lies.enumerated() {
      var message = Counters.StationMessage(station: "door9", topic: "door9/reg/a/\(counter)/\(number)")
      lie(&message, counter, own)
      let learned = first.fleet.learn([message])
      #expect(learned.problems.count == 1, "lie \(number)")
      #expect(learned.problems.allSatisfy { $0.text.count < 1_400 && !$0.text.contains("\n") }, "lie \(number)")
      #expect(learned.publications.isEmpty, "lie \(number)")
      #expect(first.fleet.peers.offers.all.allSatisfy { $0.id.description == counter }, "lie \(number)")
    }
    let isSame = first.fleet.member.station == before
    #expect(isSame && first.fleet.member.unsaved.isEmpty && first.fleet.removals.isEmpty)
    try first.stopAndVerify()
  }

  @Test func `shows no more than a few sentences, and adds to no total`() throws {
    let (first, _) = try `Cores in a fleet`.pair()
    let before = first.fleet.member.station
    let sentence = String(repeating: "x\n\u{1b}[2J", count: 10_000)
    first.fleet.hear(.init(isConnected: true, problems: Array(repeating: sentence, count: 1_000), isCopied: true))
    let shown = try #require(Counters.FleetReply(try first.fleet.state().parsed()).trouble).split(separator: "\n")
    #expect(shown.count == 40 && shown.allSatisfy { $0.count <= 1_008 && !$0.contains("\u{1b}") })
    #expect(shown.allSatisfy { $0.hasPrefix("Bridge: ") })
    // A message without content only shows that its station is there.
    let learned = first.fleet.learn([.init(station: "door9", topic: "door9/reg/a/b/0")])
    #expect(learned.problems.isEmpty && learned.publications.isEmpty)
    let isSame = first.fleet.member.station == before
    #expect(isSame && first.fleet.member.unsaved.isEmpty)
    try first.stopAndVerify()
  }

  @Test func `gets at most a report a second, and hears that there is more`() throws {
    let (first, _) = try `Cores in a fleet`.pair()
    let second: Int64 = 1_000_000_000
    let counter = try #require(first.fleet.member.locals.keys.first)
    var ids = SeededRandom(seed: 1)
    for part in 0..<15 {
      let rows = (0..<100).map { _ in "[\"\(WriterID.random(using: &ids))\",1,1,0,1]" }.joined(separator: ",")
      _ = first.hear([
        .init("door9/reg/a/\(counter)/\(part)", "{\"version\":1,\"counter\":\"\(counter)\",\"registers\":[\(rows)]}")
      ])
    }
    first.commit()
    #expect(first.fleet.bridge.turns.next(.max, of: first.fleet.member.station).values.joined().count >= 1_500)
    first.fleet.bridge.turns.begin(CounterPeriod(counter))
    // A report has 1,000 rows.
    first.fleet.sendReport(.init(), at: second)
    #expect(first.fleet.bridge.isReportOffered)
    for (time, isDone) in [(2 * second - 1, false), (2 * second, true)] {
      first.fleet.sendReport(.init(isAll: !isDone, hasSettings: true, hasDigests: true), at: time)
      #expect(first.fleet.bridge.turns.isEmpty == isDone && first.fleet.bridge.isReportOffered == !isDone)
    }
    try first.stopAndVerify()
  }

  @Test func `cannot make this station's writer count, and cannot end it without a new one`() throws {
    let (first, _) = try `Cores in a fleet`.pair()
    _ = try first.perform(.change(.add(.named("people"), amount: .units(3))))
    first.commit()
    let counter = try #require(first.fleet.member.locals.keys.first)
    let own = try #require(first.fleet.member.station.writer)
    let register = try #require(first.fleet.member.station.knowledge[CounterPeriod(counter)].registers[own])
    var message = Counters.StationMessage(station: "door1", topic: "door1/answer")
    message.counts = .init(
      counter: counter.description,
      registers: [
        .init(
          writer: own.description, number: register.number + 1, added: register.added, subtracted: 0,
          counts: register.counts + 1)
      ],
      quarters: .init(
        writer: own.description, number: 9, quarter: 9,
        quarters: [.init(quarter: 9, number: 9, counts: 9, added: 9, subtracted: 0)]))
    _ = first.fleet.learn([message])
    _ = try first.perform(.change(.add(.named("people"), amount: .units(4))))
    first.commit()
    #expect(first.counter()?.value == 7)
    let writer = try #require(first.fleet.member.station.writer)
    #expect(writer != own)
    try first.stopAndVerify()
  }

  @Test func `learns nothing of a fleet that this station is not in`() throws {
    let station = try FleetTestStation(boot: "b")
    var message = Counters.StationMessage(station: "door9", topic: "door9/station")
    message.id = String(repeating: "a", count: 32)
    let learned = station.fleet.learn([message])
    #expect(learned.publications.isEmpty && learned.problems.isEmpty && station.fleet.peers.stations.isEmpty)
    // Neither does it make a station connected, nor one without a fleet.
    station.fleet.hear(.init(isConnected: true, trouble: "Well."))
    #expect(try station.fleet.state().parsed().isEmpty)
    let parts = FleetService.ReportParts(isAll: true, hasSettings: true, hasDigests: true)
    station.fleet.sendReport(parts)
    #expect(station.fleet.report(parts).isEmpty)
  }

  @Test func `gets the rows of resets that are known, and no others`() throws {
    let (first, _) = try `Cores in a fleet`.pair()
    _ = try first.perform(.change(.add(.named("people"), amount: .units(3))))
    _ = try first.perform(.change(.reset(.one(.named("people")), isConfirmed: true)))
    first.commit()
    let period = CounterPeriod(try #require(first.fleet.member.locals.keys.first))
    let reset = try #require(first.fleet.member.station.knowledge[period].resets.values.first)
    func rows(_ reset: Reset?, from offset: Int64, _ limit: Int64 = 10) throws -> Counters.ResetRowsReply {
      .init(try FleetMethods.rows(of: reset, from: offset, limit).parsed())
    }
    #expect(try rows(reset, from: 0).registers.count == reset.seen.count)
    #expect(try rows(reset, from: 0, 1).isMore == (reset.seen.count > 1))
    for offset in [Int64(reset.seen.count), .max] {
      let reply = try rows(reset, from: offset)
      #expect(reply.registers.isEmpty && !reply.isMore && reply.size == Int64(reset.size))
    }
    #expect(try rows(nil, from: 0).object.isEmpty)
  }

  @Test func `gets the history of counters that are shared, and no other`() throws {
    let (first, second) = try `Cores in a fleet`.pair()
    _ = try first.perform(.change(.add(.named("people"), amount: .units(3))))
    first.commit()
    second.learnAll(from: first)
    second.commit()
    let counter = try #require(first.fleet.member.locals.keys.first).description
    let own = try #require(first.fleet.member.station.writer)
    let marks = [Counters.FleetMark(writer: own.description, number: 0, quarter: 0)]
    for station in [first, second] {
      #expect(station.fleet.quarters(after: marks, counter, most: 10).map(\.writer) == [own.description])
    }
    // Its own writer's history can be learned from nobody.
    #expect(first.fleet.digests(of: [own], counter).isEmpty)
    #expect(second.fleet.digests(of: [own], counter).map(\.writer) == [own.description])
    for wrong in [nil, "people", String(repeating: "0", count: 32)] as [String?] {
      #expect(first.fleet.quarters(after: marks, wrong, most: 10).isEmpty)
      #expect(second.fleet.digests(of: [own], wrong).isEmpty)
    }
    let lies = [
      Counters.FleetMark(writer: "", number: 0, quarter: 0), .init(writer: own.description, number: -1, quarter: 0),
      .init(writer: own.description, number: 0, quarter: .max),
    ]
    #expect(first.fleet.quarters(after: lies, counter, most: 10).isEmpty)
  }

  @Test func `passes messages on without a change`() throws {
    var random = SeededRandom(seed: 7)
    func writer() -> WriterID { .random(using: &random) }
    func entry() -> Entry { Entry(writer: writer(), number: .random(in: 1...Int64.max, using: &random)) }
    func register() -> Register {
      let number = Int64.random(in: 1...Int64.max, using: &random)
      return Register(
        received: number, added: .random(in: 0...Int64.max, using: &random), subtracted: 0,
        counts: .random(in: 1...number, using: &random)) ?? .empty
    }
    func rows() -> [WriterID: Register] {
      Dictionary(uniqueKeysWithValues: (0..<Int.random(in: 0...3, using: &random)).map { _ in (writer(), register()) })
    }
    for _ in 0..<200 {
      let counter = CounterID.random(using: &random)
      let page = HistoryMessage.Page(
        writer(), until: .init(number: 9, quarter: 8), [8: .init(number: 9, counts: 1, added: 2, first: 3, last: 4)],
        hasMore: .random(using: &random))
      let reset = Reset(on: Bool.random(using: &random) ? entry() : nil, size: 7, seen: rows())
      let message = Message(
        CounterPeriod(counter, start: Bool.random(using: &random) ? 1_764_000_000_000_000 : nil),
        Replica(registers: rows(), resets: [entry(): reset], undone: [entry()]), held: [entry(): -5],
        asked: [entry()], of: "door1", page: Bool.random(using: &random) ? page : nil)
      #expect(try Counters.FleetCounts(message).message() == message)
      let marks = [writer(): HistoryMark(number: 1, quarter: 2), writer(): .none]
      for content: HistoryMessage.Content in [
        .known(marks.mapValues { HistoryDigest(mark: $0, sum: -3) }), .known([:]), .wanted(marks, of: "door1"),
        .page(page),
      ] {
        let message = HistoryMessage(counter, content)
        #expect(try Counters.FleetHistory(message).message() == message)
      }
    }
  }
}
