import Glibc
public import Linux

/// The rights of users and groups by ID, resolved once from their names.
public struct AccessControlList: Sendable {
  private struct Numbers {
    var isForEveryone = false
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []

    /// - Returns: `false` for a name that the system does not know.
    mutating func add(_ holder: Rights.Holder) -> Bool {
      switch holder {
      case .everyone: isForEveryone = true
      case .user(let name):
        guard let number = Rights.Holder.number(name) ?? Self.user(named: name) else { return false }
        users.insert(number)
      case .group(let name):
        guard let number = Rights.Holder.number(name) ?? Self.group(named: name) else { return false }
        groups.insert(number)
      }
      return true
    }

    private static func user(named name: String) -> UInt32? {
      guard let entry = unsafe getpwnam(name) else { return nil }
      return unsafe entry.pointee.pw_uid
    }

    private static func group(named name: String) -> UInt32? {
      guard let entry = unsafe getgrnam(name) else { return nil }
      return unsafe entry.pointee.gr_gid
    }
  }

  private var numbers: [Right: Numbers] = [:]
  private let owner: UInt32
  /// The names that the system does not know, as in the configuration; they have no effect. Names of the defaults are
  /// not included: the package creates them.
  public private(set) var unknown: [String] = []

  /// - Parameter owner: the user who has all rights, besides root.
  public init(_ rights: Rights, owner: UInt32 = ServiceProcess.user) {
    self.owner = owner
    for (right, holders) in rights.holders {
      var numbers = Numbers()
      for holder in holders where !numbers.add(holder) && Rights.standard.holders[right]?.contains(holder) != true {
        // A holder of several rights is listed once.
        if !unknown.contains("\(holder)") { unknown.append("\(holder)") }
      }
      self.numbers[right] = numbers
    }
  }

  /// Whether a user has all rights and no limits.
  static func isUnlimited(user: UInt32, owner: UInt32) -> Bool { user == 0 || user == owner }

  public func permit(_ right: Right, to peer: UnixSocket.Peer) -> Bool {
    if Self.isUnlimited(user: peer.user, owner: owner) { return true }
    guard let numbers = numbers[right] else { return false }
    return numbers.isForEveryone || numbers.users.contains(peer.user) || !numbers.groups.isDisjoint(with: peer.groups)
  }
}
