import CoreAPI
import Counting
import Foundation
import JSON
import Linux
import Synchronization
import TestKit
import Testing
import Varlink

@testable import CoreService
@testable import Journal

@Suite struct `The link of a bridge` {
  /// The replies of a link, read by a thread of its own until the station has left.
  private final class Reader: Sendable {
    private let replies = Mutex<[Counters.LinkFleetReply]>([])
    private let isOver = DispatchSemaphore(value: 0)

    init(_ socket: String) {
      Thread { [self] in
        let link = try? Client(path: socket)
        try? link?.stream(.linkFleet) { (reply: Counters.LinkFleetReply) in
          replies.withLock { $0.append(reply) }
          return !reply.isLeft
        }
        isOver.signal()
      }.start()
    }

    var publications: [Counters.Publication] { replies.withLock { $0.flatMap(\.publications) } }

    func wait(_ what: String, _ condition: ([Counters.LinkFleetReply]) -> Bool) throws {
      try Wait.until(what) { replies.withLock { condition($0) } }
    }

    /// Waits until the station has left; returns all replies.
    func end() -> [Counters.LinkFleetReply] {
      isOver.wait()
      return replies.withLock { $0 }
    }
  }

  @Test func `a core says once that it has something to report, and sends the report on request`() throws {
    let core = try TestCore(.init(reportInterval: 0))
    let client = try core.client()
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    try client.change("Create", ["name": "people"])
    try client.change("ShareCounter", ["counter": "people"])
    func offers(_ replies: [Counters.LinkFleetReply]) -> Int { replies.count(where: \.isReportable) }
    func reports(_ replies: [Counters.LinkFleetReply]) -> Int {
      replies.flatMap(\.publications).count { $0.topic == "door1/knows" }
    }
    let reader = Reader(core.socket)
    func ask() throws { try client.call("SendReport", ["all": false, "settings": false, "digests": false]) }
    for number in 1...2 {
      for _ in 0..<3 { try client.change("Add", ["counter": "people"]) }
      try reader.wait("an offer") { offers($0) == number }
      try ask()
      try reader.wait("a report") { reports($0) == number }
    }
    try ask()
    try reader.wait("a report without news") { reports($0) == 3 }
    try client.call("LeaveFleet")
    #expect(offers(reader.end()) == 2)
    // Outside of a fleet there is nothing to report.
    try ask()
    core.stop()
  }

  @Test func `a bridge gets the settings and all messages, then what is new, and learns for the core`() throws {
    let core = try TestCore()
    let client = try core.client()
    #expect(try client.call("Fleet").isEmpty)
    let bridge = Reader(core.socket)
    #expect(throws: VarlinkError.self) {
      try client.call("JoinFleet", ["broker": "http://x", "fleet": "venue", "station": "door1"])
    }
    try client.call("JoinFleet", ["broker": "mqtt://u:secret@host", "fleet": "venue", "station": "door1"])
    try bridge.wait("settings") { $0.first?.fleet == "venue" && $0.first?.broker == "mqtt://u:secret@host" }
    #expect(try client.call("Fleet")["broker"]?.string == "mqtt://u@host")
    try client.change("Create", ["name": "people"])
    try client.change("Add", ["amount": 2])
    let id = try #require(try client.call("ShareCounter", ["counter": "people"])["id"]?.string)
    func topics(_ replies: [Counters.LinkFleetReply]) -> [String] { replies.flatMap(\.publications).map(\.topic) }
    func registers() -> Int { bridge.publications.count { $0.topic.hasPrefix("door1/reg/") } }
    try bridge.wait("a definition") { topics($0).contains("door1/def/\(id)") }
    try bridge.wait("a register") { topics($0).contains { $0.hasPrefix("door1/reg/") && $0.contains("/\(id)/") } }
    let before = registers()
    // At most five messages a second, so that only a machine that needs 40 s for this sends as many as there are counts.
    for _ in 0..<200 { try client.change("Add", ["amount": 1]) }
    try bridge.wait("the last count") { replies in
      replies.flatMap(\.publications).contains { $0.payload.contains(",202,0,201]") && $0.isRetained }
    }
    #expect(registers() - before < 200)

