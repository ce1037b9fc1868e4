public import Platform

/// Serves a ``Service`` on a listening socket: takes connections, reads calls, writes replies.
///
/// One client cannot hold up another: each is read only as fast as it takes its replies. Serves for as long as the
/// object lives, and belongs to the thread of its loop.
@safe
public final class Server {
  /// What one client may claim.
  public struct Limits: Sendable {
    /// The longest message in bytes; a client that sends a longer one is disconnected.
    public var message = 16 << 20
    /// Connections at a time; further ones wait until one ends.
    public var connections = 4096
    /// Calls of one connection that wait for an answer; further ones are read later.
    public var openCalls = 1024
    /// Bytes of replies that one client has not taken; until it does, its calls are read no further.
    public var unsentReplies = 1 << 20
    /// Bytes that are kept for all clients together, of messages and of replies, those not counted whose users may claim
    /// all there is. Beyond it the client for whom most is kept is disconnected, of the user for whom most is kept.
    public var held = 192 << 20

    /// The limits of systemd's own Varlink services, where it has such limits.
    public static let standard = Limits()

    public init() {}
  }

  /// How much is read at a time.
  static let portionSize = 64 << 10

  let service: Service
  let limits: Limits
  /// Where every connection reads into; what it cannot use at once it copies.
  let portion: UnsafeMutableRawBufferPointer
  private let listener: Descriptor
  private let sockets: SocketSet
  private var listening: DescriptorSource?
  private var retry: TimerSource?
  private var takingUp: DeferredSource?
  /// The connections by their numbers, each of which is given once.
  private(set) var connections: [UInt64: Connection] = [:]
  private var lastNumber: UInt64 = 0
  private var answered: [Connection] = []
  /// Connections that have more to be handled than their turn allowed.
  private var unfinished: [Connection] = []
  private var goingOn: DeferredSource?
  private var isAccepting = true
  private let userLimits: (UnixSocket.Peer) -> UserLimits?
  /// The users who are connected, by their numbers; at `nil` those who share an account.
  private var users: [UInt32?: UserAccount] = [:]
  /// Connections whose users have made all the calls of this moment.
  private var impatient: [Connection] = []
  private var moment: TimerSource?
  /// See ``Limits/held``.
  var held = 0
  /// Bytes of messages that were handled since the last pause.
  var handled = 0

  /// How long a user who has made too many calls waits for the next ones, in nanoseconds.
  private static let pause: Int64 = 20_000_000

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - listener: a non-blocking listening socket, from ``UnixSocket`` or from systemd.
  ///   - userLimits: what a user may claim, asked when a connection of his comes and by ``applyUserLimits()``; `nil` for
  ///     all there is.
  public init(
    loop: EventLoop, listener: Descriptor, service: Service, limits: Limits = .standard,
    userLimits: @escaping (UnixSocket.Peer) -> UserLimits? = { _ in nil }
  ) throws(SystemError) {
    self.userLimits = userLimits
    self.listener = listener
    self.service = service
    self.limits = limits
    sockets = try SocketSet()
    unsafe portion = .allocate(byteCount: Self.portionSize, alignment: 16)
    try sockets.serve(
      on: loop, { [unowned self] number, found in connections[number]?.ready(found) },
      then: { [unowned self] in
        answerPutOff()
        takeUpAnswered()
        nextTurns()
      })
    listening = try loop.watch(listener, for: .readable) { [unowned self] _ in accept() }
    retry = try loop.timer { [unowned self] in resumeAccepting() }
    moment = try loop.timer { [unowned self] in nextMoment() }
    // In turns with the sockets that are ready, and alone where none is.
    goingOn = try loop.deferred(priority: .last) { [unowned self] in nextTurns() }
    takingUp = try loop.deferred(priority: .normal) { [unowned self] in takeUpAnswered() }
  }

  deinit {
    listening = nil
    for connection in connections.values { connection.end() }
    unsafe portion.deallocate()
  }

  /// Writes the replies that were given since the loop last turned, as far as the clients take them.
  ///
  /// The loop does this by itself; for a program that is about to end.
  public func flush() {
    takeUpAnswered()
    while !unfinished.isEmpty { nextTurns() }
  }

  private func takeUpAnswered() {
    takingUp?.cancel()
    let connections = answered
    answered.removeAll(keepingCapacity: true)
    for connection in connections { connection.takeUp() }
  }

