import Glibc
public import Platform

/// Who may do what: for each right the users and groups that have it. Root and the user whom the core runs as may do
/// everything.
public struct Rights: Equatable, Sendable {
  /// Somebody whom a right is given to, as the configuration writes him.
  public enum Holder: Equatable, Sendable, CustomStringConvertible {
    /// `alice`
    case user(String)
    /// `@staff`
    case group(String)
    /// `*`
    case everyone

    /// - Returns: `nil` for a text that names nobody.
    public init?(_ text: String) {
      let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
      guard !name.isEmpty, !name.contains("@"), !name.contains(":"), !name.contains("*") || text == "*" else {
        return nil
      }
      self = text == "*" ? .everyone : text.hasPrefix("@") ? .group(name) : .user(name)
    }

    /// As the configuration writes it.
    public var description: String {
      switch self {
      case .user(let name): name
      case .group(let name): "@\(name)"
      case .everyone: "*"
      }
    }
  }

  /// Whom each right is given to; one that is missing here is given to nobody.
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

    /// - Returns: `false` for a name that the system does not know.
    mutating func add(_ holder: Rights.Holder) -> Bool {
      switch holder {
      case .everyone: isForEveryone = true
      case .user(let name):
        guard let entry = unsafe getpwnam(name) else { return false }
        users.insert(unsafe entry.pointee.pw_uid)
      case .group(let name):
        guard let entry = unsafe getgrnam(name) else { return false }
        groups.insert(unsafe entry.pointee.gr_gid)
      }
      return true
    }
  }

  private var numbers: [Right: Numbers] = [:]
  private let owner: UInt32
  /// The names that the system does not know, as the configuration writes them; they give nobody anything. The defaults
  /// name those whom a package makes, and are not meant.
  public private(set) var unknown: [String] = []

  /// - Parameter owner: the user who may do everything, besides root.
  public init(_ rights: Rights, owner: UInt32 = ServiceProcess.user) {
    self.owner = owner
    for (right, holders) in rights.holders {
      var numbers = Numbers()
      for holder in holders where !numbers.add(holder) && Rights.standard.holders[right]?.contains(holder) != true {
        unknown.append("\(holder)")
      }
      self.numbers[right] = numbers
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
}
