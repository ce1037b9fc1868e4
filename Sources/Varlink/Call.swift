public import Platform

/// One request, from when it is handed to a service's handler until its last reply.
///
/// Whoever has to answer later keeps the object. Letting go of it unanswered closes the caller's connection, as the
/// caller would wait for ever otherwise. Belongs to the thread of the server's loop.
public final class Call {
  /// The method's short name, `Add`.
  public let method: String

  /// What the caller gave: only fields that the interface defines, of the right types, none missing.
  public private(set) var parameters: JSONObject

  /// Whether the caller takes more than one reply.
  public let wantsMore: Bool

  /// Whether the caller wants no reply; replies to it are dropped.
  public let isOneway: Bool

  /// Runs when the caller leaves before the last reply, at once where he has left already; replies are dropped from
  /// then on.
  public var onGone: (() -> Void)? {
    didSet { if hasLeft { tellThatGone() } }
  }

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

  /// Who calls, as the kernel saw it when the connection was made.
  public var peer: UnixSocket.Peer { connection.peer }

  /// Lets go of ``parameters``, for whoever keeps the call for long: they may be large.
  public func forgetParameters() { parameters = [:] }

  /// How many bytes of replies the caller has not taken yet; grows without bound for one that does not read.
  public var backlog: Int { connection.backlog }

  /// Answers; the last reply.
  public func reply(_ parameters: JSONObject = [:]) { finish { ReplyMessage.last(parameters).write(to: &$0) } }

  /// The same with an object that is in words already.
  public func reply(_ parameters: ObjectText) { finish { parameters.writeReply(continues: false, to: &$0) } }

  /// Answers, with more to come. Only where ``wantsMore``: a caller that did not ask for it gets nothing of it.
  public func replyContinuing(_ parameters: JSONObject) {
    guard wantsMore else { return }
    connection.send(number, isLast: false) { ReplyMessage.continuing(parameters).write(to: &$0) }
  }

  /// The same with an object that is in words already, which many callers may get.
  public func replyContinuing(_ parameters: ObjectText) {
    guard wantsMore else { return }
    connection.send(number, isLast: false) { parameters.writeReply(continues: true, to: &$0) }
  }

  /// Refuses, or ends a stream of replies.
  public func fail(_ error: VarlinkError) { finish { ReplyMessage.error(error).write(to: &$0) } }

  /// Whether the caller takes more than one reply; if not, the call is refused with `ExpectedMore`.
  public func requireMore() -> Bool {
    if !wantsMore { fail(.expectedMore) }
    return wantsMore
  }

  private func finish(_ write: (inout [UInt8]) -> Void) {
    onGone = nil
    connection.send(number, isLast: true) { if !isOneway { write(&$0) } }
  }

  /// The connection is over.
  func leave() {
    hasLeft = true
    tellThatGone()
  }

  private func tellThatGone() {
    guard let handler = onGone else { return }
    onGone = nil
    handler()
  }
}
