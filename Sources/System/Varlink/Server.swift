public import Linux

/// Serves a ``Service`` on a listening socket: accepts connections, reads calls, writes replies.
///
/// A slow client does not delay others: its calls are read only as fast as it receives the replies. The server runs as
/// long as this object lives. Not thread-safe: used by the thread of its loop.
@safe
public final class Server {
  /// Limits per client and in total.
  public struct Limits: Sendable {
    /// Maximum size of a message in bytes; a client that sends a longer one is disconnected.
    public var message = 16 << 20
    /// Maximum number of connections; further ones wait in the kernel's queue.
    public var connections = 4096
    /// Maximum number of connections in the kernel's queue. The queue is first in, first out: programs that connect,
    /// send calls and disconnect keep the queue full, and all others wait behind them. When the queue is full, programs
    /// wait in `connect`, or get `EAGAIN` if they do not block. A queued connection can hold 200 KB of calls.
    public var waiting: Int32 = 64
    /// Maximum number of open calls per connection; further ones are read later.
    public var openCalls = 1024
    /// Maximum bytes of unreceived replies per connection; above it no further calls are read.
    public var unsentReplies = 1 << 20
    /// Maximum bytes of buffered messages and replies of all clients whose users have limits. Above it the largest
    /// consumer is disconnected: the client with the most bytes, of the user with the most bytes.
    public var bufferedBytes = 192 << 20

    /// The defaults. Limits that systemd's Varlink services also have are equal to theirs.
    public static let standard = Limits()

    public init() {}
  }

  /// Size of a read in bytes.
  static let readBufferSize = 64 << 10

  let service: Service
  let limits: Limits
  /// Buffer for reads of all connections. A connection copies the bytes that it does not handle at once.
  let readBuffer: UnsafeMutableRawBufferPointer
  private let listener: FileDescriptor
  private let sockets: EpollSet
  private var retry: TimerSource?
  private var resuming: DeferredSource?
  /// Connections by number; numbers are not reused.
  private(set) var connections: [UInt64: Connection] = [:]
  private var lastNumber: UInt64 = 0
  private var answered: [Connection] = []
  /// Whether deferred replies are being sent. Afterwards, the connections of ``answered`` are resumed.
  private var isFlushing = false
  /// Users with connections that have used up their turn and have more work. The next user comes first.
  private var yielded: [UserQuota] = []
  /// The number of the present round. In a round each user has a bounded time, all ready sockets get a turn, changes
  /// are committed, and some of the connections that have yielded continue. A turn of the sockets may end in the middle
  /// of a round; the connections of one user still share the time of the round.
  private var round: UInt64 = 1
  /// Numbers of connections whose clients have disconnected, the oldest first.
  private var abandoned: [UInt64] = []
  private var yieldedTurns: DeferredSource?
  private var isAccepting = true
  private let userLimits: (UnixSocket.Peer) -> UserLimits?
  /// Quotas of connected users by user ID; `nil` is the key of the shared quota.
  private var users: [UInt32?: UserQuota] = [:]
  /// Connections paused by their user's rate limit.
  private var throttled: [Connection] = []
  private var throttleTimer: TimerSource?
  /// Returns the time for the rate limits, in nanoseconds.
  private let rateClock: () -> Int64
  /// See ``Limits/bufferedBytes``.
  var bufferedBytes = 0
  /// Bytes of messages handled since the last call of ``flushDeferred()``.
  var handled = 0

  /// The number of the listening socket; connections have other numbers.
  private static let listenerNumber: UInt64 = 0

