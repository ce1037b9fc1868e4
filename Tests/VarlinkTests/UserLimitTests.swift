import Glibc
import Platform
import Testing
import Varlink

/// What the clients of one user may claim together, and that nothing but bytes is taken from them.
@Suite struct UserLimitTests {
  private let echo = #"{"method":"org.example.bench.Echo","parameters":{"text":"a"}}"#

  @Test func `one connection too many is closed at once, and the others go on`() throws {
    let bench = try Workbench(userLimits: Server.UserLimits(connections: 2, calls: 1000))
    let clients = try (0..<3).map { _ in try bench.connect() }
    for client in clients { client.send(echo) }
    #expect(try bench.turn { clients.map(\.messages.count) == [1, 1, 0] && clients[2].isClosed })
    #expect(bench.server.connectionCount == 2)
  }

  @Test func `who has let go of a connection may make another one`() throws {
    let bench = try Workbench(userLimits: Server.UserLimits(connections: 1, calls: 1000))
    do {
      let first = try bench.connect()
      first.send(echo)
      #expect(try bench.turn { first.messages.count == 1 })
    }
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    let second = try bench.connect()
    second.send(echo)
    #expect(try bench.turn { second.messages.count == 1 })
  }

  @Test func `calls that come too fast wait and are answered later`() throws {
    let bench = try Workbench(userLimits: Server.UserLimits(connections: 10, calls: 50))
    let clients = try (0..<2).map { _ in try bench.connect() }
    let start = Clock.boottime()
    for client in clients { for _ in 0..<40 { client.send(echo) } }
    #expect(try bench.turn { bench.notes.count >= 50 })
    #expect(try bench.turn { clients.allSatisfy { $0.messages.count == 40 } }, "none is lost")
    // Eighty calls of which fifty are free and thirty take a fiftieth of a second each.
    #expect(Clock.boottime() - start > 550_000_000)
  }

  @Test func `connecting again does not give more calls`() throws {
    let bench = try Workbench(userLimits: Server.UserLimits(connections: 10, calls: 20))
    let start = Clock.boottime()
    for _ in 0..<40 {
      let client = try bench.connect()
      client.send(echo)
      #expect(try bench.turn { client.messages.count == 1 })
    }
    #expect(Clock.boottime() - start > 900_000_000)
  }

  @Test func `who passes a descriptor is disconnected, and it is not kept`() throws {
    let bench = try Workbench()
    let (client, other) = (try bench.connect(), try bench.connect())
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(passDescriptor(ends[1], over: client.socket.number, with: Array((echo + "\0").utf8)))
    close(ends[1])
    #expect(
      try bench.turn {
        client.read()
        return client.isClosed
      })
    #expect(client.messages.isEmpty && bench.notes.isEmpty, "what came with it is not done either")
    // Nobody holds the pipe's other end any more.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    other.send(echo)
    #expect(try bench.turn { other.messages.count == 1 })
  }

  /// Sends `bytes` and a descriptor with them (`SCM_RIGHTS`).
  private func passDescriptor(_ descriptor: Int32, over socket: Int32, with bytes: [UInt8]) -> Bool {
    // A header of 16 bytes and a number, padded to eight bytes (CMSG_SPACE).
    var control = [UInt64](repeating: 0, count: 3)
    control[0] = 20
    control[1] = UInt64(UInt32(SOL_SOCKET)) | UInt64(SCM_RIGHTS) << 32
    control[2] = UInt64(UInt32(descriptor))
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(socket, &message, 0) == bytes.count
        }
      }
    }
  }
}
