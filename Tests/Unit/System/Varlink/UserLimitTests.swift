import Glibc
import JSON
import Linux
import TestKit
import Testing
import Varlink

/// What the clients of one user may claim together, and that nothing but bytes is taken from them.
@Suite struct UserLimitTests {
  @Test func `one connection too many is closed at once, and the others go on`() throws {
    let bench = try Workbench(userLimits: .init(connections: 2, calls: 1000))
    let clients = try (0..<3).map { _ in try bench.connect() }
    for client in clients { client.send(.echo("a")) }
    #expect(try bench.turn { clients.map(\.messages.count) == [1, 1, 0] && clients[2].isClosed })
    #expect(bench.server.connectionCount == 2)
  }

  @Test func `connections that are refused are taken out of the queue in a few turns, as others wait behind them`()
    throws
  {
    let bench = try Workbench(userLimits: .init(connections: 1, calls: 1000))
    let first = try bench.connect()
    #expect(try bench.turn { bench.server.connectionCount == 1 })
    let crowd = try (0..<400).map { _ in try bench.connect() }
    let other = try bench.connect()
    var asked = 0
    bench.onLimits = {
      asked += 1
      // Those that share a quota are another user.
      if asked > crowd.count { bench.userLimits?.isShared = true }
      let end = Clock.monotonic() + 100_000
      while Clock.monotonic() < end {}
    }
    var (turns, most) = (0, 0)
    while bench.server.connectionCount < 2, turns < 1000 {
      let before = asked
      _ = try bench.loop.runOnce(waiting: 0)
      turns += 1
      most = max(most, asked - before)
    }
    // A turn ends by the clock, on a busy machine after a few of them. In the time of those that are accepted it would take five.
    #expect(most >= 10)
    other.send(.echo("a"))
    #expect(try bench.turn { other.messages.count == 1 })
    #expect(!first.isClosed)
  }

  @Test func `the queue in which others would wait behind those who come and leave is short`() throws {
    let bench = try Workbench(waiting: 2, userLimits: .init(connections: 1, calls: 1000))
    let crowd = try (0..<3).map { _ in try bench.connect() }
    #expect { try bench.connect() } throws: { ($0 as? SystemError)?.code == EAGAIN }
    #expect(try bench.turn { crowd.map(\.messages.count) == [0, 0, 0] && crowd[1].isClosed && crowd[2].isClosed })
    #expect(throws: Never.self) { try bench.connect() }
  }

  @Test func `who has let go of a connection may make another one`() throws {
    let bench = try Workbench(userLimits: .init(connections: 1, calls: 1000))
    do {
      let first = try bench.connect()
      first.send(.echo("a"))
      #expect(try bench.turn { first.messages.count == 1 })
    }
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    let second = try bench.connect()
    second.send(.echo("a"))
    #expect(try bench.turn { second.messages.count == 1 })
  }

  @Test func `calls that come too fast wait and are answered later`() throws {
    let bench = try Workbench(userLimits: .init(connections: 10, calls: 50), isTimed: false)
    let clients = try (0..<2).map { _ in try bench.connect() }
    for client in clients { for _ in 0..<40 { client.send(.echo("a")) } }
    // Eighty calls of which fifty are free and thirty take a fiftieth of a second each. Parts of calls are not kept.
    for (time, count) in [(0, 50), (20, 51), (200, 60), (399, 69), (600, 79), (620, 80)] as [(Int64, Int)] {
      try bench.advance(to: time)
      #expect(bench.notes.count == count, "after \(time) ms")
    }
    #expect(try bench.turn { clients.allSatisfy { $0.messages.count == 40 } }, "none is lost")
  }

  @Test func `connecting again does not give more calls`() throws {
    let bench = try Workbench(userLimits: .init(connections: 10, calls: 20), isTimed: false)
    for number in 1...25 {
      let client = try bench.connect()
      client.send(.echo("a"))
      if number > 20 {
        try bench.advance(to: Int64(number - 20) * 50 - 1)
        #expect(client.messages.isEmpty)
        try bench.advance(to: Int64(number - 20) * 50)
      }
      #expect(try bench.turn { client.messages.count == 1 })
    }
  }

  @Test func `what a client asked before it left is dropped, and what it changed is done at the usual pace`() throws {
    let bench = try Workbench(userLimits: .init(connections: 10, calls: 40))
    do {
      let client = try bench.connect()
      for _ in 0..<40 { client.send(.echo("a"), .note("n")) }
    }
    #expect(try bench.turn { bench.notes.count == 40 && bench.server.connectionCount == 0 })
    #expect(bench.notes.allSatisfy { $0 == "n" }, "no question was answered")
  }

  /// How a client ends its connection.
  enum Farewell: CaseIterable {
    /// Closes the connection.
    case closed
    /// Closes it, and has not read all replies.
    case closedUnread
    /// Ends its sending only.
    case sendingEnded
  }

