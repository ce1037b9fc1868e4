import Glibc
import JSON
import Linux
import TestKit
import Testing
import Varlink

/// The client that waits for each answer.
@Suite struct ClientTests {
  @Test func `a call is answered or refused, one after the other`() throws {
    try Beside.client { client, _ in
      #expect(try client.call("org.example.bench.Echo", ["text": "hé"]) == ["text": "hé"])
      #expect(throws: VarlinkError.methodNotFound("org.example.bench.No")) { try client.call("org.example.bench.No") }
      #expect(throws: VarlinkError.expectedMore) { try client.call("org.example.bench.Count", ["to": 1]) }
      try client.callOneway("org.example.bench.Note", ["text": "quiet"])
      #expect(try client.call("org.varlink.service.GetInfo")["product"] == "bench")
      let large = try client.call("org.example.bench.Blob", ["size": 4_000_000])
      #expect(large["blob"]?.string?.utf8.count == 4_000_000)
    }
  }

  @Test func `a stream is handed on to its end, after which the client can call again`() throws {
    try Beside.client { client, _ in
      var numbers: [Int64] = []
      try client.stream("org.example.bench.Count", ["to": 50]) { reply in
        numbers.append(reply["number"]?.int ?? 0)
        return true
      }
      #expect(numbers == Array(1...50))
      #expect(throws: VarlinkError.invalidParameter("to")) {
        try client.stream("org.example.bench.Count") { _ in true }
      }
      #expect(try client.call("org.example.bench.Echo", ["text": "a"]) == ["text": "a"])
    }
  }

  @Test func `who ends a stream early is no longer connected`() throws {
    try Beside.client { client, path in
      var count = 0
      try client.stream("org.example.bench.Count", ["to": 1000]) { _ in
        count += 1
        return count < 3
      }
      #expect(count == 3)
      #expect { try client.call("org.varlink.service.GetInfo") } throws: { ($0 as? SystemError)?.code == ENOTCONN }
      struct Enough: Error {}
      let other = try Client(path: path)
      #expect(throws: Enough.self) {
        try other.stream("org.example.bench.Count", ["to": 1000]) { _ in throw Enough() }
      }
      #expect { try other.call("org.varlink.service.GetInfo") } throws: { ($0 as? SystemError)?.code == ENOTCONN }
    }
  }

  @Test func `where nobody serves the error says so`() {
    let path = TemporaryFolder().path("socket")
    #expect { try Client(path: path) } throws: { error in
      "\(error)" == "could not connect to \(path): No such file or directory"
    }
  }

  /// A service that hangs: its queue of new connections is full, or it does not read.
  @Test func `of a service that takes no connection the error comes after a bounded time`() throws {
    let temporary = TemporaryFolder()
    let listener = try UnixSocket.listen(at: temporary.path("s"), mode: 0o600)
    #expect(listen(listener.number, 0) == 0)
    let first = try Client(path: temporary.path("s"))
    #expect { try Client(path: temporary.path("s"), patience: 1) } throws: { ($0 as? SystemError)?.code == EAGAIN }
    withExtendedLifetime(first) {}
  }

  @Test func `who waits for a service that does not read a call is told`() throws {
    struct Enough: Error {}
    let temporary = TemporaryFolder()
    let listener = try UnixSocket.listen(at: temporary.path("s"), mode: 0o600)
    let client = try Client(path: temporary.path("s"), patience: 1)
    var accepted = try UnixSocket.accept(from: listener)
    // The connection ends the wait.
    client.whenQuiet = (1, { if client.quietTimes == 3 { accepted = nil } })
    let text = String(repeating: "x", count: 8_000_000)
    #expect { try client.call("org.example.bench.Echo", ["text": .string(text)]) } throws: {
      ($0 as? SystemError)?.code == EPIPE || ($0 as? SystemError)?.code == ECONNRESET
    }
    #expect(client.quietTimes == 3 && accepted == nil)
  }

  @Test(
    arguments: [
      "", "{}", #"{"continues":true}"# + "\0", "x\0", #"{"error":5}"# + "\0",
      #"{"parameters":{"text":"\u{7}"}}"# + "\0",
    ])
  func `an answer that does not come or breaks the rules ends the client`(answer: String) throws {
    try Beside.script(Array(answer.utf8)) { path in
      let client = try Client(path: path)
      let expected = answer.hasSuffix("\0") ? EBADMSG : ECONNRESET
      #expect { try client.call("org.example.bench.Echo") } throws: { ($0 as? SystemError)?.code == expected }
      #expect { try client.call("org.example.bench.Echo") } throws: { ($0 as? SystemError)?.code == ENOTCONN }
    }
  }

  @Test func `an answer beyond 16 MiB is not taken`() throws {
    try Beside.script([UInt8](repeating: UInt8(ascii: " "), count: (16 << 20) + 1), stays: true) { path in
      let client = try Client(path: path)
      #expect { try client.call("org.example.bench.Echo") } throws: { ($0 as? SystemError)?.code == EBADMSG }
    }
  }
}
