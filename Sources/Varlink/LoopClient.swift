import Glibc
public import Platform

/// A connection to a service for a program that must not wait: answers come as calls of closures, from the loop.
///
/// Calls may be sent while others are unanswered; the service answers them in order. Belongs to the thread of its loop.
public final class LoopClient {
  /// Runs once when the connection ends by the other side's doing, or because it broke the protocol (`EBADMSG`); `nil`
  /// where the service just closed it.
  ///
  /// What was not answered by then never is: its closures are dropped, and nobody knows whether it was done.
  public var onClosed: ((SystemError?) -> Void)?

  private let path: String
  private var socket: Descriptor?
  private var source: DescriptorSource?
  private var flushing: DeferredSource?
  private var interest: EventLoop.Readiness = .readable
  private var reader = ReplyReader()
  private var output = OutgoingBytes()
  private var waiting: [(Result<JSONObject, VarlinkError>) -> Void] = []
  /// Closures before this one had their answer.
  private var answered = 0

  /// Connects to the socket at `path`, which takes no time.
  ///
  /// - Throws: `ENOENT` or `ECONNREFUSED` where nobody serves, `EAGAIN` where too many wait already.
  public init(loop: EventLoop, path: String) throws(SystemError) {
    self.path = path
    let socket = try UnixSocket.connect(to: path, blocking: false)
    self.socket = socket
    source = try loop.watch(socket, for: interest) { [unowned self] found in ready(found) }
    flushing = try loop.deferred(priority: .normal) { [unowned self] in outside { flush() } }
  }

  /// Whether calls can still be sent.
  public var isOpen: Bool { socket != nil }

  /// How many calls wait for their answer.
  public var unansweredCount: Int { waiting.count - answered }

  /// Calls `method`; `reply` gets what the service answers, unless the connection ends before. After the end it does
  /// nothing.
  ///
  /// - Parameter method: the qualified name, `org.varlink.service.GetInfo`.
  public func send(
    _ method: String, _ parameters: JSONObject = [:], reply: @escaping (Result<JSONObject, VarlinkError>) -> Void
  ) {
    guard isOpen else { return }
    if output.isEmpty { flushing?.schedule() }
    CallMessage(method, parameters).write(to: &output.bytes)
    waiting.append(reply)
  }

  /// Ends the connection; ``onClosed`` does not run.
  public func close() {
    source = nil
    flushing = nil
    socket = nil
    output.removeAll()
    waiting = []
    answered = 0
  }

  private func ready(_ found: EventLoop.Readiness) {
    outside {
      if found.contains(.writable) { flush() }
      // What was answered before the other end left is still there to be read.
      if found != .writable { receive() }
    }
  }

  /// Keeps this object and its descriptor's number for as long as the loop is in a callback.
  private func outside(_ body: () -> Void) { withExtendedLifetime((self, socket)) { body() } }

  private func flush() {
    guard let socket else { return }
    do {
      try output.write(to: socket)
      let wanted: EventLoop.Readiness = output.isEmpty ? .readable : [.readable, .writable]
      guard wanted != interest else { return }
      interest = wanted
      source?.wait(for: wanted)
    } catch {
      // Answers may still lie there; reading them finds the end.
      receive()
      end(SystemError("write to \(path)", code: error.code))
    }
  }

  private func receive() {
    while let socket {
      do {
        switch try reader.read(from: socket) {
        case .nothing: return
        case .end: return end(nil)
        case .replies(let replies): for reply in replies { answer(reply) }
        }
      } catch {
        end(SystemError("\(error.attempt) from \(path)", code: error.code))
      }
    }
  }

  /// Hands a reply to the oldest call.
  private func answer(_ reply: ReplyMessage) {
    guard isOpen else { return }
    guard unansweredCount > 0 else { return endBroken() }
    let closure = waiting[answered]
    answered += 1
    if answered == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      answered = 0
    }
    switch reply {
    case .last(let parameters): closure(.success(parameters))
    case .error(let error): closure(.failure(error))
    case .continuing: endBroken()
    }
  }

  private func endBroken() { end(SystemError("understand an answer from \(path)", code: EBADMSG)) }

  private func end(_ error: SystemError?) {
    guard isOpen else { return }
    close()
    let handler = onClosed
    onClosed = nil
    handler?(error)
  }
}
