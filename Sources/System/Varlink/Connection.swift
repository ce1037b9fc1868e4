import Glibc
import Linux

/// One client of a ``Server``: reads its messages, dispatches them, and writes the replies in order.
///
/// The work is done in turns. A turn starts when the descriptor is ready, or after a reply to a deferred call. It ends
/// with one write of all replies. All turns of a user's connections share the user's time in a round of the server; a
/// connection with more work then yields.
///
/// When the client disconnects, its calls that only read are dropped. Its calls that may change state are still
/// handled, at the same rate as those of connected clients.
final class Connection {
  let peer: UnixSocket.Peer
  /// Quota of the client's user, shared by all connections of the user.
  let user: UserQuota
  /// Whether the user's rate limit pauses the connection.
  var isThrottled = false
  /// Whether the connection has yielded and waits for its next turn.
  var hasYielded = false
  /// Key of the connection in its server.
  let number: UInt64
  private unowned let server: Server
  private let limits: Server.Limits
  private let sockets: EpollSet
  private var descriptor: FileDescriptor?
  private var interest: EventLoop.Readiness = .readable
  private var frames: FrameBuffer
  private var replies = ReplyQueue()
  /// Number of the open call with `more`; later calls wait for its end.
  private var stream: Int?
  /// Bytes of buffered messages at the end of the last turn.
  private var messageBytes = 0
  /// Bytes buffered for this client, as last reported to the server.
  private(set) var bufferedBytes = 0
  private var isInTurn = false
  /// Remaining work of this turn, in units of 1 / ``costOfCall`` calls; not positive when the user's time is used up.
  private var workLeft = 0
  /// The time on the monotonic clock at which the user's time is used up.
  private var turnEnd: Int64 = 0
  /// Remaining reads after the client has disconnected, enough for everything that the kernel can have buffered.
  /// Limited, because a client that closed only its reading side could write forever.
  private var readsLeft = 0
  private var phase = Phase.open
  /// Whether the client has disconnected while calls that may change state are still to be handled.
  private(set) var isAbandoned = false
  /// See ``Call/session``.
  var session: AnyObject?

  /// Maximum number of calls of one client in a turn, so that a client that pipelines thousands does not delay the
  /// others.
  private static let callsInATurn = 16
  /// Cost of a handled call; a dropped call costs 1.
  private static let costOfCall = 4

  private enum Phase {
    /// Reading calls and writing replies.
    case open
    /// The client has closed its sending side and still receives replies.
    case inputEnded
    /// The client has violated the protocol and still receives the replies to its earlier calls.
    case refused
    /// The client has disconnected; calls that may change state are still handled, and replies are dropped.
    case abandoned
    case closed
  }

  init(
    _ descriptor: FileDescriptor, peer: UnixSocket.Peer, user: UserQuota, longestMessage: Int, number: UInt64,
    server: Server, sockets: EpollSet
  ) throws(SystemError) {
    self.peer = peer
    self.user = user
    self.descriptor = descriptor
    self.number = number
    self.server = server
    self.sockets = sockets
    limits = server.limits
    frames = FrameBuffer(limit: longestMessage)
    try sockets.add(descriptor, as: number, for: interest)
  }

  /// Sets the maximum size of a message.
  func limitMessages(to bytes: Int) { frames.limit = bytes }

  /// Whether a call with `more` is open.
  var isStreaming: Bool { stream != nil }

  /// Bytes of replies that the client has not received.
  var backlog: Int { replies.backlog }

  // MARK: Replies

  /// Sends the message that `write` appends, if any, as a reply to the call `number`. Does nothing after the call's
  /// last reply.
  func send(_ number: Int, isLast: Bool, _ write: (inout [UInt8]) -> Void) {
    guard replies.isOpen(number) else { return }
    if phase != .abandoned {
      // Moved out, so that no access to the queue is open while `write` runs.
      var bytes = replies.takeBytes(of: number)
      write(&bytes)
      replies.putBytes(bytes, of: number)
    }
    if isLast {
      replies.finish(number)
      if stream == number { stream = nil }
    }
    updateBufferedBytes()
    if !isInTurn { server.scheduleResume(self) }
  }

