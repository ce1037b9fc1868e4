import Gestures
import Glibc
import InputDaemon
import Linux
import TestKit
import Testing

/// The socket through which programs hear a device that the daemon has grabbed.
@Suite
struct EventRelayTests {
  let folder = TemporaryFolder()
  let loop: EventLoop
  let relay: EventRelay
  static let syspath = "/sys/devices/virtual/input/input7/event4"

  init() throws {
    ServiceProcess.ignoreWriteSignals()
    loop = try EventLoop()
    relay = try EventRelay(loop: loop, path: "\(folder.path)/1.spool.events")
  }

  /// A connection that has named a device.
  final class Listener {
    let descriptor: FileDescriptor
    var decoder = RelayMessage.Decoder()
    var messages: [RelayMessage] = []
    var isAtEnd = false

    init(_ path: String, _ request: String = "\(syspath)\n") throws {
      descriptor = try UnixSocket.connect(to: path, blocking: false)
      try descriptor.writeAll(Array(request.utf8))
    }

    /// All that has come so far.
    func heard() throws -> [RelayMessage] {
      try read()
      return messages
    }

    func read() throws {
      var buffer = [UInt8](repeating: 0, count: 10_000)
      while !isAtEnd {
        let count: Int?
        do {
          count = try buffer.withUnsafeMutableBytes { try UnixSocket.receive(from: descriptor, into: $0) }
        } catch let error as SystemError where error.code == ECONNRESET {
          count = 0
        }
        guard let count else { return }
        isAtEnd = count == 0
        let found = decoder.decode(buffer[..<count])
        messages += try #require(found)
      }
    }
  }

  private func listener(_ request: String = "\(syspath)\n") throws -> Listener {
    let listener = try Listener("\(folder.path)/1.spool.events", request)
    turn()
    return listener
  }

  private func heldDevice() -> RelayedDevice {
    let device = relay.device(Self.syspath)
    device.held(since: .min)
    return device
  }

  private func turn() { while (try? loop.runOnce(waiting: 0)) == true {} }

  private func frame(_ time: Int64, isResync: Bool = false) -> Frame {
    Frame(
      time: time, events: [.init(type: 4, code: 4, value: -5), .init(type: 1, code: 48, value: 1)], isResync: isResync)
  }

  @Test(arguments: ["a\nb", "\u{1B}]0;x", "\u{9b}5m", "\u{202e}a", "a\tb", "a\0b"])
  func `a request that a log could not quote ends the connection`(_ text: String) throws {
    let refused = try listener("\(Self.syspath)\(text)\n")
    #expect(try refused.heard().isEmpty && refused.isAtEnd)
  }

