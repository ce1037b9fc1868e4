import Foundation
import Glibc
import JSON
import Linux
import Synchronization
import TestKit

/// Connections on a thread of their own that ask the same questions again and again, for as long as the object lives.
final class BusyReaders: @unchecked Sendable {
  private let state = State()
  private let ended = DispatchSemaphore(value: 0)

  private final class State: Sendable {
    let isOver = Atomic(false)
    /// How many questions were answered, or how many clients have left.
    let rounds = Atomic(0)

    var goesOn: Bool { !isOver.load(ordering: .relaxed) }
    func count() { rounds.wrappingAdd(1, ordering: .relaxed) }
  }

  /// - Parameters:
  ///   - depth: how many questions of a connection wait for their replies.
  init(_ path: String, connections: Int, depth: Int, questions: [(String, JSONObject)]) {
    let messages = questions.map { Array(message($0, $1).utf8) }
    run { state in
      let sockets = (0..<connections).compactMap { _ in try? UnixSocket.connect(to: path, blocking: false) }
      var asked = 0
      func ask(_ socket: FileDescriptor) {
        let bytes = messages[asked % messages.count]
        asked += 1
        _ = send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      }
      for socket in sockets { for _ in 0..<depth { ask(socket) } }
      var portion = [UInt8](repeating: 0, count: 1 << 16)
      while state.goesOn {
        var ready = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        guard poll(&ready, UInt(ready.count), 20) > 0 else { continue }
        for (index, socket) in sockets.enumerated() where ready[index].revents != 0 {
          let count = recv(socket.number, &portion, portion.count, 0)
          guard count > 0 else { continue }
          for byte in portion[..<count] where byte == 0 {
            state.count()
            ask(socket)
          }
        }
      }
    }
  }

  /// Connects, sends as much as the kernel takes, leaves, and begins again.
  init(_ path: String, leavingAfter question: (String, JSONObject)) {
    let bytes = [UInt8](Array(repeating: Array(message(question.0, question.1).utf8), count: 3000).joined())
    run { state in
      while state.goesOn {
        guard let socket = try? UnixSocket.connect(to: path, blocking: false) else { continue }
        _ = send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        state.count()
      }
    }
  }

  /// Waits until so many more questions are answered, or so many more clients have left.
  func wait(for more: Int) throws {
    let last = state.rounds.load(ordering: .relaxed) + more
    try Wait.until("the readers are at work") { state.rounds.load(ordering: .relaxed) >= last }
  }

  private func run(_ body: @escaping @Sendable (State) -> Void) {
    Thread { [state, ended] in
      body(state)
      ended.signal()
    }.start()
  }

  deinit {
    state.isOver.store(true, ordering: .relaxed)
    ended.wait()
  }
}

private func message(_ method: String, _ parameters: JSONObject) -> String {
  JSON.object(["method": .string("org.tallymark.Counters.\(method)"), "parameters": .object(parameters)]).description
    + "\0"
}
