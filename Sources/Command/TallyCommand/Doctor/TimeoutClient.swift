import CoreAPI
import Glibc
import JSON
import Linux
import Varlink

/// A client of the core whose calls time out.
final class TimeoutClient {
  /// The default timeout, in nanoseconds: longer than systemd needs to start a core, or than a slow disk delays one.
  static let patience: Int64 = 10_000_000_000

  private let loop: EventLoop
  private let client: AsyncClient
  private let patience: Int64
  /// The reason why no more replies will come.
  private var end: SystemError?

  /// Connects to the socket at `path`, without waiting.
  ///
  /// - Parameter patience: the timeout of a call, in nanoseconds.
  /// - Throws: `ENOENT` or `ECONNREFUSED` if no core listens, `EACCES` without permission, `EAGAIN` if the queue of the
  ///   socket is full.
  init(path: String, patience: Int64 = patience) throws(SystemError) {
    loop = try EventLoop()
    client = try AsyncClient(loop: loop, path: path)
    self.patience = patience
    client.onClosed = { [unowned self] in end = $0 ?? SystemError("get an answer", code: ECONNRESET) }
  }

  /// Calls `method` and waits for the reply.
  ///
  /// - Throws: a `VarlinkError` returned by the core; a `SystemError` if the connection is lost, the protocol is
  ///   violated, or the call times out (`ETIMEDOUT`).
  func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    var answer: Result<JSONObject, VarlinkError>?
    client.send(method, parameters) { answer = $0 }
    let deadline = Clock.monotonic() &+ patience
    while true {
      if let answer { return try answer.get() }
      if let end { throw end }
      let left = deadline &- Clock.monotonic()
      guard left > 0 else { throw SystemError("get an answer to \(method)", code: ETIMEDOUT) }
      _ = try loop.runOnce(waiting: UInt64(left / 1000 + 1))
    }
  }

  /// Sends a request to the core and waits for its reply; throws like ``call(_:_:)``.
  func call<Reply>(_ request: Counters.Request<Reply>) throws -> Reply {
    Reply(try call(request.method.qualifiedName, request.parameters))
  }
}