  @Test func `frames of a grabbed device are passed on, and those before the grab are not`() throws {
    let device = relay.device(Self.syspath)
    let listener = try listener()
    device.pass(frame(10))
    device.held(since: 20)
    device.pass(frame(20))
    device.pass(frame(21))
    device.pass(frame(22, isResync: true))
    device.released()
    device.pass(frame(30))
    #expect(
      try listener.heard() == [
        .held(false), .held(true), .frame(frame(21)), .frame(frame(22, isResync: true)), .held(false),
      ])
  }

  @Test func `who comes later hears that the device is held, and nothing of another one`() throws {
    let device = heldDevice()
    let (one, other) = (try listener(), try listener("/sys/other\n"))
    device.pass(frame(1))
    #expect(try one.heard() == [.held(true), .frame(frame(1))])
    #expect(try other.heard() == [.held(false)])
  }

  @Test func `who may hear a device is told how many of its strokes were ignored, before anything else`() throws {
    let device = relay.device(Self.syspath)
    device.ignored = { IgnoredStrokes(bounced: 3, typed: 12) }
    let listener = try listener()
    device.ignored = { IgnoredStrokes() }
    let later = try self.listener()
    for one in [listener, later] { try one.read() }
    #expect(listener.messages == [.ignored(IgnoredStrokes(bounced: 3, typed: 12)), .held(false)])
    #expect(later.messages == [.held(false)])
  }

  @Test func `a client that does not read is disconnected, and no other one`() throws {
    let device = heldDevice()
    let (slow, quick) = (try listener(), try listener())
    for time in 1...6_000 {
      device.pass(frame(Int64(time)))
      if time.isMultiple(of: 50) { try quick.read() }
    }
    try slow.read()
    try quick.read()
    #expect(slow.isAtEnd)
    #expect(slow.messages.count < 3_000)
    #expect(!quick.isAtEnd)
    #expect(quick.messages.count == 6_001)
  }

  @Test(arguments: ["\(syspath)\nmore\n", "\(String(repeating: "x", count: 5000))\n"])
  func `a request that is none of ours ends the connection or hears nothing`(request: String) throws {
    relay.device(Self.syspath).held(since: .min)
    let listener = try listener(request)
    turn()
    relay.device(Self.syspath).pass(frame(1))
    #expect(try !listener.heard().contains(.frame(frame(1))))
  }

  @Test func `a key is read before the next of many that connect and leave`() throws {
    let key = try Wakeup()
    var connected = 0
    let source = try key.watch(on: loop, priority: .input) {
      connected += 1
      // Each is gone before it is accepted.
      for _ in 0..<100 { _ = try? Listener("\(folder.path)/1.spool.events") }
    }
    key.signal()
    #expect(try loop.runOnce(waiting: 0) && connected == 1)
    #expect(try loop.runOnce(waiting: 0))
    #expect((1...EventRelay.mostAcceptedAtOnce).contains(relay.clientCount))
    key.signal()
    #expect(try loop.runOnce(waiting: 0) && connected == 2)
    turn()
    #expect(relay.clientCount == 0)
    withExtendedLifetime(source) {}
  }

  @Test func `one user gets 128 connections`() throws {
    let listeners = try (0..<130).map { _ in try listener() }
    for listener in listeners { try listener.read() }
    #expect(listeners.count { !$0.isAtEnd } == 128)
  }

  @Test func `a client's end is noticed, and a closed relay ends all and leaves no socket`() throws {
    let device = relay.device(Self.syspath)
    device.used(through: try UnixSocket.connect(to: "\(folder.path)/1.spool.events", blocking: false))
    device.held(since: .min)
    do { _ = try listener() }
    turn()
    let last = try listener()
    device.pass(frame(1))
    relay.close()
    #expect(try last.heard() == [.held(true), .frame(frame(1))] && last.isAtEnd)
    #expect(EventRelay.sockets(in: folder.path) == [])
  }

  @Test func `the socket is open for the user and the group alone`() throws {
    var status = stat()
    #expect(stat("\(folder.path)/1.spool.events", &status) == 0 && status.st_mode & 0o777 == 0o660)
    #expect(EventRelay.sockets(in: folder.path) == ["\(folder.path)/1.spool.events"])
  }

  @Test func `messages survive any cut, and nonsense of any length ends`() throws {
    let listener = try listener()
    let device = heldDevice()
    device.pass(frame(.max))
    device.pass(frame(3))
    var decoder = RelayMessage.Decoder()
    var found: [RelayMessage] = []
    var byte: [UInt8] = [0]
    while let count = try byte.withUnsafeMutableBytes({ try UnixSocket.receive(from: listener.descriptor, into: $0) }),
      count > 0
    {
      let next = decoder.decode(byte)
      found += try #require(next)
    }
    #expect(found == [.held(false), .held(true), .frame(frame(.max)), .frame(frame(3))])
    var nonsense = RelayMessage.Decoder()
    var isRefused = false
    for _ in 0..<100 where nonsense.decode([UInt8](repeating: 0xff, count: 4096)) == nil { isRefused = true }
    #expect(isRefused)
  }
}