    let writer = String(repeating: "a", count: 64)
    let register = Counters.FleetRegister(writer: writer, number: 5, added: 9, subtracted: 1, counts: 3)
    var messages = ["station", "reg/aaaaaaaaaaaaaaaa/\(id)/0", "answer"].map {
      Counters.StationMessage(station: "door2", topic: "door2/\($0)")
    }
    (messages[0].id, messages[0].product) = (id, "0.1.0")
    messages[1].counts = .init(counter: id, isOwn: true, registers: [register])
    messages[2].history = .init(counter: id)
    let learned = try client.call("LearnFleet", ["messages": messages.json])
    let problems = Counters.LearnFleetReply(learned).problems
    #expect(problems.map(\.topic) == ["door2/answer"] && problems.allSatisfy(\.isInvalid))
    let (offset, limit, reset): (JSON, JSON, JSON) = (0, 1, ["writer": .string(writer), "number": 1])
    let rows: JSONObject = ["counter": .string(id), "reset": reset, "offset": offset, "limit": limit]
    #expect(try client.call("ResetRows", rows).isEmpty)
    for (name, wrong) in [("offset", -1), ("limit", 0), ("limit", 1001)] as [(String, JSON)] {
      var parameters = rows
      parameters[name] = wrong
      #expect(throws: VarlinkError.self) { try client.call("ResetRows", parameters) }
    }
    let mark: JSON = ["writer": .string(writer), "number": 0, "quarter": 0]
    let limits: [(limit: Int64, marks: Int, isTaken: Bool)] = [
      (1, 1, true), (0, 1, false), (1001, 1, false), (1, 1001, false),
    ]
    for (limit, marks, isTaken) in limits {
      let question: JSONObject = [
        "counter": .string(id), "after": .array(Array(repeating: mark, count: marks)), "limit": .int(limit),
      ]
      let reply = try? client.call("QuarterRows", question)
      #expect(reply.map { $0["quarters"]?.array == [] } == (isTaken ? true : nil))
    }
    for (count, isTaken) in [(1, true), (1001, false)] {
      let writers = JSON.array(Array(repeating: .string(writer), count: count))
      let reply = try? client.call("HistoryDigests", ["counter": .string(id), "writers": writers])
      #expect((reply?["digests"]?.array?.count == 1) == isTaken)
    }
    let counter = Counters.Counter(try client.call("Get", ["counter": "people"])["counter"]?.object ?? [:])
    #expect((counter.value, counter.own, counter.isShared) == (210, 202, true))
    let fleet = Counters.FleetReply(try client.call("Fleet"))
    #expect(fleet.stations.map(\.name) == ["door1", "door2"])
    #expect(fleet.stations.map(\.contribution) == [202, 8])
    #expect(fleet.counters.map(\.unheard) == [201])
    try client.call("SendReport", ["all": true, "settings": false, "digests": true])
    try bridge.wait("a report of what is known") { topics($0).contains("door1/knows/\(id)") }

