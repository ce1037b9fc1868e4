import Platform

extension Server {
  /// What all clients of one user may claim together.
  public struct UserLimits: Sendable, Equatable {
    /// Connections at a time; a further one is closed at once.
    public var connections: Int
    /// Calls a second; what comes faster waits in the kernel.
    public var calls: Int
    /// The longest message in bytes, if that is less than ``Limits/message``.
    public var message = Limits.standard.message
    /// Whether he claims it together with all other users of whom this is said. Whoever was given subordinate user numbers
    /// (`/etc/subuid`) may be many thousand users.
    public var isShared = false

    public init(connections: Int, calls: Int) {
      self.connections = connections
      self.calls = calls
    }
  }
}

/// What one user has claimed of a server, or those who share what they may claim.
final class UserAccount {
  /// The number of its user; `nil` for those who share it.
  let user: UInt32?
  private(set) var limits: Server.UserLimits?
  var connections = 0
  /// Bytes that are kept for its connections; not counted where nothing is limited.
  var held = 0
  private var callsLeft: Int
  private var filledAt: Int64

  /// - Parameter limits: `nil` for a user who may claim all there is.
  init(user: UInt32?, limits: Server.UserLimits?, now: Int64) {
    self.user = user
    self.limits = limits
    callsLeft = limits?.calls ?? 0
    filledAt = now
  }

  var mayConnect: Bool { limits.map { connections < $0.connections } ?? true }

  /// Whether another call may be made now.
  var mayCall: Bool { limits == nil || callsLeft > 0 }

  /// Whether nothing has been claimed that is not due again.
  var isUnspent: Bool { limits.map { callsLeft == $0.calls } ?? true }

  /// Goes by other limits from now on; what was claimed already stays claimed.
  func apply(_ limits: Server.UserLimits?, now: Int64) {
    refill(now: now)
    self.limits = limits
    if let limits { callsLeft = min(callsLeft, limits.calls) }
  }

  /// A call was made.
  func spend() { if limits != nil { callsLeft -= 1 } }

  /// Gives what has become due since the last time, at most what a second allows.
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
