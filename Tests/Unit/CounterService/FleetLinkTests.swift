import CountersAPI
import Counting
import Foundation
import Platform
import TestKit
import Testing
import Varlink

@testable import CounterService
@testable import CounterStore

/// A core on a socket, whose proof lies in a folder of the test.
private final class LinkedCore: @unchecked Sendable {
  private let temporary = TemporaryFolder()
  private let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let wake = Pipe()
  private let bufferedBytes: Int?

  /// - Parameter bufferedBytes: the limit of the bytes that clients have not read; `nil` for no limit.
  init(bufferedBytes: Int? = nil) {
    self.bufferedBytes = bufferedBytes
    Thread { [self] in
      do { try serve() } catch { fatalError("\(error)") }
      ended.signal()
    }.start()
    started.wait()
  }

  var socket: String { temporary.path("socket") }
  var state: String { temporary.path("state") }

  func client() throws -> TestClient { TestClient(try Client(path: socket)) }

  func stop() {
    wake.fileHandleForWriting.write(Data([0]))
    ended.wait()
  }

  private func serve() throws {
    ServiceProcess.ignoreWriteSignals()
    let loop = try EventLoop()
    let core = try Core(
      store: try CounterStore(folder: state), loop: loop, surroundings: .init(runtime: temporary.path("run"), boot: "b")
    )
    let service = Service(vendor: "Tallymark", product: "test", version: "0", url: "")
    let rights = try LiveRights(option: try temporary.write("", to: "core.toml"))
    try CountersInterface(core: core, rights: rights, loop: loop).serve(on: service)
    var limits = Server.Limits.standard
    if let bufferedBytes { limits.bufferedBytes = bufferedBytes }
    let server = try Server(
      loop: loop, listener: try UnixSocket.listen(at: socket, mode: 0o600), service: service, limits: limits
    ) { [bufferedBytes] _ in bufferedBytes.map { _ in .init(connections: 100, calls: 1_000_000) } }
    let stopping = try loop.watch(number: wake.fileHandleForReading.fileDescriptor, for: .readable) { _ in loop.exit() }
    started.signal()
    _ = try loop.run()
    withExtendedLifetime((server, stopping)) {}
  }
}