  /// See ``Call/expectReply(bytes:)``.
  func reserve(_ bytes: Int, for number: Int) { replies.reserve(bytes, for: number) }

  /// Called when a ``Call`` is deallocated: closes the connection if there was no last reply, as later calls would wait
  /// forever.
  func forget(_ number: Int) {
    guard replies.isOpen(number) else { return }
    replies.finish(number)
    if phase != .abandoned { close() }
  }

  // MARK: Turns

  /// Runs a turn after replies to deferred calls, or when the connection is allowed to continue.
  func resume() {
    if !isInTurn { turn { pump() } }
  }

  /// Runs a turn after the socket became ready.
  func ready(_ found: EventLoop.Readiness) {
    turn {
      if found.contains(.hungUp) || found.contains(.failed) { return abandon() }
      if found.contains(.readable), wantsMessages { receive() }
      pump()
    }
  }

  private func turn(_ body: () -> Void) {
    guard phase != .closed else { return }
    isInTurn = true
    let (begun, time) = (Clock.monotonic(), server.timeLeft(of: user))
    turnEnd = begun &+ time
    workLeft = time > 0 ? Self.callsInATurn * Self.costOfCall : 0
    body()
    isInTurn = false
    user.spend(time: Clock.monotonic() &- begun)
    // A handler may keep a call, which retains this object. The received bytes are freed now.
    if phase == .closed { frames = FrameBuffer(limit: 0) }
    messageBytes = frames.bufferedBytes
    updateBufferedBytes()
  }

  /// Reports the buffered bytes to the server, which may disconnect this client.
  private func updateBufferedBytes() {
    guard phase != .closed else { return }
    let before = bufferedBytes
    bufferedBytes = messageBytes + replies.memory
    if bufferedBytes != before { server.addBufferedBytes(bufferedBytes - before, for: user) }
  }

  /// Whether another message may be handled now. If not, the socket is not read.
  private var wantsMessages: Bool {
    switch phase {
    case .open, .inputEnded:
      workLeft > 0 && stream == nil && replies.hasRoom(within: limits) && server.mayCall(self)
    case .abandoned: workLeft > 0 && server.mayCall(self)
    case .refused, .closed: false
    }
  }

  /// Result of a read.
  private enum Received {
    /// Bytes were read; there may be more.
    case some
    /// The read would block.
    case nothing
    /// The end of the input.
    case end
  }

  /// Reads once and dispatches the complete messages.
  @discardableResult
  private func receive() -> Received {
    guard let descriptor, phase != .inputEnded, phase != .refused else { return .end }
    do {
      guard let count = unsafe try UnixSocket.receive(from: descriptor, into: server.readBuffer) else {
        return .nothing
      }
      if count == 0 {
        if phase == .open { phase = .inputEnded }
        return .end
      }
      try withFrames { (frames) throws(FrameBuffer.TooLong) in
        unsafe try frames.append(UnsafeRawBufferPointer(rebasing: server.readBuffer[..<count])) { unsafe dispatch($0) }
      }
      return phase != .closed ? .some : .end
    } catch is FrameBuffer.TooLong {
      refuse()
    } catch let error as SystemError where error.code == EBADMSG {
      refuse()
    } catch {
      if phase != .abandoned { abandon() }
    }
    return .end
  }

  /// Writes replies and dispatches buffered messages until neither makes progress; then waits for the socket.
  private func pump() {
    if phase == .abandoned { return finishAbandoned() }
    if phase == .refused { return finishRefused() }
    var unread = 0
    repeat {
      guard flush() else { return }
      unread = frames.unreadBytes
      guard dispatchBuffered() else { return }
    } while frames.unreadBytes < unread
    if phase == .refused { return finishRefused() }
    if phase == .inputEnded, replies.isEmpty, wantsMessages { return close() }
    if workLeft <= 0 { server.yieldTurn(self) }
    wait()
  }

  /// Runs `body` with the buffer, moved out for the same reason as in ``send(_:isLast:_:)``.
  private func withFrames(_ body: (inout FrameBuffer) throws(FrameBuffer.TooLong) -> Void) throws(FrameBuffer.TooLong) {
    var taken = FrameBuffer(limit: frames.limit)
    swap(&taken, &frames)
    defer {
      // A new limit applies to the following messages.
      taken.limit = frames.limit
      swap(&taken, &frames)
    }
    try body(&taken)
  }

