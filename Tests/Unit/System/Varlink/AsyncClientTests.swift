import Glibc
import JSON
import Linux
import TestKit
import Testing
import Varlink

/// The client that never waits, in the same loop as its server.
@Suite struct AsyncClientTests {
  /// The parameters of an answer, or the name of an error.
  private static func text(_ result: Result<JSONObject, VarlinkError>) -> String {
    switch result {
    case .success(let parameters): "\(parameters)"
    case .failure(let error): error.name
    }
  }

  @Test func `calls are answered in order, errors among them`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    var answers: [String] = []
    func note(_ result: Result<JSONObject, VarlinkError>) { answers.append(Self.text(result)) }
    client.send("org.example.bench.Keep", ["number": 1], reply: note)
    client.send("org.example.bench.Echo", ["text": "a"], reply: note)
    client.send("org.example.bench.Echo", reply: note)
    client.send("org.example.bench.Note", ["text": "n"], reply: note)
    #expect(client.unansweredCount == 4)
    #expect(try bench.turn { bench.kept.count == 1 })
    try bench.settle()
    #expect(answers.isEmpty)
    bench.kept[0].reply(["number": 1])
    #expect(try bench.turn { answers.count == 4 })
    #expect(answers == [#"{"number":1}"#, #"{"text":"a"}"#, "org.varlink.service.InvalidParameter", "{}"])
    #expect(client.unansweredCount == 0)
    #expect(client.isOpen)
  }

  @Test func `a stream has many answers, and calls around it their own`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    var answers: [String] = []
    func note(_ result: Result<JSONObject, VarlinkError>) { answers.append(Self.text(result)) }
    client.send("org.example.bench.Echo", ["text": "a"], reply: note)
    client.stream("org.example.bench.Count", ["to": 3], each: note)
    client.stream("org.example.bench.Count", ["to": 0], each: note)
    client.send("org.example.bench.Echo", EncodedObject(["text": "b"])) { result in
      note(result.map { (try? $0.parsed()) ?? [:] })
    }
    #expect(try bench.turn { bench.kept.count == 1 })
    for number in 1...2 {
      bench.kept[0].replyContinuing(["number": .int(Int64(number))])
      #expect(try bench.turn { answers.count == 1 + number })
    }
    bench.kept[0].reply(["number": 3])
    #expect(try bench.turn { bench.kept.count == 2 })
    bench.kept[1].fail(VarlinkError("org.example.bench.Refused", ["message": "no"]))
    #expect(try bench.turn { answers.count == 6 })
    #expect(
      answers == [
        #"{"text":"a"}"#, #"{"number":1}"#, #"{"number":2}"#, #"{"number":3}"#, "org.example.bench.Refused",
        #"{"text":"b"}"#,
      ])
    #expect(client.unansweredCount == 0)
  }

  @Test func `a stream may close its connection between two answers`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    var answers = 0
    client.stream("org.example.bench.Count", ["to": 3]) { _ in
      answers += 1
      client.close()
    }
    #expect(try bench.turn { bench.kept.count == 1 })
    bench.kept[0].replyContinuing(["number": 1])
    bench.kept[0].replyContinuing(["number": 2])
    #expect(try bench.turn { answers > 0 })
    try bench.settle()
    #expect(answers == 1)
    #expect(!client.isOpen)
  }

  @Test func `a handler of an answer may call again`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    var count = 0
    func again(_: Result<JSONObject, VarlinkError>) {
      count += 1
      if count < 100 { client.send("org.example.bench.Echo", ["text": "a"], reply: again) }
    }
    client.send("org.example.bench.Echo", ["text": "a"], reply: again)
    #expect(try bench.turn { count == 100 })
  }

  @Test func `large calls and answers pass in many portions`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    let text = String(repeating: "é", count: 100_000)
    var received = 0
    for _ in 0..<3 {
      client.send("org.example.bench.Echo", ["text": .string(text)]) { result in
        if (try? result.get())?["text"]?.string == text { received += 1 }
      }
    }
    #expect(try bench.turn { received == 3 })
  }

  @Test func `when the server ends, what is unanswered is given up`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    var closed: [SystemError?] = []
    var answered = false
    client.onClosed = { closed.append($0) }
    client.send("org.example.bench.Keep", ["number": 1]) { _ in answered = true }
    #expect(try bench.turn { bench.kept.count == 1 })
    bench.stop()
    #expect(try bench.turn { !closed.isEmpty })
    #expect(closed == [nil])
    #expect(!client.isOpen)
    client.send("org.example.bench.Echo", ["text": "a"]) { _ in answered = true }
    try bench.settle()
    #expect(!answered)
    #expect(closed.count == 1)
  }

  @Test func `a new connection may be made where the end of the old one is told`() throws {
    let bench = try Workbench()
    var client: AsyncClient?
    var answers = 0
    var ends = 0
    func connect() throws {
      client = try AsyncClient(loop: bench.loop, path: bench.path)
      client?.onClosed = { _ in
        ends += 1
        client = nil
        try? connect()
      }
      client?.send("org.example.bench.Keep", ["number": 1]) { _ in answers += 1 }
    }
    try connect()
    for round in 1...5 {
      #expect(try bench.turn { bench.kept.count == 1 })
      // Letting go of a call unanswered closes its connection.
      bench.kept = []
      #expect(try bench.turn { ends == round })
    }
    #expect(try bench.turn { bench.kept.count == 1 })
    bench.kept[0].reply(["number": 1])
    #expect(try bench.turn { answers == 1 })
    client?.onClosed = nil
  }

  @Test func `closing tells the server and nobody here`() throws {
    let (bench, client) = try Workbench.connectedAsync()
    client.onClosed = { _ in Issue.record("closed by its owner") }
    client.send("org.example.bench.Keep", ["number": 1]) { _ in Issue.record("answered") }
    #expect(try bench.turn { bench.kept.count == 1 })
    var gone = false
    bench.kept[0].onGone = { gone = true }
    client.close()
    #expect(try bench.turn { gone })
  }

  @Test(arguments: [#"{"continues":true}"# + "\0", "x\0", "{}\0{}\0", "{\"unknown\":1}\0"])
  func `an answer against the rules ends the connection`(answer: String) throws {
    try Beside.script(Array(answer.utf8), stays: true) { path in
      let loop = try EventLoop()
      let client = try AsyncClient(loop: loop, path: path)
      var closed: [SystemError?] = []
      client.onClosed = { closed.append($0) }
      client.send("org.example.bench.Echo") { _ in }
      try Wait.until("the connection ends", turning: loop) { !closed.isEmpty }
      #expect(closed.map { $0?.code } == [EBADMSG])
    }
  }

  @Test func `where nobody serves it says so at once`() throws {
    let loop = try EventLoop()
    #expect { try AsyncClient(loop: loop, path: TemporaryFolder().path("socket")) } throws: {
      ($0 as? SystemError)?.code == ENOENT
    }
  }
}
