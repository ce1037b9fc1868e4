import Glibc
public import Platform

/// Who may do what: for each right the users and groups that have it. Root and the user whom the core runs as may do
/// everything.
public struct Rights: Equatable, Sendable {
  /// Somebody whom a right is given to, as the configuration writes him.
  public enum Holder: Equatable, Sendable {
    /// `alice`
    case user(String)
    /// `@staff`
    case group(String)
    /// `*`
    case everyone

    /// - Returns: `nil` for a text that names nobody.
    public init?(_ text: String) {
      let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
      guard !name.isEmpty, !name.contains("@"), !name.contains(":"), !name.contains("*") || text == "*" else { return nil }
      self = text == "*" ? .everyone : text.hasPrefix("@") ? .group(name) : .user(name)
    }
  }

  public var holders: [Right: [Holder]]

  public init(_ holders: [Right: [Holder]]) { self.holders = holders }

  /// What holds where no configuration says otherwise: the group `tallymark` may read and count, the gesture daemon may
  /// count, and only root may administer.
  public static let standard = Rights([
    .read: [.group("tallymark")], .count: [.group("tallymark"), .user("tallymark-input")],
  ])
}

/// Rights with the system's numbers for the names in them, found out once.
public struct ResolvedRights: Sendable {
  private struct Numbers {
    var isForEveryone = false
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []
  }

  private var numbers: [Right: Numbers] = [:]
  private let owner: UInt32
  /// The names that the system does not know, as the configuration writes them; they give nobody anything.
  public private(set) var unknown: [String] = []

  /// - Parameter owner: the user who may do everything, besides root.
  public init(_ rights: Rights, owner: UInt32 = ServiceProcess.user) {
    self.owner = owner
    for (right, holders) in rights.holders {
      for holder in holders {
        switch holder {
        case .everyone: numbers[right, default: Numbers()].isForEveryone = true
        case .user(let name):
          if let user = Self.user(name) { numbers[right, default: Numbers()].users.insert(user) } else { unknown.append(name) }
        case .group(let name):
          if let group = Self.group(name) {
            numbers[right, default: Numbers()].groups.insert(group)
          } else {
            unknown.append("@\(name)")
          }
        }
      }
    }
  }

  /// Whether somebody may do anything at all without being limited.
  public func isUnlimited(user: UInt32) -> Bool { user == 0 || user == owner }

  /// Whether whoever is connected has a right.
  public func permit(_ right: Right, to peer: UnixSocket.Peer) -> Bool {
    if isUnlimited(user: peer.user) { return true }
    guard let numbers = numbers[right] else { return false }
    return numbers.isForEveryone || numbers.users.contains(peer.user) || !numbers.groups.isDisjoint(with: peer.groups)
  }

  private static func user(_ name: String) -> UInt32? { unsafe getpwnam(name).map { unsafe $0.pointee.pw_uid } }
  private static func group(_ name: String) -> UInt32? { unsafe getgrnam(name).map { unsafe $0.pointee.gr_gid } }
}