  /// Pause of throttled connections, in nanoseconds.
  private static let throttleInterval: Int64 = 20_000_000

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - listener: a non-blocking listening socket, from ``UnixSocket`` or from systemd.
  ///   - userLimits: returns the limits of a user, or `nil` for none. Called for each new connection and by
  ///     ``applyUserLimits()``.
  ///   - rateClock: returns the time for the rate limits, in nanoseconds.
  public init(
    loop: EventLoop, listener: FileDescriptor, service: Service, limits: Limits = .standard,
    userLimits: @escaping (UnixSocket.Peer) -> UserLimits? = { _ in nil },
    rateClock: @escaping () -> Int64 = { Clock.boottime() }
  ) throws(SystemError) {
    self.rateClock = rateClock
    self.userLimits = userLimits
    self.listener = listener
    self.service = service
    self.limits = limits
    sockets = try EpollSet()
    // Shortens the queue of a socket from a service manager, which uses a longer one until the service starts.
    try UnixSocket.limitQueue(of: listener, to: limits.waiting)
    unsafe readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 16)
    try sockets.serve(
      on: loop,
      { [unowned self] number, found in
        service.isPauseAhead = true
        if number == Self.listenerNumber { accept() } else { connections[number]?.ready(found) }
      },
      then: { [unowned self] in
        isFlushing = true
        flushDeferred()
        isFlushing = false
        resumeAnswered()
        if !sockets.hasWaiting { nextTurns() }
      })
    try sockets.add(listening: listener, as: Self.listenerNumber)
    retry = try loop.timer { [unowned self] in resumeAccepting() }
    throttleTimer = try loop.timer { [unowned self] in resumeThrottled() }
    // Starts the next round when no socket is ready. While sockets are ready, the handler above does that at the end of
    // their turn.
    yieldedTurns = try loop.deferred(priority: .last) { [unowned self] in nextTurns() }
    resuming = try loop.deferred(priority: .normal) { [unowned self] in resumeAnswered() }
  }

  deinit {
    for connection in connections.values { connection.end() }
    for user in yielded { user.removeYielded() }
    unsafe readBuffer.deallocate()
  }

  /// Writes the replies of this turn, as far as the sockets accept them.
  ///
  /// The loop does this by itself; call this before the program exits.
  public func flush() {
    resumeAnswered()
    while !yielded.isEmpty { nextTurns() }
  }

  private func resumeAnswered() {
    resuming?.cancel()
    let connections = answered
    answered.removeAll(keepingCapacity: true)
    for connection in connections { connection.resume() }
  }

  public var connectionCount: Int { connections.count }

  /// Schedules one turn of `connection` in this turn of the loop, after replies to its calls. Streaming connections
  /// yield to connections that wait for a reply.
  func scheduleResume(_ connection: Connection) {
    if connection.isStreaming { return yieldTurn(connection) }
    if answered.isEmpty, !isFlushing { resuming?.schedule() }
    if answered.last !== connection { answered.append(connection) }
  }

  /// Schedules the next turn of `connection` after the turns of the user's other connections. Users take turns.
  func yieldTurn(_ connection: Connection) {
    guard !connection.hasYielded else { return }
    connection.hasYielded = true
    let user = connection.user
    user.appendYielded(connection)
    guard user.yieldedCount == 1 else { return }
    if yielded.isEmpty { yieldedTurns?.schedule() }
    yielded.append(user)
  }

  /// Maximum duration of the turns of yielded connections before the sockets are polled again, in nanoseconds; at least
  /// one continues.
  private static let timeInARow: Int64 = 500_000

  /// Starts the next round with turns of yielded connections.
  private func nextTurns() {
    round &+= 1
    guard !yielded.isEmpty else { return }
    let end = Clock.monotonic() &+ Self.timeInARow
    // Continues at most as many connections as are waiting now: connections that yield again are appended.
    var rest = yielded.reduce(0) { $0 + $1.yieldedCount }
    repeat {
      let user = yielded.removeFirst()
      let connection = user.nextYielded()
      if user.yieldedCount > 0 { yielded.append(user) }
      connection?.hasYielded = false
      connection?.resume()
      rest -= 1
    } while rest > 0 && Clock.monotonic() < end
    if !yielded.isEmpty { yieldedTurns?.schedule() }
  }

  /// The rest of a user's time in this round, in nanoseconds.
  func timeLeft(of user: UserQuota) -> Int64 { user.timeLeft(in: round) }

  /// Whether another client may connect. Connections of disconnected clients do not count, as they are served last.
  private var isOpen: Bool { connections.count - abandoned.count < limits.connections }

  /// Maximum number of connections of disconnected clients with calls to handle.
  private static let mostAbandoned = 1024

  /// Records that the client of a connection has disconnected. Above the limit, one such connection is closed, and its
  /// remaining calls are dropped: the oldest one of the user with the most such connections.
  func noteAbandoned(_ connection: Connection) {
    abandoned.append(connection.number)
    if abandoned.count > Self.mostAbandoned {
      var numbers: [ObjectIdentifier: Int] = [:]
      for number in abandoned {
        if let user = connections[number]?.user { numbers[ObjectIdentifier(user), default: 0] += 1 }
      }
      let user = numbers.max { $0.value < $1.value }?.key
      let oldest = abandoned.first { number in connections[number].map { ObjectIdentifier($0.user) == user } ?? false }
      if let oldest { connections[oldest]?.close() }
    }
    resumeAccepting()
  }

  func remove(_ connection: Connection) {
    connections[connection.number] = nil
    if connection.isAbandoned { abandoned.removeAll { $0 == connection.number } }
    connection.user.connections -= 1
    addBufferedBytes(-connection.bufferedBytes, for: connection.user)
    // The quota is kept, so that reconnecting does not reset the rate limit.
    connection.user.refill(now: rateClock())
    if connection.user.connections == 0, connection.user.isUnspent || users.count > 1024 {
      users.removeValue(forKey: connection.user.user)
    }
    resumeAccepting()
  }

  /// Maximum duration of accepting connections in a turn, in nanoseconds; at least one is accepted.
  private static let acceptingInATurn: Int64 = 500_000
  /// ``acceptingInATurn`` while connections are refused: other users wait behind them in the kernel's queue.
  private static let refusingInATurn: Int64 = 4_000_000

  private func accept() {
    var now = Clock.monotonic()
    let end = now &+ Self.refusingInATurn
    var taken: Int64 = 0
    do {
      while now < end, taken < Self.acceptingInATurn {
        guard isOpen, let descriptor = try UnixSocket.accept(from: listener) else { break }
        let isTaken = take(descriptor)
        let next = Clock.monotonic()
        if isTaken { taken &+= next &- now }
        now = next
      }
      if !isOpen { pauseAccepting() }
    } catch {
      // Without free descriptors or memory, new connections stay in the kernel's queue; the loop must not spin.
      pauseAccepting()
      retry?.arm(at: Clock.boottime() + 100_000_000)
    }
  }

  /// Adds a new connection; closes it if its credentials are unknown, epoll fails, or its user has too many.
  ///
  /// - Returns: whether it was added.
  private func take(_ descriptor: FileDescriptor) -> Bool {
    guard let peer = try? UnixSocket.peer(of: descriptor) else { return false }
    let userLimits = self.userLimits(peer)
    let now = rateClock()
    let number = userLimits?.isShared == true ? nil : peer.user
    let user = users[number] ?? UserQuota(user: number, limits: userLimits, now: now)
    user.apply(userLimits, now: now)
    guard user.mayConnect else { return false }
    // Connecting counts as a call for users who share a quota, because they may be many.
    if userLimits?.isShared == true {
      guard user.mayCall else { return false }
      user.spend()
    }
    lastNumber += 1
    let connection = try? Connection(
      descriptor, peer: peer, user: user, longestMessage: longestMessage(userLimits),
      number: lastNumber, server: self, sockets: sockets)
    guard let connection else { return false }
    user.connections += 1
    users.updateValue(user, forKey: number)
    connections[lastNumber] = connection
    return true
  }

  /// Calls `userLimits` again for all connections. Existing connections stay open, even above a new limit, and keep the
  /// quota under which they were accepted.
  public func applyUserLimits() {
    let now = rateClock()
    for connection in connections.values {
      let userLimits = self.userLimits(connection.peer)
      connection.user.apply(userLimits, now: now)
      connection.limitMessages(to: longestMessage(userLimits))
    }
  }

  private func longestMessage(_ userLimits: UserLimits?) -> Int { min(limits.message, userLimits?.message ?? .max) }

  /// Whether the rate limit allows another call; if not, the connection is throttled and resumed later.
  func mayCall(_ connection: Connection) -> Bool {
    if connection.user.mayCall { return true }
    connection.user.refill(now: rateClock())
    if connection.user.mayCall { return true }
    if throttled.isEmpty { throttleTimer?.arm(at: Clock.boottime() &+ Self.throttleInterval) }
    if !connection.isThrottled { throttled.append(connection) }
    connection.isThrottled = true
    return false
  }

  func resumeThrottled() {
    let connections = throttled
    throttled.removeAll(keepingCapacity: true)
    // Turns are queued: if all connections resumed at once, other users would wait for all of them.
    for connection in connections {
      connection.isThrottled = false
      yieldTurn(connection)
    }
  }

  private func pauseAccepting() {
    isAccepting = false
    sockets.change(listener, as: Self.listenerNumber, to: [])
  }

  private func resumeAccepting() {
    guard !isAccepting, isOpen else { return }
    isAccepting = true
    retry?.disarm()
    sockets.change(listener, as: Self.listenerNumber, to: .readable)
  }
}
