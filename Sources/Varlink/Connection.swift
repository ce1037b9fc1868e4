import Glibc
import Platform

/// One client of a ``Server``: reads its messages, has them answered, and writes the replies in order.
///
/// Everything is done in turns. A turn begins when the descriptor is ready or when a call was answered that had been
/// kept, and ends with one write of all that has been said meanwhile.
final class Connection {
  let peer: UnixSocket.Peer
  /// What its user has claimed, with this connection and others.
  let user: UserAccount
  /// Whether it waits until its user may make another call.
  var isImpatient = false
  /// Whether it waits for its next turn.
  var isUnfinished = false
  /// What the server knows it by.
  let number: UInt64
  private unowned let server: Server
  private let limits: Server.Limits
  private let sockets: SocketSet
  private var descriptor: Descriptor?
  private var interest: EventLoop.Readiness = .readable
  private var frames: FrameBuffer
  private var order = ReplyOrder()
  private var output = OutgoingBytes()
  /// The open call with `more`, behind which everything waits.
  private var stream: Int?
  /// Bytes of messages that are kept, when the last turn ended.
  private var heldMessages = 0
  /// Bytes that are kept for it, as the server knows.
  private(set) var held = 0
  private var isInTurn = false
  /// How many calls may still be handled in this turn.
  private var callsLeft = 0
  private var phase = Phase.open

  /// How many calls one client has handled before the others have their turn: else whoever sends a thousand at once
  /// would have everyone wait for a thousand.
  private static let callsInATurn = 16

  private enum Phase {
    /// Messages come and replies go.
    case open
    /// The client will send nothing more, but takes what it is owed.
    case inputEnded
    /// Nobody is there any more; what was sent before is still done, and its replies are dropped.
    case abandoned
    case closed
  }

