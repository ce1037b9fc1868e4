import Linux

extension Server {
  /// Limits of all clients of one user together.
  public struct UserLimits: Sendable, Equatable {
    /// Maximum number of connections; a further connection is closed at once.
    public var connections: Int
    /// Maximum number of calls per second; further calls wait in the kernel's buffer.
    public var calls: Int
    /// Maximum size of a message in bytes; the smaller of this and ``Limits/message`` applies.
    public var message = Limits.standard.message
    /// Whether all users with these limits share one quota. A person with subordinate user IDs (`/etc/subuid`) can act
    /// as many thousand users.
    public var isShared = false

    public init(connections: Int, calls: Int) {
      self.connections = connections
      self.calls = calls
    }
  }
}

/// Usage and limits of one user, or of all users that share a quota.
final class UserQuota {
  /// The user ID; `nil` for the shared quota.
  let user: UInt32?
  private(set) var limits: Server.UserLimits?
  var connections = 0
  /// Bytes buffered for the user's connections; not counted if the user has no limits.
  var bufferedBytes = 0
  private var callsLeft: Int
  private var filledAt: Int64
  /// The user's connections that have yielded, the next one first.
  private var yielded: [Connection] = []
  /// The user's connections that have yielded and whose clients have disconnected, the next one first.
  private var yieldedAbandoned: [Connection] = []
  private var turns = 0
  /// The round of the server in which ``timeLeft`` was set.
  private var round: UInt64 = 0
  private var timeLeft: Int64 = 0

  /// Maximum duration of all turns of a user in a round of the server, in nanoseconds; at least one call is handled.
  /// This bounds the wait of other users, and is enough for about a hundred counts.
  private static let timeInARound: Int64 = 1_000_000

  /// - Parameter limits: `nil` for a user without limits.
  init(user: UInt32?, limits: Server.UserLimits?, now: Int64) {
    self.user = user
    self.limits = limits
    callsLeft = limits?.calls ?? 0
    filledAt = now
  }

  var mayConnect: Bool { limits.map { connections < $0.connections } ?? true }

  /// Whether the rate limit allows another call.
  var mayCall: Bool { limits == nil || callsLeft > 0 }

  /// Whether the rate limit is fully available.
  var isUnspent: Bool { limits.map { callsLeft == $0.calls } ?? true }

  /// Replaces the limits; present connections and earlier calls still count.
  func apply(_ limits: Server.UserLimits?, now: Int64) {
    refill(now: now)
    self.limits = limits
    if let limits { callsLeft = min(callsLeft, limits.calls) }
  }

  func spend() { if limits != nil { callsLeft -= 1 } }

  /// Number of the user's connections that have yielded.
  var yieldedCount: Int { yielded.count + yieldedAbandoned.count }

  func appendYielded(_ connection: Connection) {
    if connection.isAbandoned { yieldedAbandoned.append(connection) } else { yielded.append(connection) }
  }

  /// Removes and returns the connection that has the next turn. Of eight turns, disconnected clients get one while
  /// others wait.
  func nextYielded() -> Connection? {
    turns &+= 1
    let isForAbandoned = yielded.isEmpty || (turns % 8 == 0 && !yieldedAbandoned.isEmpty)
    if isForAbandoned { return yieldedAbandoned.isEmpty ? nil : yieldedAbandoned.removeFirst() }
    return yielded.removeFirst()
  }

  func removeYielded() { (yielded, yieldedAbandoned) = ([], []) }

  /// The rest of the user's time in a round of the server, in nanoseconds; not positive if it is used up.
  func timeLeft(in round: UInt64) -> Int64 {
    if self.round != round { (self.round, timeLeft) = (round, Self.timeInARound) }
    return timeLeft
  }

  /// Counts the duration of a turn.
  func spend(time: Int64) { timeLeft -= time }

  /// Refills the rate limit by the time passed, up to one second's worth.
  func refill(now: Int64) {
    guard let limits else { return }
    let second: Int64 = 1_000_000_000
    let passed = min(max(now &- filledAt, 0), second)
    let due = Int(Int64(min(limits.calls, 1_000_000_000)) * (passed / 1000) / (second / 1000))
    guard due > 0 else { return }
    callsLeft = min(limits.calls, callsLeft + due)
    filledAt = now
  }
}

// Counts the bytes buffered for clients between turns of the loop.
extension Server {
  /// Adds `difference` to the buffered bytes of `user`; above the limit, disconnects the largest consumers.
  func addBufferedBytes(_ difference: Int, for user: UserQuota) {
    guard user.limits != nil else { return }
    bufferedBytes += difference
    user.bufferedBytes += difference
    while difference > 0, bufferedBytes > limits.bufferedBytes, let largestConsumer { largestConsumer.close() }
  }

  /// The client to disconnect first.
  private var largestConsumer: Connection? {
    connections.values.lazy.filter { $0.bufferedBytes > 0 && $0.user.limits != nil }
      .max { ($0.user.bufferedBytes, $0.bufferedBytes) < ($1.user.bufferedBytes, $1.bufferedBytes) }
  }

  /// Bytes of messages after which deferred replies are sent. Deferred calls keep their parameters, which can take
  /// forty times the memory of their text.
  private static let mostHandled = 256 << 10

  /// Counts a handled message.
  func countHandled(_ bytes: Int) {
    handled += bytes
    guard handled >= Self.mostHandled else { return }
    let isPauseAhead = service.isPauseAhead
    flushDeferred()
    service.isPauseAhead = isPauseAhead
  }

  /// Lets handlers send deferred replies.
  func flushDeferred() {
    handled = 0
    service.isPauseAhead = false
    service.onPause()
  }
}
