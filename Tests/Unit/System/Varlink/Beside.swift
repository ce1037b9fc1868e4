import Dispatch
import Glibc
import JSON
import Linux
import TestKit
import Varlink

/// Something that serves in a thread of its own, for a client that waits.
enum Beside {
  /// Runs a real server while `body` runs with its path. `Count` counts to its number at once, and without end from
  /// 100 on.
  static func server(_ body: (String) throws -> Void) throws {
    let isReady = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var path = ""
    DispatchQueue(label: "server").async {
      defer {
        isReady.signal()
        hasEnded.signal()
      }
      guard let bench = try? Workbench() else { return }
      path = bench.path
      isReady.signal()
      while isOver.wait(timeout: .now()) == .timedOut {
        _ = try? bench.loop.runOnce(waiting: 2_000)
        for call in bench.kept { count(call) }
        bench.kept.removeAll { $0.parameters["to"]?.int ?? 0 < 100 }
      }
    }
    isReady.wait()
    defer {
      isOver.signal()
      hasEnded.wait()
    }
    try body(path)
  }

  /// Runs `body` with a client of a real server and the path of that.
  static func client(_ body: (Client, String) throws -> Void) throws {
    try server { try body(try Client(path: $0), $0) }
  }

  private static func count(_ call: Call) {
    let last = call.parameters["to"]?.int ?? 0
    for number in 1..<max(1, last) where call.backlog < 10_000 { call.replyContinuing(["number": .int(number)]) }
    if last < 100 { call.reply(["number": .int(last)]) }
  }

  /// Runs `body` with the path of a socket where the first client gets `bytes` after its first call, and then, unless
  /// it `stays`, the end.
  static func script(_ bytes: [UInt8], stays: Bool = false, _ body: (String) throws -> Void) throws {
    let temporary = TemporaryFolder()
    let path = temporary.path("socket")
    let listener = try UnixSocket.listen(at: path, mode: 0o600)
    let isOver = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue(label: "script").async {
      defer { hasEnded.signal() }
      var wanted = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
      poll(&wanted, 1, Int32(Wait.seconds * 1000))
      guard let socket = try? UnixSocket.accept(from: listener) else { return }
      wanted = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      poll(&wanted, 1, Int32(Wait.seconds * 1000))
      var request = [UInt8](repeating: 0, count: 4096)
      _ = request.withUnsafeMutableBytes { request in Result { try socket.read(into: request) } }
      _ = fcntl(socket.number, F_SETFL, 0)
      _ = bytes.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if stays { isOver.wait() }
    }
    defer {
      isOver.signal()
      hasEnded.wait()
    }
    try body(path)
  }
}
