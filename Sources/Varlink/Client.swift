import Glibc
public import Platform

/// A connection to a service that waits for each answer: for command lines, scripts and tests.
public final class Client {
  private let path: String
  /// `nil` once the connection is of no more use.
  private var socket: Descriptor?
  private var reader = ReplyReader()
  /// Replies that came together with an earlier one.
  private var arrived: [ReplyMessage] = []

  /// What is done again and again while an answer is waited for and none has come for so many milliseconds.
  public var whenQuiet: (after: Int32, act: () -> Void)?

  /// Connects to the socket at `path`.
  ///
  /// - Throws: what ``UnixSocket/connect(to:blocking:)`` throws: `ENOENT` or `ECONNREFUSED` where nobody serves.
  public init(path: String) throws(SystemError) {
    self.path = path
    socket = try UnixSocket.connect(to: path, blocking: true)
  }

  /// Calls `method` and waits for its answer.
  ///
  /// - Parameter method: the qualified name, `org.varlink.service.GetInfo`.
  /// - Throws: a ``VarlinkError`` that the service answered; a `SystemError` when the connection is lost or the
  ///   service breaks the protocol (`EBADMSG`), after which this client is of no more use.
  public func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try send(CallMessage(method, parameters))
    switch try receive() {
    case .last(let parameters): return parameters
    case .error(let error): throw error
    case .continuing: throw broken()
    }
  }

  /// Calls `method` with `more` and hands each of its answers to `each`, until the last one.
  ///
  /// - Parameter each: whether it wants another one. If not, the connection is over, as leaving is how a client ends
  ///   a stream.
  /// - Throws: what ``call(_:_:)`` throws, and what `each` throws.
  public func stream(
    _ method: String, _ parameters: JSONObject = [:], each: (JSONObject) throws -> Bool
  ) throws {
    try send(CallMessage(method, parameters, mode: .more))
    while true {
      switch try receive() {
      case .continuing(let parameters):
        var wantsMore = false
        defer { if !wantsMore { socket = nil } }
        wantsMore = try each(parameters)
        if !wantsMore { return }
      case .last(let parameters):
        _ = try each(parameters)
        return
      case .error(let error): throw error
      }
    }
  }

  /// Calls `method` without waiting for anything; whether it was done shows nowhere.
  ///
  /// - Throws: a `SystemError` when the connection is lost.
  public func callOneway(_ method: String, _ parameters: JSONObject = [:]) throws(SystemError) {
    try send(CallMessage(method, parameters, mode: .oneway))
  }

  private func send(_ message: CallMessage) throws(SystemError) {
    guard let socket else { throw SystemError("call \(message.method) at \(path)", code: ENOTCONN) }
    var output = OutgoingBytes()
    message.write(to: &output.bytes)
    do {
      try output.write(to: socket)
    } catch {
      self.socket = nil
      throw SystemError("call \(message.method) at \(path)", code: error.code)
    }
  }

  /// Waits for one reply; what comes after it is kept for the next time.
  private func receive() throws(SystemError) -> ReplyMessage {
    while arrived.isEmpty {
      guard let socket else { throw SystemError("get an answer from \(path)", code: ENOTCONN) }
      waitWhileQuiet(socket)
      do throws(SystemError) {
        guard case .replies(let replies) = try reader.read(from: socket) else {
          throw SystemError("get an answer", code: ECONNRESET)
        }
        arrived = replies
      } catch {
        self.socket = nil
        throw SystemError("\(error.attempt) from \(path)", code: error.code)
      }
    }
    return arrived.removeFirst()
  }

  private func waitWhileQuiet(_ socket: Descriptor) {
    guard let whenQuiet else { return }
    var found = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&found, 1, whenQuiet.after) == 0 { whenQuiet.act() }
  }

  /// The service broke the protocol; nothing more that it says can be trusted.
  private func broken() -> SystemError {
    socket = nil
    return SystemError("understand an answer from \(path)", code: EBADMSG)
  }
}