  @Test(arguments: Farewell.allCases)
  func `a throttled client that leaves costs no turns of the loop, and its changes are made later`(
    _ farewell: Farewell
  ) throws {
    let bench = try Workbench(userLimits: .init(connections: 10, calls: 20), isTimed: false)
    var client: RawClient? = try bench.connect()
    for _ in 0..<30 { client?.send(.note("n")) }
    #expect(try bench.turn { bench.notes.count == 20 })
    try bench.settle()
    if farewell != .closedUnread { client?.read() }
    if farewell == .sendingEnded { client?.shutDownSending() } else { client = nil }
    let turns = try (0..<500).count { _ in try bench.loop.runOnce(waiting: 0) }
    // The server looks after the throttled ones in a few turns every 20 ms, of which 500 turns take one or two.
    #expect(turns < 250)
    #expect(bench.notes.count == 20 && bench.server.connectionCount == 1)
    try bench.advance(to: 250)
    #expect(bench.notes.count == 25)
    try bench.advance(to: 1000)
    #expect(bench.notes.count == 30)
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    #expect(client == nil || client?.messages.count == 30)
  }

  @Test func `what a client sent before it left is dropped where it could change nothing`() throws {
    let bench = try Workbench(userLimits: .init(connections: 10, calls: 1000))
    bench.mayChange = false
    do {
      let client = try bench.connect()
      for _ in 0..<40 { client.send(.note("n")) }
    }
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    #expect(bench.notes.isEmpty)
  }

  @Test func `those who leave again and again are served in turns with the others`() throws {
    let bench = try Workbench()
    let other = try bench.connect()
    let note = Array((String.note("n") + "\0").utf8)
    for _ in 0..<4 { try bench.connect().send(Array(repeating: note, count: 1000).joined()) }
    other.send(.echo("a"))
    #expect(try bench.turn { other.messages.count == 1 })
    #expect(bench.notes.count < 1000, "\(bench.notes.count) calls of others came first")
    #expect(try bench.turn { bench.server.connectionCount == 1 })
    #expect(bench.notes.count == 4001)
  }

  @Test func `another user's call waits for a few long ones only, however many connections make them`() throws {
    let bench = try Workbench(userLimits: .init(connections: 64, calls: 1000))
    let crowd = try (0..<64).map { _ in try bench.connect() }
    #expect(try bench.turn { bench.server.connectionCount == 64 })
    // Those that share a quota are another user.
    bench.userLimits?.isShared = true
    let other = try bench.connect()
    #expect(try bench.turn { bench.server.connectionCount == 65 })
    // Each takes longer than a turn of the sockets, and than the user's time.
    bench.onNote = {
      let end = Clock.monotonic() + 3_000_000
      while Clock.monotonic() < end {}
    }
    for client in crowd { client.send(.note("long")) }
    other.send(.echo("a"))
    #expect(try bench.turn { other.messages.count == 1 })
    #expect(bench.notes.count <= 5, "\(bench.notes.count - 1) calls of the other user came first")
  }

  @Test func `other limits hold for whoever comes again, whatever he did before`() throws {
    let bench = try Workbench(userLimits: .init(connections: 1, calls: 1000))
    let first = try bench.connect()
    first.send(.echo("a"))
    #expect(try bench.turn { first.messages.count == 1 })
    var others: [RawClient] = []
    for (connections, isTaken) in [(2, true), (2, false), (3, true)] {
      bench.userLimits?.connections = connections
      let other = try bench.connect()
      other.send(.echo("a"))
      #expect(try bench.turn { other.messages.count == 1 || other.isClosed })
      #expect(other.isClosed != isTaken)
      if isTaken { others.append(other) }
    }
  }

  @Test func `other limits hold at once for whoever is connected, if the server is told`() throws {
    let bench = try Workbench(userLimits: .init(connections: 3, calls: 1000), isTimed: false)
    let (client, long) = (try bench.connect(), try bench.connect())
    for client in [client, long] { client.send(.echo("a")) }
    #expect(try bench.turn { client.messages.count == 1 && long.messages.count == 1 })
    bench.userLimits = Server.UserLimits(connections: 3, calls: 20)
    bench.userLimits?.message = 100
    bench.server.applyUserLimits()
    for _ in 0..<40 { client.send(.echo("a")) }
    for (time, count) in [(0, 21), (500, 31), (1000, 41)] as [(Int64, Int)] {
      try bench.advance(to: time)
      #expect(client.messages.count == count, "after \(time) ms")
    }
    try bench.advance(to: 2000)
    long.send(.note(String(repeating: "x", count: 100)))
    #expect(try bench.ends(long))
  }

  @Test func `those who share an account take nothing from the others`() throws {
    let bench = try Workbench(userLimits: .init(connections: 1, calls: 1000))
    var clients: [RawClient] = []
    for (isShared, isTaken) in [(true, true), (true, false), (false, true), (false, false)] {
      bench.userLimits?.isShared = isShared
      let client = try bench.connect()
      client.send(.echo("a"))
      #expect(try bench.turn { client.messages.count == 1 || client.isClosed })
      #expect(client.isClosed != isTaken)
      clients.append(client)
    }
    #expect(bench.server.connectionCount == 2)
    clients = []
    #expect(try bench.turn { bench.server.connectionCount == 0 })
    bench.userLimits?.isShared = true
    let again = try bench.connect()
    again.send(.echo("a"))
    #expect(try bench.turn { again.messages.count == 1 }, "what was let go of may be claimed again")
  }