  private func dispatchBuffered() -> Bool {
    guard frames.unreadBytes > 0, wantsMessages else { return phase != .closed }
    do {
      try withFrames { (frames) throws(FrameBuffer.TooLong) in unsafe try frames.resume { unsafe dispatch($0) } }
    } catch {
      refuse()
    }
    return phase != .closed
  }

  private func wait() {
    var wanted: EventLoop.Readiness = []
    if phase == .open, wantsMessages { wanted.insert(.readable) }
    if !replies.output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest, let descriptor else { return }
    interest = wanted
    sockets.change(descriptor, as: number, to: wanted)
  }

  /// Writes as much as the socket accepts; returns whether the connection is alive.
  private func flush() -> Bool {
    guard phase != .closed, let descriptor else { return false }
    do {
      try replies.output.write(to: descriptor)
      if let stream { replies.call(stream)?.onTaken?() }
      return true
    } catch {
      abandon()
      return false
    }
  }

  /// Parses and handles one message; returns whether another may follow now.
  private func dispatch(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard phase != .closed else { return false }
    guard let message = unsafe CallMessage(parsing: bytes) else {
      refuse()
      return false
    }
    user.spend()
    if phase == .abandoned, server.service.isQuestion(message) {
      workLeft -= 1
      return wantsMessages
    }
    workLeft -= Self.costOfCall
    let number = replies.nextNumber
    do {
      let route = try server.service.route(message)
      let call = Call(message, method: route.name, connection: self, number: number)
      replies.open(call, size: bytes.count)
      if call.wantsMore { stream = number }
      route.handler(call)
    } catch {
      let call = Call(message, method: message.method, connection: self, number: number)
      replies.open(call, size: bytes.count)
      call.fail(error)
    }
    server.countHandled(bytes.count)
    if Clock.monotonic() >= turnEnd { workLeft = 0 }
    return wantsMessages
  }

  // MARK: The end

  /// Ends the connection after a violation of the protocol: nothing more is read, and the replies to earlier calls are
  /// still sent.
  private func refuse() {
    if phase == .abandoned { return close() }
    if phase != .closed { phase = .refused }
  }

  /// Sends the remaining replies to a client that has violated the protocol, and closes the connection after the last
  /// one.
  private func finishRefused() {
    frames = FrameBuffer(limit: 0)
    guard flush() else { return }
    if replies.isEmpty { return close() }
    wait()
  }

  /// Handles the disconnection of the client. Its calls that may change state are still handled: a client may
  /// disconnect right after a oneway call.
  private func abandon() {
    guard phase != .closed, phase != .abandoned else { return }
    // Calls before the violation were handled; later ones are not read.
    if phase == .refused { return close() }
    phase = .abandoned
    // epoll would report the hang-up in every turn.
    if let descriptor { sockets.remove(descriptor) }
    replies.output.removeAll()
    stream = nil
    readsLeft = limits.message / Server.readBufferSize
    for call in replies.openCalls { call.leave() }
    guard server.service.mayChange(peer) else { return close() }
    isAbandoned = true
    // Connected clients are served first.
    server.yieldTurn(self)
    server.noteAbandoned(self)
  }

  /// Handles one turn of the calls that the client sent before it disconnected.
  private func finishAbandoned() {
    guard dispatchBuffered() else { return }
    while wantsMessages {
      guard readsLeft > 0, receive() == .some else { return close() }
      readsLeft -= 1
    }
    // The server resumes throttled connections.
    if workLeft <= 0 { server.yieldTurn(self) }
  }

  /// Closes the connection and notifies the handlers of open calls.
  func close() {
    guard phase != .closed else { return }
    server.remove(self)
    end()
  }

  /// Closes the connection without removing it from the server.
  func end() {
    let wasAbandoned = phase == .abandoned
    phase = .closed
    session = nil
    if let descriptor, !wasAbandoned { sockets.remove(descriptor) }
    descriptor = nil
    for call in replies.removeAll() { call.leave() }
  }
}
