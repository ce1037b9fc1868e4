import Glibc
import JSON
import Linux
import Testing

@testable import Varlink

/// What a client sees that follows the rules.
@Suite struct ServerTests {
  @Test func `a service says what it is and what it serves`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(
      #"{"method":"org.varlink.service.GetInfo","parameters":{}}"#,
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.bench"}}"#,
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.varlink.service"}}"#,
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.no"}}"#)
    #expect(try bench.turn { client.messages.count == 4 })
    let replies = try client.messages.map { try JSON(parsing: $0) }
    #expect(
      replies[0] == [
        "parameters": [
          "vendor": "The Bench", "product": "bench", "version": "1", "url": "https://example.org",
          "interfaces": ["org.varlink.service", "org.example.bench"],
        ]
      ])
    #expect(replies[1] == ["parameters": ["description": .string(Workbench.description)]])
    let description = replies[2].object?["parameters"]?.object?["description"]?.string ?? ""
    let standard = try Interface(description)
    #expect(Set(standard.methods.keys) == ["GetInfo", "GetInterfaceDescription"])
    #expect(standard.errors.count == 7)
    #expect(
      replies[3] == [
        "error": "org.varlink.service.InterfaceNotFound", "parameters": ["interface": "org.example.no"],
      ])
  }

  @Test(
    arguments: [
      (#"{"method":"org.example.bench.Nothing"}"#, "MethodNotFound", "method", "org.example.bench.Nothing"),
      (#"{"method":"org.example.no.Echo"}"#, "InterfaceNotFound", "interface", "org.example.no"),
      (#"{"method":"Echo"}"#, "MethodNotFound", "method", "Echo"),
      (#"{"method":"org.example.bench.Echo"}"#, "InvalidParameter", "parameter", "text"),
      (#"{"method":"org.example.bench.Echo","parameters":null}"#, "InvalidParameter", "parameter", "text"),
      (#"{"method":"org.example.bench.Echo","parameters":{"text":5}}"#, "InvalidParameter", "parameter", "text"),
      (
        #"{"method":"org.example.bench.Echo","parameters":{"text":"a","more":1}}"#, "InvalidParameter", "parameter",
        "more"
      ),
      (
        #"{"method":"org.example.bench.Take","parameters":{"pairs":[{"first":1},{"first":1.5}],"by":{}}}"#,
        "InvalidParameter", "parameter", "pairs[1].first"
      ),
      (
        #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"upgrade":true}"#, "MethodNotImplemented",
        "method", "org.example.bench.Echo"
      ),
    ])
  func `a call that cannot be done is refused by name`(message: String, error: String, key: String, value: String)
    throws
  {
    let (bench, client) = try Workbench.connected()
    client.send(message, .echo("next"))
    #expect(try bench.turn { client.messages.count == 2 })
    #expect(
      try JSON(parsing: client.messages[0]) == [
        "error": .string("org.varlink.service." + error), "parameters": [key: .string(value)],
      ])
    #expect(client.messages[1] == String.said("next"), "the connection goes on")
  }

  @Test func `each call reaches the method that it names, whichever was called before`() throws {
    let service = Service(vendor: "", product: "", version: "", url: "")
    let interface = try Interface("interface org.example.two\nmethod One() -> ()\nmethod Two() -> ()")
    service.add(interface, isQuestion: { $0 == "One" }, handler: { _ in })
    for name in ["One", "One", "Two", "One", "Two", "Two"] {
      #expect(try service.route(CallMessage("org.example.two.\(name)")).name == name)
      #expect(throws: VarlinkError.self) { try service.route(CallMessage("org.example.two.Three")) }
    }
    // A later interface of the same name replaces the first.
    service.add(interface, isQuestion: { $0 == "Two" }, handler: { _ in })
    #expect(try service.route(CallMessage("org.example.two.Two")).isQuestion)
  }

  @Test func `a method with several answers must be called with more`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(#"{"method":"org.example.bench.Count","parameters":{"to":1}}"#)
    try bench.expect(client, [#"{"error":"org.varlink.service.ExpectedMore"}"#])
  }

  @Test(
    arguments: [
      #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"more":false,"oneway":false,"upgrade":false}"#,
      #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"more":null,"oneway":null}"#,
      #"{"method":"org.example.bench.Echo","parameters":{"text":"a"},"org.example.trace":{"id":1}}"#,
      " {\n\t\"parameters\" : { \"text\" : \"a\" } , \"method\" : \"org.example.bench.Echo\" } \r\n",
    ])
  func `what the rules allow is accepted`(message: String) throws {
    let (bench, client) = try Workbench.connected()
    client.send(message)
    try bench.expect(client, [.said("a")])
  }

  @Test func `a message may come in two portions cut anywhere`() throws {
    let bench = try Workbench()
    let message = Array(String.echo("né").utf8) + [0]
    let twice = message + message
    for cut in 1..<twice.count {
      let client = try bench.connect()
      client.send(twice[..<cut])
      try bench.settle()
      client.send(twice[cut...])
      #expect(try bench.turn { client.messages.count == 2 }, "cut at byte \(cut)")
      #expect(client.messages == Array(repeating: String.said("né"), count: 2))
    }
  }

  @Test func `replies leave in the order of the calls`() throws {
    let (bench, client) = try Workbench.connected()
    for number in 0..<4 { client.send(.keep(number)) }
    client.send(.echo("last"))
    #expect(try bench.turn { bench.kept.count == 4 })
    for number in [2, 1, 3] {
      bench.kept[number].reply(["number": .int(Int64(number))])
      try bench.settle()
      #expect(client.messages.isEmpty, "the first call was not answered yet")
    }
    bench.kept[0].fail(VarlinkError("org.example.bench.Refused", ["message": "no"]))
    try bench.expect(
      client,
      [
        #"{"error":"org.example.bench.Refused","parameters":{"message":"no"}}"#, .number(1),
        .number(2), .number(3), .said("last"),
      ])
  }

  @Test func `only the first last reply counts`() throws {
    let (bench, client) = try Workbench.connected()
    try bench.keep(.keep(1), of: client)
    bench.kept[0].replyContinuing(["number": 0])
    bench.kept[0].reply(["number": 1])
    bench.kept[0].reply(["number": 2])
    bench.kept[0].fail(.permissionDenied)
    #expect(try bench.turn { client.messages.count >= 1 })
    try bench.settle()
    #expect(client.messages == [.number(1)])
  }

  @Test func `a oneway call is done and gets no reply, not even an error`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(
      .note("quiet", oneway: true),
      #"{"method":"org.example.bench.Note","parameters":{"text":1},"oneway":true}"#,
      #"{"method":"org.example.bench.Nothing","oneway":true}"#,
      .echo("loud"))
    try bench.expect(client, [.said("loud")])
    #expect(bench.notes == ["quiet", "loud"])
  }

  @Test(arguments: [false, true])
  func `a oneway call of a client that leaves at once is done`(isReadBefore: Bool) throws {
    let bench = try Workbench()
    do {
      let client = try bench.connect()
      client.send(.count(to: 9), .note("bye", oneway: true))
      if isReadBefore { #expect(try bench.turn { bench.kept.count == 1 }) }
    }
    #expect(try bench.turn { !bench.notes.isEmpty })
    #expect(bench.notes == ["bye"])
    #expect(try bench.turn { bench.server.connectionCount == 0 })
  }

  @Test func `behind a stream everything waits until its last reply`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(.count(to: 2), .echo("later"))
    #expect(try bench.turn { bench.kept.count == 1 })
    client.send(.echo("last"))
    bench.kept[0].replyContinuing(["number": 1])
    #expect(try bench.turn { client.messages.count == 1 })
    try bench.settle()
    #expect(bench.notes.isEmpty)
    #expect(bench.kept[0].wantsMore)
    bench.kept[0].reply(["number": 2])
    try bench.expect(
      client,
      [
        #"{"parameters":{"number":1},"continues":true}"#, .number(2),
        .said("later"), .said("last"),
      ])
  }

  @Test func `a call that waited behind a stream may answer another client`() throws {
    let (bench, other) = try Workbench.connected()
    let (one, third) = (try bench.connect(), try bench.connect())
    try bench.keep(.keep(7), of: other)
    // The note is read, and waits for the end of the stream.
    one.send(.count(to: 1), .note("waits"))
    #expect(try bench.turn { bench.kept.count == 2 })
    bench.onNote = { bench.kept[0].reply(["number": 7]) }
    // The stream ends with the deferred replies of another turn.
    bench.onPause = { bench.kept[1].reply() }
    third.send(.echo("turn"))
    try bench.expect(other, [.number(7)])
  }

  @Test func `a handler learns who calls and that the caller left`() throws {
    let bench = try Workbench()
    var gone: [String] = []
    do {
      let client = try bench.connect()
      client.send(.keep(1))
      client.send(.count(to: 1))
      #expect(try bench.turn { bench.kept.count == 2 })
      let peer = bench.kept[0].peer
      #expect(peer.process == getpid() && peer.user == geteuid() && peer.groups.contains(getegid()))
      bench.kept[0].onGone = { gone.append("Keep") }
      bench.kept[1].onGone = { gone.append("Count") }
      try bench.settle()
      #expect(gone.isEmpty)
    }
    #expect(try bench.turn { !gone.isEmpty })
    #expect(gone == ["Keep", "Count"])
    bench.kept[1].replyContinuing(["number": 1])
    bench.kept[0].reply(["number": 1])
    try bench.settle()
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a handler that asks only after the caller left learns it at once`() throws {
    let bench = try Workbench()
    var client: RawClient? = try bench.connect()
    try bench.keep(.count(to: 1), of: client)
    client = nil
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    var gone = 0
    bench.kept[0].onGone = { gone += 1 }
    #expect(gone == 1)
  }

  @Test func `after the last reply nobody is told that the caller left`() throws {
    let bench = try Workbench()
    var gone = false
    do {
      let client = try bench.connect()
      try bench.keep(.keep(1), of: client)
      bench.kept[0].onGone = { gone = true }
      bench.kept[0].reply(["number": 1])
    }
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    #expect(!gone)
  }

  @Test func `an answered call keeps nothing alive`() throws {
    final class Watcher {}
    let (bench, client) = try Workbench.connected()
    try bench.keep(.keep(1), of: client)
    weak var watcher: Watcher?
    do {
      let made = Watcher()
      let call = bench.kept[0]
      watcher = made
      call.onGone = { [call] in _ = (made, call) }
    }
    #expect(watcher != nil)
    bench.kept.removeFirst().reply(["number": 1])
    #expect(watcher == nil)
  }

  @Test func `a call that is let go of unanswered closes the connection`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(.keep(1), .keep(2))
    #expect(try bench.turn { bench.kept.count == 2 })
    bench.kept = []
    client.read()
    #expect(client.isClosed)
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a client that stops sending still gets all its replies`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(.keep(1), .count(to: 1), .echo("a"))
    client.shutDownSending()
    #expect(try bench.turn { bench.kept.count == 2 })
    try bench.settle()
    bench.kept[0].reply(["number": 1])
    #expect(try bench.turn { client.messages.count == 1 })
    bench.kept[1].replyContinuing(["number": 1])
    #expect(try bench.turn { client.messages.count == 2 })
    #expect(!client.isClosed)
    bench.kept[1].reply()
    #expect(try bench.turn { client.messages.count == 4 && client.isClosed })
    #expect(client.messages[2...] == ["{}", .said("a")])
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a client that stopped sending is waited for`() throws {
    let (bench, client) = try Workbench.connected()
    client.send(.keep(1), .keep(2))
    client.send("{\"unfinished".utf8)
    client.shutDownSending()
    #expect(try bench.turn { bench.kept.count == 2 })
    try bench.settle()
    #expect(try bench.loop.runOnce(waiting: 1000) == false, "waiting costs nothing")
    for number in [1, 0] { bench.kept[number].reply(["number": .int(Int64(number))]) }
    #expect(try bench.turn { client.messages.count == 2 && client.isClosed })
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a server that ends closes its connections`() throws {
    let (bench, client) = try Workbench.connected()
    var gone = false
    try bench.keep(.keep(1), of: client)
    bench.kept[0].onGone = { gone = true }
    bench.stop()
    client.read()
    #expect(client.isClosed)
    #expect(gone)
    bench.kept[0].reply(["number": 1])
  }

  @Test func `flush writes replies without another turn of the loop`() throws {
    let (bench, client) = try Workbench.connected()
    try bench.keep(.keep(1), of: client)
    bench.kept[0].reply(["number": 1])
    bench.server.flush()
    #expect(client.messages == [.number(1)])
  }

  @Test func `whoever sends a thousand calls at once does not have others wait for a thousand`() throws {
    let bench = try Workbench()
    let (flooder, other) = (try bench.connect(), try bench.connect())
    let flood = String.echo("flood") + "\0"
    flooder.send(String(repeating: flood, count: 1000).utf8)
    for count in 1...3 {
      let before = bench.notes.count
      other.send(.echo("other"))
      #expect(try bench.turn { other.messages.count == count })
      #expect(bench.notes.count - before < 100)
    }
    #expect(try bench.turn { flooder.messages.count == 1000 })
  }

  @Test func `what was sent before the end is answered to the last call`() throws {
    let (bench, client) = try Workbench.connected(userLimits: Server.UserLimits(connections: 1, calls: 90))
    let call = String.echo("a") + "\0"
    client.send(String(repeating: call, count: 100).utf8)
    client.shutDownSending()
    #expect(try bench.turn { client.messages.count == 100 && client.isClosed })
  }
}