@Suite struct `The link of a bridge` {
  /// Collects the replies of a link until one has left.
  private final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    init(_ value: Value) { self.value = value }
    func with<Result>(_ body: (inout Value) -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return body(&value)
    }
  }

  /// The replies of a link, read by a thread of its own until the station has left.
  private final class Reader: Sendable {
    private let replies = Mutex<[Counters.Linked]>([])
    private let isOver = DispatchSemaphore(value: 0)

    init(_ socket: String) {
      Thread { [self] in
        let link = try? CountersClient(path: socket)
        try? link?.stream(.linkFleet) { (reply: Counters.Linked) in
          replies.with { $0.append(reply) }
          return !reply.hasLeft
        }
        isOver.signal()
      }.start()
    }

    var publications: [Counters.Publication] { replies.with { $0.flatMap(\.publications) } }

    func wait(_ what: String, _ condition: ([Counters.Linked]) -> Bool) throws {
      let end = Date().addingTimeInterval(60)
      while !replies.with({ condition($0) }) {
        try #require(Date() < end, "\(what)")
        usleep(10_000)
      }
    }

    /// Waits until the station has left; returns all replies.
    func end() -> [Counters.Linked] {
      isOver.wait()
      return replies.with { $0 }
    }
  }

  @Test func `a link is followed by a report, although the next one would be due later`() throws {
    let core = LinkedCore()
    let client = try core.client()
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    try client.change("Create", ["name": "people"])
    try client.change("ShareCounter", ["name": "people"])
    func reports(_ replies: [Counters.Linked]) -> Int {
      replies.flatMap(\.publications).count { $0.topic == "door1/knows" }
    }
    let first = Reader(core.socket)
    try first.wait("a report") { reports($0) == 1 }
    // The next report is planned for 10 s after the first one.
    try client.change("Add", ["name": "people"])
    let begun = Clock.boottime()
    let second = Reader(core.socket)
    try second.wait("another report") { reports($0) == 1 }
    let seconds = Double(Clock.boottime() - begun) / 1e9
    #expect(seconds < 9, "the report came after \(seconds) s")
    try client.call("LeaveFleet")
    for reader in [first, second] { #expect(reader.end().last?.hasLeft == true) }
    core.stop()
  }

  @Test func `a bridge gets the settings and all messages, then what is new, and learns for the core`() throws {
    let core = LinkedCore()
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
    let id = try #require(try client.call("ShareCounter", ["name": "people"])["id"]?.string)
    func topics(_ replies: [Counters.Linked]) -> [String] { replies.flatMap(\.publications).map(\.topic) }
    func registers() -> Int { bridge.publications.count { $0.topic.hasPrefix("door1/reg/") } }
    try bridge.wait("a definition") { topics($0).contains("door1/def/\(id)") }
    try bridge.wait("a register") { topics($0).contains { $0.hasPrefix("door1/reg/") && $0.contains("/\(id)/") } }
    let before = registers()
    for _ in 0..<50 { try client.change("Add", ["amount": 1]) }
    try bridge.wait("the last count") { replies in
      replies.flatMap(\.publications).contains { $0.payload.contains(",52,0,51]") && $0.isRetained }
    }
    #expect(registers() - before < 50)

    let writer = String(repeating: "a", count: 64)
    let register = "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[[\"\(writer)\",5,9,1,3]]}"
    let learned = try client.call(
      "LearnFleet",
      [
        "messages": [
          ["topic": "door2/station", "payload": "{\"version\":1,\"id\":\"\(id)\",\"product\":\"0.1.0\"}"],
          ["topic": .string("door2/reg/aaaaaaaaaaaaaaaa/\(id)/0"), "payload": .string(register)],
          ["topic": "door2/answer", "payload": "nonsense"],
        ]
      ])
    #expect(learned["problems"]?.array?.count == 1)
    let counter = Counters.Counter(try client.call("Get", ["name": "people"])["counter"]?.object ?? [:])
    #expect((counter.value, counter.own, counter.isShared) == (60, 52, true))
    let fleet = Counters.FleetState(try client.call("Fleet"))
    #expect(fleet.stations.map(\.name) == ["door1", "door2"])
    #expect(fleet.stations.map(\.contribution) == [52, 8])
    #expect(fleet.counters.map(\.unheard) == [51])
    try bridge.wait("a report of what is known") { topics($0).contains("door1/knows/\(id)") }

    let lines = "The broker is slow.\r\nTwo.\u{2028}" + String(repeating: "a\n", count: 20)
    try client.call("ReportFleet", ["connected": true, "trouble": .string(lines)])
    let report = Counters.FleetState(try client.call("Fleet"))
    #expect(report.isConnected)
    func marked(_ state: Counters.FleetState) -> [String] {
      (state.trouble ?? "").split { $0.isNewline }.map(String.init).filter { $0.hasPrefix("Bridge: ") }
    }
    #expect(marked(report).prefix(3) == ["Bridge: The broker is slow.", "Bridge: Two.", "Bridge: a"])
    #expect(marked(report).count == 16)
    // The other one is about the answer that is no JSON.
    #expect(report.trouble?.split { $0.isNewline }.count == 17)
    try client.call("ReportFleet", ["connected": true, "trouble": .string(String(repeating: "a", count: 10_000))])
    #expect(marked(Counters.FleetState(try client.call("Fleet"))).map(\.count) == [508])
    // At most five messages a second: the last ones wait when the station leaves.
    for _ in 0..<5 { try client.change("Add", ["amount": 1]) }
    try client.call("LeaveFleet")
    let replies = bridge.end()
    let last = replies.dropLast().flatMap(\.publications).contains { $0.payload.contains(",57,0,56]") }
    #expect(last)
    #expect(replies.last?.publications.map(\.payload) == ["", ""])
    #expect(try client.value("people") == 65)
    core.stop()
    #expect(try JournalFile.verify(core.state) == [])
  }

  @Test(arguments: [nil, 1 << 20])
  func `bridges that read nothing are ended, and the core goes on`(bufferedBytes: Int?) throws {
    let core = LinkedCore(bufferedBytes: bufferedBytes)
    let client = try core.client()
    func join() throws {
      try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    }
    try join()
    for number in 0..<50 {
      let name = "counter-\(number)"
      try client.change("Create", ["name": .string(name)])
      try client.change("Set", ["name": .string(name), "title": .string(String(repeating: "🙂", count: 200))])
      try client.call("ShareCounter", ["name": .string(name)])
    }
    let bridges = try (0..<3).map { _ in try UnixSocket.connect(to: core.socket, blocking: true) }
    for bridge in bridges {
      let call = #"{"method":"org.tallymark.Counters.LinkFleet","more":true}"# + "\0"
      #expect(unsafe call.withCString { unsafe write(bridge.number, $0, call.utf8.count) } == call.utf8.count)
    }
    try client.call("ReportFleet", ["connected": true])
    #expect(try client.call("Fleet")["connected"]?.bool == true)
    // Each time the bridges are sent everything.
    for _ in 0..<100 { try join() }
    #expect(try client.call("Fleet")["fleet"]?.string == "venue")
    #expect(try client.change("Add", ["name": "counter-1", "amount": 1])["value"]?.int == 1)
    // Whatever a bridge is sent ends by an error, or with the connection.
    for bridge in bridges { #expect(Self.endsWithoutWaiting(bridge)) }
    // Its report is over with the last link.
    #expect(try client.call("Fleet")["connected"]?.bool == false)
    core.stop()
  }

  /// Reads until an error or the end of the connection; returns whether that came.
  private static func endsWithoutWaiting(_ socket: FileDescriptor) -> Bool {
    var patience = timeval(tv_sec: 20, tv_usec: 0)
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
    let core = LinkedCore()
    let client = try core.client()
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    try client.change("Create", ["name": "people"])
    let id = try #require(try client.call("ShareCounter", ["name": "people"])["id"]?.string)
    let (messages, rows) = (60, 80)
    try Self.fill(client, id, messages: messages, rows: rows)
    var replies = 0
    var heard: Set<Substring> = []
    try CountersClient(path: core.socket).stream(.linkFleet) { (reply: Counters.Linked) in
      replies += 1
      #expect((reply.fleet == "venue") == (replies == 1))
      #expect(reply.publications.reduce(0) { $0 + $1.payload.utf8.count } <= 1 << 20)
      for publication in reply.publications where publication.topic == "door1/knows/\(id)" {
        heard.formUnion(publication.payload.split(separator: "\"").filter { $0.hasPrefix("00000000") })
      }
      return heard.count < messages * rows
    }
    #expect(heard.count == messages * rows)
    #expect(replies > 1)
    core.stop()
  }
  /// Gives a core so many registers of others that a reply cannot have all of them.
  private static func fill(_ client: TestClient, _ id: String, messages: Int, rows: Int) throws {
    for message in 0..<messages {
      let registers = (0..<rows).map { row -> String in
        let digits = String(message * rows + row, radix: 16)
        let writer = String(repeating: "0", count: 64 - digits.utf8.count) + digits
        return "[\"\(writer)\",\(Int64.max - 1),\(Int64.max - 1),\(Int64.max),\(1 << 40)]"
      }
      let payload = "{\"version\":1,\"counter\":\"\(id)\",\"registers\":[\(registers.joined(separator: ","))]}"
      try client.call(
        "LearnFleet", ["messages": [["topic": .string("door2/reg/a/\(id)/\(message)"), "payload": .string(payload)]]])
    }
  }

  @Test func `the last counts of a station that leaves follow what its bridge has not read yet`() throws {
    let core = LinkedCore()
    let client = try core.client()
    try client.call("JoinFleet", ["broker": "mqtt://host", "fleet": "venue", "station": "door1"])
    try client.change("Create", ["name": "people"])
    let id = try #require(try client.call("ShareCounter", ["name": "people"])["id"]?.string)
    try Self.fill(client, id, messages: 200, rows: 80)
    let bridge = try UnixSocket.connect(to: core.socket, blocking: true)
    let call = #"{"method":"org.tallymark.Counters.LinkFleet","more":true}"# + "\0"
    #expect(unsafe call.withCString { unsafe write(bridge.number, $0, call.utf8.count) } == call.utf8.count)
    // The first reply is there, and more than that waits.
    var first: [UInt8] = [0]
    #expect(unsafe recv(bridge.number, &first, 1, Int32(MSG_PEEK)) == 1)
    for _ in 0..<3 { try client.change("Add", ["amount": 7]) }
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
