import Glibc
public import JSON
public import Linux

/// A non-blocking connection to a service: replies arrive as calls of closures, from the event loop.
///
/// Calls are pipelined; the service replies in order. Not thread-safe: used by the thread of its loop.
public final class AsyncClient {
  /// Runs once when the connection is lost. The parameter is the error (`EBADMSG` after a violation of the protocol),
  /// or `nil` if the service closed the connection.
  ///
  /// The closures of pending calls are dropped. Whether the service has handled those calls is unknown.
  public var onClosed: ((SystemError?) -> Void)?

  private let path: String
  private var socket: FileDescriptor?
  private var source: DescriptorSource?
  private var flushing: DeferredSource?
  private var interest: EventLoop.Readiness = .readable
  private var reader = ReplyReader()
  private var output = WriteBuffer()
  private var pending: [Handler] = []
  /// Number of closures at the beginning of `pending` that have run.
  private var answered = 0

  /// Receives the reply to a call.
  private enum Handler {
    case parsed((Result<JSONObject, VarlinkError>) -> Void)
    case encoded((Result<EncodedObject, VarlinkError>) -> Void)
    /// Receives every reply to a call with `more`.
    case stream((Result<JSONObject, VarlinkError>) -> Void)
  }

  private enum Reply {
    case message(ReplyMessage)
    /// The parameters of a successful reply, still encoded, for a handler that parses them itself.
    case encoded(EncodedObject)
  }

  /// Connects to the socket at `path` without blocking.
  ///
  /// - Throws: `ENOENT` or `ECONNREFUSED` without a service, `EAGAIN` if its queue of new connections is full.
  public init(loop: EventLoop, path: String) throws(SystemError) {
    self.path = path
    let socket = try UnixSocket.connect(to: path, blocking: false)
    self.socket = socket
    source = try loop.watch(socket, for: interest) { [unowned self] found in ready(found) }
    flushing = try loop.deferred(priority: .normal) { [unowned self] in keepingAlive { flush() } }
  }

  /// Whether the connection can send calls.
  public var isOpen: Bool { socket != nil }

  /// Number of calls that wait for a reply.
  public var unansweredCount: Int { pending.count - answered }

  /// Calls `method`; `reply` receives the result, unless the connection is lost before. Does nothing on a closed
  /// connection.
  ///
  /// - Parameter method: the qualified name, `org.varlink.service.GetInfo`.
  public func send(
    _ method: String, _ parameters: JSONObject = [:], reply: @escaping (Result<JSONObject, VarlinkError>) -> Void
  ) {
    guard isOpen else { return }
    if output.isEmpty { flushing?.schedule() }
    CallMessage(method, parameters).write(to: &output.bytes)
    pending.append(.parsed(reply))
  }

  /// Calls `method` with parameters that are encoded already; `reply` parses the result only if it needs to.
  public func send(
    _ method: String, _ parameters: EncodedObject, reply: @escaping (Result<EncodedObject, VarlinkError>) -> Void
  ) {
    guard isOpen else { return }
    if output.isEmpty { flushing?.schedule() }
    parameters.writeCall(of: method, to: &output.bytes)
    pending.append(.encoded(reply))
  }

  /// Calls `method` with `more`; `each` receives every reply. Replies to later calls come after the last one, so calls
  /// during an endless stream need a separate connection.
  public func stream(
    _ method: String, _ parameters: JSONObject = [:], each: @escaping (Result<JSONObject, VarlinkError>) -> Void
  ) {
    guard isOpen else { return }
    if output.isEmpty { flushing?.schedule() }
    CallMessage(method, parameters, mode: .more).write(to: &output.bytes)
    pending.append(.stream(each))
  }

  /// Writes the calls made so far to the socket now, instead of at the end of the loop's turn.
  public func flushNow() {
    guard !output.isEmpty else { return }
    flushing?.cancel()
    keepingAlive { flush() }
  }

  /// Closes the connection; ``onClosed`` does not run.
  public func close() {
    source = nil
    flushing = nil
    socket = nil
    output.removeAll()
    pending = []
    answered = 0
  }

  private func ready(_ found: EventLoop.Readiness) {
    keepingAlive {
      if found.contains(.writable) { flush() }
      // Replies sent before the peer closed can still be read.
      if found != .writable { receive() }
    }
  }

  /// Retains this object and its descriptor for the length of a callback of the loop.
  private func keepingAlive(_ body: () -> Void) { withExtendedLifetime((self, socket)) { body() } }

  private func flush() {
    guard let socket else { return }
    do {
      try output.write(to: socket)
      let wanted: EventLoop.Readiness = output.isEmpty ? .readable : [.readable, .writable]
      guard wanted != interest else { return }
      interest = wanted
      source?.wait(for: wanted)
    } catch {
      // Replies may still be readable.
      receive()
      end(SystemError("write to \(path)", code: error.code))
    }
  }

  private func receive() {
    while let socket {
      do {
        var next = answered
        let portion = unsafe try reader.read(from: socket) { message in
          let reply = unsafe parse(message, for: next)
          if case .message(.continuing) = reply { return reply }
          next += 1
          return reply
        }
        switch portion {
        case .nothing: return
        case .end: return end(nil)
        case .replies(let replies):
          for reply in replies { answer(reply) }
          if reader.isDrained { return }
        }
      } catch {
        end(SystemError("\(error.attempt) from \(path)", code: error.code))
      }
    }
  }

  /// Parses the reply to the call at `index` of `pending`.
  private func parse(_ message: UnsafeRawBufferPointer, for index: Int) -> Reply? {
    if index < pending.count, case .encoded = pending[index], let object = unsafe EncodedObject(parametersOf: message) {
      return .encoded(object)
    }
    return unsafe ReplyMessage(parsing: message).map(Reply.message)
  }

  /// Passes a reply to the closure of the oldest call.
  private func answer(_ reply: Reply) {
    guard isOpen else { return }
    guard unansweredCount > 0 else { return endBroken() }
    let handler = pending[answered]
    if case .message(.continuing(let parameters)) = reply {
      guard case .stream(let closure) = handler else { return endBroken() }
      return closure(.success(parameters))
    }
    answered += 1
    if answered == pending.count {
      pending.removeAll(keepingCapacity: true)
      answered = 0
    }
    switch (reply, handler) {
    case (.message(.last(let parameters)), .parsed(let closure)),
      (.message(.last(let parameters)), .stream(let closure)):
      closure(.success(parameters))
    case (.message(.last(let parameters)), .encoded(let closure)): closure(.success(EncodedObject(parameters)))
    case (.encoded(let parameters), .encoded(let closure)): closure(.success(parameters))
    case (.message(.error(let error)), .parsed(let closure)), (.message(.error(let error)), .stream(let closure)):
      closure(.failure(error))
    case (.message(.error(let error)), .encoded(let closure)): closure(.failure(error))
    case (.message(.continuing), _), (.encoded, .parsed), (.encoded, .stream): endBroken()
    }
  }

  private func endBroken() { end(SystemError("parse a reply from \(path)", code: EBADMSG)) }

  private func end(_ error: SystemError?) {
    guard isOpen else { return }
    close()
    let handler = onClosed
    onClosed = nil
    handler?(error)
  }
}
