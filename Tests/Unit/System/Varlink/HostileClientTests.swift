import Glibc
import JSON
import Linux
import Testing
import Varlink

/// What a client may try, and what it must not be able to do to others.
@Suite struct HostileClientTests {
  static let rulesBroken = [
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"more":true,"oneway":true}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"oneway":true,"upgrade":true}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"more":1}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"oneway":"true"}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"upgrade":{}}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"id":1}"#,
    #"{"method":"org.example.bench.Echo","parameters":["a"]}"#,
    #"{"method":"org.example.bench.Echo","parameters":"a"}"#,
    #"{"method":5}"#, #"{"method":null}"#, #"{"parameters":{}}"#, "{}", "[]", "5", "null", "", " ", "x",
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"}}}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"}}{}"#,
    #"{"method":"org.example.bench.Echo","method":"org.example.bench.Echo","parameters":{"text":"a"}}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a","text":"b"}}"#,
    #"{"method":"org.example.bench.Keep","parameters":{"number":NaN}}"#,
    #"{"method":"org.example.bench.\u0000","parameters":{"text":"a"}}"#,
    #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"org.example.id":9223372036854775808}"#,
    "{'method':'org.example.bench.Echo'}", "\u{FEFF}{}",
  ]

  @Test(arguments: rulesBroken)
  func `a message against the rules ends the connection`(message: String) throws {
    let (bench, client) = try Workbench.connected()
    client.send(.echo("before"))
    client.send(message, .note("after"))
    #expect(try bench.turn { client.messages.count >= 1 && client.isClosed })
    #expect(client.messages == [.said("before")], "what came before is answered")
    #expect(bench.notes == ["before"])
    #expect(bench.server.connectionCount == 0)
  }

  @Test(arguments: [
    (#"Keep","parameters":{"number":9223372036854775808}"#, "number"),
    (#"Keep","parameters":{"number":-9223372036854775809}"#, "number"),
    (#"Keep","parameters":{"number":1e999}"#, "number"), (#"Echo","parameters":{"text":"\ud800"}"#, "text"),
    (#"Echo","parameters":{"text":"a\u0000b"}"#, "text"),
    (#"Take","parameters":{"pairs":[{"first":1},{"first":2,"second":"\u0000"}],"by":{}}"#, "pairs[1].second"),
    (#"Take","parameters":{"pairs":[],"by":{"a":1e999}}"#, "by.a"),
  ])
  func `a value beyond what the service has is refused, and the calls around it are answered`(
    call: String, path: String
  ) throws {
    let (bench, client) = try Workbench.connected()
    client.send(.echo("before"), #"{"method":"org.example.bench.\#(call)}"#, .echo("after"))
    try bench.expect(
      client,
      [
        .said("before"),
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(path)"}}"#, .said("after"),
      ])
    client.send(#"{"oneway":true,"method":"org.example.bench.\#(call)}"#, .echo("last"))
    #expect(try bench.turn { client.messages.count == 4 })
    #expect(client.messages.last == .said("last") && bench.notes == ["before", "after", "last"])
  }

  @Test func `calls before a message against the rules are answered when their replies come`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(.keep(1), .keep(2), "x", .note("after"))
    #expect(try bench.turn { bench.kept.count == 2 })
    try bench.settle()
    #expect(!client.isClosed && client.messages.isEmpty)
    for (call, number) in zip(bench.kept, 1...) { call.reply(["number": .int(Int64(number))]) }
    bench.kept = []
    #expect(try bench.turn { client.messages.count == 2 && client.isClosed })
    #expect(client.messages == [.number(1), .number(2)] && bench.notes.isEmpty)
    #expect(bench.server.connectionCount == 0)
  }

  @Test(
    arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x07]] as [[UInt8]])
  func `text that is no UTF-8 or has raw control characters ends the connection`(bytes: [UInt8]) throws {
    let (bench, client) = try Workbench.connected()
    let text = #"{"method":"org.example.bench.Echo","parameters":{"text":""#
    client.send(Array(text.utf8) + bytes + Array("\"}}\0".utf8))
    #expect(try bench.ends(client))
    #expect(client.messages.isEmpty)
  }

  @Test(arguments: ["[", #"{"a":"#, "[{\"a\":"])
  func `ten thousand brackets end the connection and nothing else`(bracket: String) throws {
    let (bench, client) = try Workbench.connected()
    client.send(
      #"{"method":"org.example.bench.Echo","parameters":{"text":\#(String(repeating: bracket, count: 10_000))"#)
    #expect(try bench.ends(client))
  }

  @Test func `a message of 16 MiB is taken, one byte more is not`() throws {
    let bench = try Workbench()
    let shell = Array(String.note("").utf8)
    for excess in [0, 1] {
      let client = try bench.connect()
      let filling = [UInt8](repeating: UInt8(ascii: "x"), count: (16 << 20) - shell.count + excess)
      let message: [UInt8] = Array(shell.dropLast(3)) + filling + Array(shell.suffix(3)) + [0]
      bench.notes = []
      var sent = 0
      #expect(
        try bench.turn {
          sent += client.send(message[sent...].prefix(1 << 20))
          return !client.messages.isEmpty || client.isClosed
        })
      #expect(bench.notes.map(\.utf8.count) == (excess == 0 ? [filling.count] : []))
      #expect(client.isClosed == (excess == 1))
    }
  }

  @Test func `a message without end is cut off at 16 MiB`() throws {
    let (bench, client) = try Workbench.connected()
    let portion = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    var sent = 0
    #expect(
      try bench.turn {
        sent += client.send(portion)
        client.read()
        return client.isClosed
      })
    #expect(sent <= (16 << 20) + (1 << 20))
  }

  @Test func `a client that does not read holds up nobody and is read no further`() throws {
    let bench = try Workbench()
    let slow = try bench.connect()
    for _ in 0..<8 { slow.send(.blob(500000)) }
    slow.send(.note("slow"))
    try bench.settle()
    #expect(bench.notes.isEmpty)
    let quick = try bench.connect()
    quick.send(.echo("quick"))
    #expect(try bench.turn { quick.messages.count == 1 })
    #expect(bench.notes == ["quick"], "the slow one's calls wait until it reads")
    #expect(
      try bench.turn {
        slow.read()
        return bench.notes.count == 2
      })
    #expect(try bench.turn { slow.messages.count == 9 })
    #expect(slow.messages.dropLast().allSatisfy { $0.utf8.count > 500_000 })
  }

  @Test func `the backlog of a stream shows what the client has not taken`() throws {
    let (bench, client) = try Workbench.connected()
    try bench.keep(.count(to: 1), of: client)
    let call = bench.kept[0]
    #expect(call.backlog == 0)
    while call.backlog < 100_000 {
      for number in 0..<Int64(1000) { call.replyContinuing(["number": .int(number)]) }
      try bench.settle()
    }
    #expect(
      try bench.turn {
        client.read()
        return call.backlog == 0
      })
  }

  @Test func `calls beyond the limit of open ones are read later`() throws {
    var limits = Server.Limits()
    limits.openCalls = 3
    let (bench, client) = try Workbench.connected(limits: limits)
    for number in 0..<10 { client.send(.keep(number)) }
    #expect(try bench.turn { bench.kept.count == 3 })
    try bench.settle()
    #expect(bench.kept.count == 3)
    for number in 0..<10 {
      #expect(try bench.turn { bench.kept.count > number })
      #expect(bench.kept.count <= number + 3)
      bench.kept[number].reply(["number": .int(Int64(number))])
    }
    #expect(try bench.turn { client.messages.count == 10 })
    #expect(client.messages == (0..<10).map { String.number($0) })
  }

  @Test func `a client that leaves with calls beyond the limit costs no turns of the loop`() throws {
    var limits = Server.Limits()
    limits.openCalls = 1
    let bench = try Workbench(limits: limits)
    do {
      let client = try bench.connect()
      for _ in 0..<10 { client.send(.keep(1)) }
      #expect(try bench.turn { bench.kept.count == 1 })
    }
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    try bench.settle()
    #expect(try bench.loop.runOnce(waiting: 1000) == false)
  }

  @Test func `clients that never pause do not keep waiting what was put off until afterwards`() throws {
    let bench = try Workbench()
    let clients = try (0..<3).map { _ in try bench.connect() }
    let note = String.note("n", oneway: true)
    var turnsOfOthers = 0
    let putOff = try bench.loop.deferred { turnsOfOthers += 1 }
    bench.onNote = {
      // Each call that is handled is followed by the next one at once.
      for client in clients { client.send(note) }
      putOff.schedule()
    }
    clients[0].send(note)
    #expect(try bench.turn { turnsOfOthers == 3 })
    bench.onNote = nil
  }

  @Test func `connections beyond the limit wait until another ends`() throws {
    var limits = Server.Limits()
    limits.connections = 2
    let bench = try Workbench(limits: limits)
    var clients = try (0..<3).map { _ in try bench.connect() }
    for client in clients { client.send(.echo("a")) }
    #expect(try bench.turn { clients[0].messages.count + clients[1].messages.count == 2 })
    try bench.settle()
    #expect(clients[2].messages.isEmpty)
    clients.removeFirst()
    #expect(try bench.turn { clients[1].messages.count == 1 })
  }
}