    let lines = "The broker is slow.\r\nTwo.\u{2028}" + String(repeating: "a\n", count: 20)
    let problem = "Two stations are called “door9”."
    // The bridge is about to connect, and would seem not to connect because of the problem.
    try client.call("ReportFleet", ["connected": false, "problems": [.string(problem)]])
    #expect(Counters.FleetReply(try client.call("Fleet")).trouble == nil)
    try client.call(
      "ReportFleet",
      ["connected": true, "trouble": .string(lines), "problems": [.string(problem)], "copied": true])
    let report = Counters.FleetReply(try client.call("Fleet"))
    #expect(report.isConnected)
    func marked(_ state: Counters.FleetReply) -> [String] {
      (state.trouble ?? "").split { $0.isNewline }.map(String.init).filter { $0.hasPrefix("Bridge: ") }
    }
    #expect(marked(report).prefix(3) == ["Bridge: The broker is slow.", "Bridge: Two.", "Bridge: a"])
    #expect(marked(report).count == 17 && marked(report).last == "Bridge: \(problem)")
    try client.call("ReportFleet", ["connected": true, "trouble": .string(String(repeating: "a", count: 10_000))])
    #expect(marked(Counters.FleetReply(try client.call("Fleet"))).map(\.count) == [508])
    // At most five messages a second: the last ones wait when the station leaves.
    for _ in 0..<5 { try client.change("Add", ["amount": 1]) }
    try client.call("LeaveFleet")
    let replies = bridge.end()
    let last = replies.dropLast().flatMap(\.publications).contains { $0.payload.contains(",207,0,206]") }
    #expect(last)
    #expect(replies.last?.isLeft == true)
    #expect(try client.value("people") == 215)
    core.stop()
    #expect(try JournalFile.verify(core.folder) == [])
  }

  @Test(arguments: [nil, 128 << 10])
  func `bridges that read nothing are ended, and the core goes on`(bufferedBytes: Int?) throws {
    let core = try TestCore(.init(mostUnread: 128 << 10), bufferedBytes: bufferedBytes)
    let client = try core.client()
    func join() throws {
      try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    }
    try join()
    try Self.share(20, client)
    let bridges = try (0..<3).map { _ in try Self.link(core) }
    try client.call("ReportFleet", ["connected": true])
    #expect(try client.call("Fleet")["connected"]?.bool == true)
    // Each time the bridges are sent everything.
    for _ in 0..<40 { try join() }
    #expect(try client.call("Fleet")["fleet"]?.string == "venue")
    #expect(try client.change("Add", ["counter": "counter-1", "amount": 1])["value"]?.int == 1)
    // What a bridge is sent ends by an error, or with the connection.
    for bridge in bridges { #expect(Self.endsWithoutWaiting(bridge)) }
    // Its report is over with the last link.
    #expect(try client.call("Fleet")["connected"]?.bool == false)
    core.stop()
  }

  @Test func `a report that waits for a bridge keeps no former settings`() throws {
    let core = try TestCore(.init(mostUnread: 128 << 10, longestReply: 4 << 10))
    let client = try core.client()
    func join() throws {
      try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    }
    try join()
    try Self.share(20, client)
    try client.change("Add", ["counter": "counter-1", "amount": 1])
    let bridge = try Self.link(core)
    // The first reply is there, and the offer of a report waits behind the others.
    var first: [UInt8] = [0]
    #expect(unsafe recv(bridge.number, &first, 1, Int32(MSG_PEEK)) == 1)
    // More than the kernel keeps, so that the bridge is too slow.
    for _ in 0..<400 { try join() }
    #expect(Self.endsWithoutWaiting(bridge))
    core.stop()
  }

  /// Reads until an error or the end of the connection; returns whether that came.
  private static func endsWithoutWaiting(_ socket: FileDescriptor) -> Bool {
    var patience = timeval(tv_sec: Int(Wait.seconds), tv_usec: 0)
    _ = unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let error = Data(#"{"error":"org.tallymark.Counters."#.utf8)
    var (piece, last) = ([UInt8](repeating: 0, count: 1 << 16), Data())
    while true {
      let count = unsafe recv(socket.number, &piece, piece.count, 0)
      // A closed connection may be reset.
      guard count > 0 else { return count == 0 || errno == ECONNRESET }
      last = last.suffix(error.count) + piece.prefix(count)
      if last.range(of: error) != nil { return true }
    }
  }

  @Test func `what is too much for a reply comes in several`() throws {
    let length = 4 << 10
    let core = try TestCore(.init(longestReply: length))
    let client = try core.client()
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    let topics = try Self.share(12, client)
    var replies = 0
    var heard: Set<String> = []
    try Client(path: core.socket).stream(.linkFleet) { (reply: Counters.LinkFleetReply) in
      replies += 1
      #expect((reply.fleet == "venue") == (replies == 1))
      #expect(reply.publications.reduce(0) { $0 + $1.payload.utf8.count } <= length)
      heard.formUnion(reply.publications.map(\.topic))
      return !heard.isSuperset(of: topics)
    }
    #expect(replies > 2)
    core.stop()
  }

  /// Shares counters whose definitions have 800 bytes; returns the topics of these.
  @discardableResult
  private static func share(_ count: Int, _ client: TestClient) throws -> Set<String> {
    let title = String(repeating: "🙂", count: 200)
    let topics = try (0..<count).map { number in
      let name = JSON.string("counter-\(number)")
      try client.change("Create", ["name": name, "title": .string(title)])
      let id = try #require(try client.call("ShareCounter", ["counter": name])["id"]?.string)
      return "door1/def/\(id)"
    }
    return Set(topics)
  }

  /// The connection of a bridge that has asked for everything, and reads nothing by itself.
  private static func link(_ core: TestCore) throws -> FileDescriptor {
    let bridge = try UnixSocket.connect(to: core.socket, blocking: true)
    let call = #"{"method":"org.tallymark.Counters.LinkFleet","more":true}"# + "\0"
    #expect(unsafe call.withCString { unsafe write(bridge.number, $0, call.utf8.count) } == call.utf8.count)
    return bridge
  }

  @Test func `the last counts of a station that leaves follow what its bridge has not read yet`() throws {
    let core = try TestCore(.init(longestReply: 4 << 10))
    let client = try core.client()
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    try Self.share(20, client)
    try client.change("Create", ["name": "people"])
    try client.call("ShareCounter", ["counter": "people"])
    let bridge = try Self.link(core)
    // The first reply is there. Each further time it is sent everything, so that more waits than the kernel keeps.
    var first: [UInt8] = [0]
    #expect(unsafe recv(bridge.number, &first, 1, Int32(MSG_PEEK)) == 1)
    for _ in 0..<100 {
      try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    }
    for _ in 0..<3 { try client.change("Add", ["counter": "people", "amount": 7]) }
    try client.call("LeaveFleet")
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door3"])
    var (text, piece) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
    let end = Data(#""station":"door3""#.utf8)
    while text.suffix(1 << 17).range(of: end) == nil {
      let count = unsafe recv(bridge.number, &piece, piece.count, 0)
      try #require(count > 0)
      text += piece.prefix(count)
    }
    let counts = try #require(text.range(of: Data(",21,0,".utf8)))
    let left = try #require(text.range(of: Data(#""left":true"#.utf8)))
    let joined = try #require(text.range(of: end, options: .backwards))
    #expect(counts.lowerBound < left.lowerBound && left.lowerBound < joined.lowerBound)
    core.stop()
  }
}
