import Glibc
public import JSON
public import Linux

/// A blocking connection to a service, for command lines, scripts and tests.
public final class Client {
  private let path: String
  /// `nil` after the connection was lost or closed.
  private var socket: FileDescriptor?
  private var reader = ReplyReader()
  /// Replies that were read and not returned yet.
  private var arrived: [ReplyMessage] = []

  /// An action that runs every `after` milliseconds while the client waits for a reply, or for the service to read a
  /// call.
  public var whenQuiet: (after: Int32, act: () -> Void)?
  /// The number of times that ``whenQuiet`` has run during the wait for the present reply.
  public private(set) var quietTimes = 0

  /// The maximum time to wait for a reply, in milliseconds; `nil` for no limit.
  public var patience: Int32?

  /// The default time to wait while the service's queue of new connections is full, in milliseconds.
  public static let patience: UInt32 = 2000

  /// Connects to the socket at `path`.
  ///
  /// - Parameter patience: the time to wait while the service's queue of new connections is full, in milliseconds. The
  ///   queue of a hanging service stays full.
  /// - Throws: errors of ``UnixSocket/connect(to:blocking:patience:)``: `ENOENT` or `ECONNREFUSED` without a service,
  ///   `EAGAIN` if the queue is full.
  public init(path: String, patience: UInt32 = patience) throws(SystemError) {
    self.path = path
    socket = try UnixSocket.connect(to: path, blocking: true, patience: patience)
  }

  /// Calls `method` and waits for its reply.
  ///
  /// - Parameter method: the qualified name, `org.varlink.service.GetInfo`.
  /// - Throws: a ``VarlinkError`` from the service; a `SystemError` if the connection is lost or the service violates
  ///   the protocol (`EBADMSG`), or if there is no reply within ``patience`` (`ETIMEDOUT`). After a `SystemError` the
  ///   client cannot be used again.
  public func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    try send(CallMessage(method, parameters))
    switch try receive() {
    case .last(let parameters): return parameters
    case .error(let error): throw error
    case .continuing: throw broken()
    }
  }

  /// Calls `method` with `more` and passes each reply to `each`, until the last one.
  ///
  /// - Parameter each: returns whether to continue. `false` ends the stream by closing the connection.
  /// - Throws: errors of ``call(_:_:)`` and of `each`.
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

  /// Calls `method` with `oneway`: the service sends no reply, so the result is unknown.
  ///
  /// - Throws: a `SystemError` if the connection is lost.
  public func callOneway(_ method: String, _ parameters: JSONObject = [:]) throws(SystemError) {
    try send(CallMessage(method, parameters, mode: .oneway))
  }

  private func send(_ message: CallMessage) throws(SystemError) {
    guard let socket else { throw SystemError("call \(message.method) at \(path)", code: ENOTCONN) }
    var output = WriteBuffer()
    message.write(to: &output.bytes)
    do {
      quietTimes = 0
      try output.write(to: socket)
      // A hanging service does not read.
      while !output.isEmpty {
        try waitWhileQuiet(socket, for: POLLOUT)
        try output.write(to: socket)
      }
    } catch {
      self.socket = nil
      throw SystemError("call \(message.method) at \(path)", code: error.code)
    }
  }

  /// Waits for one reply; further replies are kept for the next call.
  private func receive() throws(SystemError) -> ReplyMessage {
    while arrived.isEmpty {
      guard let socket else { throw SystemError("read a reply from \(path)", code: ENOTCONN) }
      quietTimes = 0
      do throws(SystemError) {
        try waitWhileQuiet(socket, for: POLLIN)
        let portion = unsafe try reader.read(from: socket) { unsafe ReplyMessage(parsing: $0) }
        guard case .replies(let replies) = portion else {
          throw SystemError("read a reply", code: ECONNRESET)
        }
        arrived = replies
      } catch {
        self.socket = nil
        throw SystemError("\(error.attempt) from \(path)", code: error.code)
      }
    }
    return arrived.removeFirst()
  }

  private func waitWhileQuiet(_ socket: FileDescriptor, for readiness: Int32) throws(SystemError) {
    var found = pollfd(fd: socket.number, events: Int16(readiness), revents: 0)
    if let patience, unsafe poll(&found, 1, patience) == 0 { throw SystemError("wait for a reply", code: ETIMEDOUT) }
    guard let whenQuiet else { return }
    while unsafe poll(&found, 1, whenQuiet.after) == 0 {
      quietTimes += 1
      whenQuiet.act()
    }
  }

  /// Closes the connection after a violation of the protocol.
  private func broken() -> SystemError {
    socket = nil
    return SystemError("parse a reply from \(path)", code: EBADMSG)
  }
}