  @Test func `who may send short messages only is disconnected for a longer one`() throws {
    var limits = Server.UserLimits(connections: 2, calls: 1000)
    limits.message = 1000
    let bench = try Workbench(userLimits: limits)
    let shell = String.note("")
    for excess in [0, 1] {
      let client = try bench.connect()
      let text = String(repeating: "x", count: 1000 - shell.utf8.count + excess)
      client.send(.note(text))
      #expect(try bench.turn { !client.messages.isEmpty || client.isClosed })
      #expect(client.isClosed == (excess == 1))
    }
  }

  @Test func `unfinished messages are kept up to a sum, beyond which the longest goes`() throws {
    let bench = try Workbench(limits: Self.little, userLimits: .init(connections: 10, calls: 1000))
    let clients = try [500_000, 400_000, 300_000].map { size in
      let client = try bench.connect()
      try send([UInt8](repeating: UInt8(ascii: " "), count: size), from: client, to: bench)
      return client
    }
    #expect(try bench.ends(clients[0]))
    #expect(bench.server.connectionCount == 2)
    for client in clients.dropFirst() { client.send(.echo("a")) }
    #expect(try bench.turn { clients.dropFirst().allSatisfy { $0.messages.count == 1 } }, "the others go on")
  }

  @Test func `replies that nobody takes are kept up to a sum, beyond which the client with most goes`() throws {
    let bench = try Workbench(limits: Self.little, userLimits: .init(connections: 10, calls: 1000))
    let clients = try (0..<3).map { _ in try bench.connect() }
    let (asker, others) = (clients[0], clients.dropFirst())
    asker.send(.blob(900000))
    try bench.settle()
    #expect(bench.server.connectionCount == 3)
    for other in others { other.send(.blob(400000)) }
    try bench.settle()
    #expect(bench.server.connectionCount == 2)
    #expect(try bench.turn { others.allSatisfy { $0.messages.count == 1 } })
    #expect(asker.messages.isEmpty && asker.isClosed)
  }

  @Test func `replies to a call that was kept count as well`() throws {
    let bench = try Workbench(limits: Self.little, userLimits: .init(connections: 10, calls: 1000))
    let (asker, other) = (try bench.connect(), try bench.connect())
    asker.send(.count(to: 100000))
    #expect(try bench.turn { bench.kept.count == 1 })
    for number in 0..<100_000 { bench.kept[0].replyContinuing(["number": .int(Int64(number))]) }
    #expect(bench.server.connectionCount == 1)
    bench.kept = []
    other.send(.echo("a"))
    #expect(try bench.turn { other.messages.count == 1 })
  }

  @Test func `who may claim all there is is not disconnected for it`() throws {
    let bench = try Workbench(limits: Self.little)
    let clients = try (0..<3).map { _ in try bench.connect() }
    for client in clients { client.send(.blob(600000)) }
    #expect(try bench.turn { clients.allSatisfy { $0.messages.count == 1 } })
  }

  @Test func `a handler that puts off answers is told to give them before long messages have gathered`() throws {
    let bench = try Workbench()
    var gathered: [Int] = []
    bench.onPause = {
      gathered.append(bench.notes.map(\.utf8.count).reduce(0, +))
      bench.notes = []
    }
    let text = String(repeating: "x", count: 100_000)
    let clients = try (0..<8).map { _ in try bench.connect() }
    for client in clients { client.send(.note(text)) }
    #expect(try bench.turn { clients.allSatisfy { $0.messages.count == 1 } })
    #expect(gathered.reduce(0, +) == 800_000)
    #expect(gathered.allSatisfy { $0 <= 300_000 })
  }

  /// Keeps a million bytes for all together.
  private static let little = {
    var limits = Server.Limits()
    limits.bufferedBytes = 1_000_000
    return limits
  }()

  /// Sends all of `bytes`, as the server takes them.
  private func send(_ bytes: [UInt8], from client: RawClient, to bench: Workbench) throws {
    var sent = 0
    #expect(
      try bench.turn {
        sent += client.send(bytes[sent...])
        return sent == bytes.count
      })
    try bench.settle()
  }

  @Test func `who passes a descriptor is disconnected, and it is not kept`() throws {
    let bench = try Workbench()
    let (client, other) = (try bench.connect(), try bench.connect())
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(passDescriptor(ends[1], over: client.socket.number, with: Array((String.echo("a") + "\0").utf8)))
    close(ends[1])
    #expect(try bench.ends(client))
    #expect(client.messages.isEmpty && bench.notes.isEmpty, "what came with it is not done either")
    // Nobody holds the pipe's other end any more.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    other.send(.echo("a"))
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