  /// How many clients are connected.
  public var connectionCount: Int { connections.count }

  /// Has `connection` go on in this turn of the loop, once for all its calls that are answered now; one that streams
  /// goes on behind those who wait for an answer.
  func takeUp(_ connection: Connection) {
    if connection.isStreaming { return goOn(connection) }
    if answered.isEmpty { takingUp?.schedule() }
    if answered.last !== connection { answered.append(connection) }
  }

  /// Has `connection` go on when everyone else has had a turn.
  func goOn(_ connection: Connection) {
    if unfinished.isEmpty { goingOn?.schedule() }
    if !connection.isUnfinished { unfinished.append(connection) }
    connection.isUnfinished = true
  }

  /// How many go on before everyone else has a turn again.
  private static let turnsInARow = 4

  private func nextTurns() {
    let connections = Array(unfinished.prefix(Self.turnsInARow))
    unfinished.removeFirst(connections.count)
    for connection in connections {
      connection.isUnfinished = false
      connection.takeUp()
    }
    if !unfinished.isEmpty { goingOn?.schedule() }
  }

  func remove(_ connection: Connection) {
    connections[connection.number] = nil
    connection.user.connections -= 1
    hold(-connection.held, for: connection.user)
    // Who has made many calls must not begin anew by connecting again.
    connection.user.refill(now: Clock.boottime())
    if connection.user.connections == 0, connection.user.isUnspent || users.count > 1024 {
      users.removeValue(forKey: connection.user.user)
    }
    resumeAccepting()
  }

  private func accept() {
    do {
      while connections.count < limits.connections {
        guard let descriptor = try UnixSocket.accept(from: listener) else { return }
        take(descriptor)
      }
      pauseAccepting()
    } catch {
      // No descriptors or no memory left: those who wait stay in the kernel's queue, and the loop must not spin.
      pauseAccepting()
      retry?.arm(at: Clock.boottime() + 100_000_000)
    }
  }

  /// Serves a new client; who cannot be identified or waited for, or has too many connections, is let go of again.
  private func take(_ descriptor: Descriptor) {
    guard let peer = try? UnixSocket.peer(of: descriptor) else { return }
    let userLimits = self.userLimits(peer)
    let now = Clock.boottime()
    let number = userLimits?.isShared == true ? nil : peer.user
    let user = users[number] ?? UserAccount(user: number, limits: userLimits, now: now)
    user.apply(userLimits, now: now)
    guard user.mayConnect else { return }
    lastNumber += 1
    let connection = try? Connection(
      descriptor, peer: peer, user: user, longestMessage: longestMessage(userLimits),
      number: lastNumber, server: self, sockets: sockets)
    guard let connection else { return }
    user.connections += 1
    users.updateValue(user, forKey: number)
    connections[lastNumber] = connection
  }

  /// Asks anew what users may claim. Connections that are too many now stay until they end, and each in the account in
  /// which it was made.
  public func applyUserLimits() {
    let now = Clock.boottime()
    for connection in connections.values {
      let userLimits = self.userLimits(connection.peer)
      connection.user.apply(userLimits, now: now)
      connection.limitMessages(to: longestMessage(userLimits))
    }
  }

  private func longestMessage(_ userLimits: UserLimits?) -> Int { min(limits.message, userLimits?.message ?? .max) }

  /// Whether the user of a connection may make another call; if not, the connection goes on when he may.
  func mayCall(_ connection: Connection) -> Bool {
    if connection.user.mayCall { return true }
    connection.user.refill(now: Clock.boottime())
    if connection.user.mayCall { return true }
    if impatient.isEmpty { moment?.arm(at: Clock.boottime() &+ Self.pause) }
    if !connection.isImpatient { impatient.append(connection) }
    connection.isImpatient = true
    return false
  }

  private func nextMoment() {
    let connections = impatient
    impatient.removeAll(keepingCapacity: true)
    for connection in connections {
      connection.isImpatient = false
      connection.takeUp()
    }
  }

  private func pauseAccepting() {
    isAccepting = false
    listening?.wait(for: [])
  }

  private func resumeAccepting() {
    guard !isAccepting, connections.count < limits.connections else { return }
    isAccepting = true
    retry?.disarm()
    listening?.wait(for: .readable)
  }
}