  init(
    _ descriptor: Descriptor, peer: UnixSocket.Peer, user: UserAccount, longestMessage: Int, number: UInt64,
    server: Server, sockets: SocketSet
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

  /// Refuses messages of more bytes than that from now on.
  func limitMessages(to bytes: Int) { frames.limit = bytes }

  /// Whether its client has asked for a stream of replies.
  var isStreaming: Bool { stream != nil }

  /// Bytes of replies that the client has not taken.
  var backlog: Int { output.count + order.heldCount }

  // MARK: Replies

  /// Answers the call `number` with the message that `write` appends, if it appends any. Does nothing once it has had its
  /// last reply.
  func send(_ number: Int, isLast: Bool, _ write: (inout [UInt8]) -> Void) {
    guard order.isOpen(number) else { return }
    if phase != .abandoned { order.send(number, to: &output.bytes, write) }
    if isLast {
      order.finish(number, to: &output.bytes)
      if stream == number { stream = nil }
    }
    tellHeld()
    if !isInTurn { server.takeUp(self) }
  }

  /// A call ceases to exist: if it was not answered, its caller waits in vain, and so do all behind it.
  func forget(_ number: Int) {
    guard order.isOpen(number) else { return }
    order.finish(number, to: &output.bytes)
    close()
  }

  // MARK: Turns

  /// Goes on after calls were answered that had been kept.
  func takeUp() {
    if !isInTurn { turn { settle() } }
  }

  /// Goes on after the socket became ready.
  func ready(_ found: EventLoop.Readiness) {
    turn {
      if found.contains(.hungUp) || found.contains(.failed) { return abandon() }
      if found.contains(.readable), wantsMessages { _ = receive() }
      settle()
    }
  }

  private func turn(_ body: () -> Void) {
    guard phase != .closed else { return }
    isInTurn = true
    callsLeft = Self.callsInATurn
    body()
    isInTurn = false
    // Whoever keeps a call keeps this object, and need not keep what the client sent.
    if phase == .closed { frames = FrameBuffer(limit: 0) }
    heldMessages = frames.heldCount
    tellHeld()
  }

  /// Has the server know how much is kept for this client, who may be disconnected for it.
  private func tellHeld() {
    guard phase != .closed else { return }
    let before = held
    held = heldMessages + output.heldCount + order.heldCount
    if held != before { server.hold(held - before, for: user) }
  }

  /// Whether another message may be handled now, and so whether to read.
  private var wantsMessages: Bool {
    switch phase {
    case .open, .inputEnded:
      callsLeft > 0 && stream == nil && order.count < limits.openCalls && backlog < limits.unsentReplies
        && server.mayCall(self)
    case .abandoned: true
    case .closed: false
    }
  }

  /// Reads once and handles what is complete; whether there may be more to read.
  private func receive() -> Bool {
    guard let descriptor, phase != .inputEnded else { return false }
    do {
      guard let count = unsafe try UnixSocket.receive(from: descriptor, into: server.portion) else { return false }
      if count == 0 {
        if phase == .open { phase = .inputEnded }
        return false
      }
      unsafe try frames.append(UnsafeRawBufferPointer(rebasing: server.portion[..<count])) { unsafe dispatch($0) }
      return phase != .closed
    } catch is FrameBuffer.TooLong {
      refuse()
    } catch let error as SystemError where error.code == EBADMSG {
      refuse()
    } catch {
      if phase != .abandoned { abandon() }
    }
    return false
  }

  /// Writes, and handles kept messages, until neither can go on; then waits for what is missing.
  private func settle() {
    var kept = 0
    repeat {
      guard flush() else { return }
      kept = frames.keptCount
      guard handleKept() else { return }
    } while frames.keptCount < kept
    if phase == .inputEnded, order.count == 0, output.isEmpty, wantsMessages { return close() }
    if callsLeft <= 0 { server.goOn(self) }
    wait()
  }

  private func handleKept() -> Bool {
    guard frames.keptCount > 0, wantsMessages else { return phase != .closed }
    do {
      unsafe try frames.resume { unsafe dispatch($0) }
    } catch {
      refuse()
    }
    return phase != .closed
  }

  private func wait() {
    var wanted: EventLoop.Readiness = []
    if phase == .open, wantsMessages { wanted.insert(.readable) }
    if !output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest, let descriptor else { return }
    interest = wanted
    sockets.change(descriptor, as: number, to: wanted)
  }

  /// Writes what the client takes; whether it is still there.
  private func flush() -> Bool {
    guard phase != .closed, let descriptor else { return false }
    do {
      try output.write(to: descriptor)
      return true
    } catch {
      abandon()
      return false
    }
  }

  /// Handles one message; whether another one may follow now.
  private func dispatch(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard phase != .closed else { return false }
    guard let message = unsafe CallMessage(parsing: bytes) else {
      refuse()
      return false
    }
    user.spend()
    callsLeft -= 1
    let number = order.nextNumber
    do {
      let route = try server.service.route(message)
      let call = Call(message, method: route.name, connection: self, number: number)
      order.open(call)
      if call.wantsMore { stream = number }
      route.handler(call)
    } catch {
      let call = Call(message, method: message.method, connection: self, number: number)
      order.open(call)
      call.fail(error)
    }
    server.noteHandled(bytes.count)
    return wantsMessages
  }

  // MARK: The end

  /// The client broke the protocol: it gets the replies that are due, and no more.
  private func refuse() {
    if let descriptor { try? output.write(to: descriptor) }
    close()
  }

  /// The client is gone. What it sent before is done all the same: a oneway call is not lost by leaving at once.
  private func abandon() {
    phase = .abandoned
    output.removeAll()
    stream = nil
    _ = handleKept()
    // As much as could have been under way; a stream that never ends must not keep the others waiting.
    var rest = limits.message / Server.portionSize
    while rest > 0, phase == .abandoned, receive() { rest -= 1 }
    close()
  }

  /// Ends the connection and tells the handlers of open calls.
  func close() {
    guard phase != .closed else { return }
    server.remove(self)
    end()
  }

  /// What ``close()`` does, for a server that is going itself.
  func end() {
    phase = .closed
    if let descriptor { sockets.remove(descriptor) }
    descriptor = nil
    output.removeAll()
    for call in order.removeAll() { call.leave() }
  }
}
