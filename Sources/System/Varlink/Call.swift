public import JSON
public import Linux

/// A method call that a service handles, until its last reply.
///
/// A handler that replies later keeps this object. If the object is deallocated without a last reply, the caller's
/// connection is closed, because the caller would wait forever. Used by the thread of the server's loop.
public final class Call {
  /// The method's short name, `Add`.
  public let method: String

  /// The parameters, validated: all required fields of the interface, with the right types, and no others.
  public private(set) var parameters: JSONObject

  /// Whether the caller accepts more than one reply.
  public let wantsMore: Bool

  /// Whether the caller expects no reply; replies are dropped.
  public let isOneway: Bool

  /// Runs when the caller disconnects before the last reply, or at once if the caller has disconnected already. Later
  /// replies are dropped.
  public var onGone: (() -> Void)? {
    didSet { if hasLeft { reportGone() } }
  }

  /// Runs after the caller has received replies of a stream, so that more can be sent.
  public var onTaken: (() -> Void)?

  private var hasLeft = false

  private let connection: Connection
  private let number: Int

  init(_ message: CallMessage, method: String, connection: Connection, number: Int) {
    self.method = method
    self.connection = connection
    self.number = number
    parameters = message.parameters
    wantsMore = message.mode == .more
    isOneway = message.mode == .oneway
  }

  deinit { connection.forget(number) }

  /// Credentials of the caller, as of the time when it connected.
  public var peer: UnixSocket.Peer { connection.peer }

  /// Frees the parameters of a long-lived call. They may be large.
  ///
  /// - Parameter kept: names of parameters to keep.
  public func forgetParameters(except kept: [String] = []) {
    var rest: JSONObject = [:]
    for name in kept { rest[name] = parameters[name] }
    parameters = rest
  }

  /// Announces a reply of about `bytes` bytes. The connection's later calls are read only while the announced replies
  /// fit into the memory limit.
  public func expectReply(bytes: Int) { connection.reserve(bytes, for: number) }

  /// State of the handler for this connection, kept between calls and freed when the connection ends.
  public var session: AnyObject? {
    get { connection.session }
    set { connection.session = newValue }
  }

  /// Bytes of replies that the caller has not received yet; grows without limit if the caller does not read.
  public var backlog: Int { connection.backlog }

  /// Sends the last reply.
  public func reply(_ parameters: JSONObject = [:]) { finish { ReplyMessage.last(parameters).write(to: &$0) } }

  /// Sends the last reply from encoded parameters.
  public func reply(_ parameters: EncodedObject) { finish { parameters.writeReply(continues: false, to: &$0) } }

  /// Sends a reply that is not the last one. Does nothing unless ``wantsMore``.
  public func replyContinuing(_ parameters: JSONObject) {
    guard wantsMore else { return }
    connection.send(number, isLast: false) { ReplyMessage.continuing(parameters).write(to: &$0) }
  }

  /// Sends a reply that is not the last one, from encoded parameters, which several callers can share.
  public func replyContinuing(_ parameters: EncodedObject) {
    guard wantsMore else { return }
    connection.send(number, isLast: false) { parameters.writeReply(continues: true, to: &$0) }
  }

  /// Sends an error as the last reply.
  public func fail(_ error: VarlinkError) { finish { ReplyMessage.error(error).write(to: &$0) } }

  /// Returns ``wantsMore``; fails the call with `ExpectedMore` if it is false.
  public func requireMore() -> Bool {
    if !wantsMore { fail(.expectedMore) }
    return wantsMore
  }

  private func finish(_ write: (inout [UInt8]) -> Void) {
    (onGone, onTaken) = (nil, nil)
    connection.send(number, isLast: true) { if !isOneway { write(&$0) } }
  }

  /// Records that the caller has disconnected.
  func leave() {
    hasLeft = true
    onTaken = nil
    reportGone()
  }

  private func reportGone() {
    guard let handler = onGone else { return }
    onGone = nil
    handler()
  }
}
