import Glibc
import JSON
import Linux
import TestKit
import Testing

@testable import InputTools

@Suite struct CoreKnowledgeTests {
  @Test func `a counter that is made for a gesture has its maker as the cause`() throws {
    let temporary = TemporaryFolder()
    let listener = try UnixSocket.listen(at: temporary.path("s"), mode: 0o600)
    let core = try #require(CoreKnowledge(socket: temporary.path("s")))
    let socket = try #require(try UnixSocket.accept(from: listener))
    let reply = Array(#"{"parameters":{"event":{"sequence":1,"kind":"created","name":"dogs"}}}"#.utf8) + [0]
    _ = reply.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    try core.make("dogs")
    var bytes = [UInt8](repeating: 0, count: 4096)
    let length = try bytes.withUnsafeMutableBytes { try socket.read(into: $0) }
    let call = try JSON(parsing: String(decoding: bytes.prefix(length ?? 0).dropLast(), as: UTF8.self))
    #expect(call.object?["parameters"]?.object?["name"]?.string == "dogs")
    #expect(call.object?["parameters"]?.object?["cause"]?.object?["producer"]?.string == "tally-input")
  }
}
