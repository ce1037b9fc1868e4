import Glibc
import Platform
import Varlink

/// A core that is asked by somebody who does not wait for ever.
final class PatientClient {
  /// Longer than a core needs that systemd starts for the first who asks, or that waits for a slow disk.
  static let patience: Int64 = 10_000_000_000

  private let loop: EventLoop
  private let client: LoopClient
  private let patience: Int64
  /// Why there will be no more answers.
  private var end: SystemError?

  /// Connects to the socket at `path`, which takes no time.
  ///
  /// - Parameter patience: how long each answer may take, in nanoseconds.
  /// - Throws: `ENOENT` or `ECONNREFUSED` where nobody serves, `EACCES` where one may not ask, `EAGAIN` where too many
  ///   wait already.
  init(path: String, patience: Int64 = patience) throws(SystemError) {
    loop = try EventLoop()
    client = try LoopClient(loop: loop, path: path)
    self.patience = patience
    client.onClosed = { [unowned self] in end = $0 ?? SystemError("get an answer", code: ECONNRESET) }
  }

  /// Calls `method` and waits for its answer.
  ///
  /// - Throws: a `VarlinkError` that the core answered; a `SystemError` where it has gone, breaks the protocol, or gives no
  ///   answer in time (`ETIMEDOUT`).
  func call(_ method: String) throws -> JSONObject {
    var answer: Result<JSONObject, VarlinkError>?
    client.send(method) { answer = $0 }
    let deadline = Clock.monotonic() &+ patience
    while true {
      if let answer { return try answer.get() }
      if let end { throw end }
      let left = deadline &- Clock.monotonic()
      guard left > 0 else { throw SystemError("get an answer to \(method)", code: ETIMEDOUT) }
      _ = try loop.runOnce(waiting: UInt64(left / 1000 + 1))
    }
  }
}
