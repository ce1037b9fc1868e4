/// Who may do what: for each right the users and groups that have it. Root and the user whom the core runs as may do
/// everything.
public struct Rights: Equatable, Sendable {
  /// Somebody whom a right is given to, as the configuration writes him.
  public enum Holder: Equatable, Sendable, CustomStringConvertible {
    /// `alice`, or `1000`
    case user(String)
    /// `@staff`, or `@1000`
    case group(String)
    /// `*`
    case everyone

    /// - Returns: `nil` for a text that names nobody.
    public init?(_ text: String) {
      let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
      guard !name.isEmpty, !name.contains("@"), !name.contains(":"), !name.contains("*") || text == "*" else {
        return nil
      }
      if Self.isNumber(name), Self.number(name) == nil { return nil }
      self = text == "*" ? .everyone : text.hasPrefix("@") ? .group(name) : .user(name)
    }

    /// The number of the user or group that is named by it; `nil` for a name, and for what is beyond the numbers that
    /// there are.
    static func number(_ name: String) -> UInt32? {
      guard isNumber(name), let number = UInt32(name), number < .max else { return nil }
      return number
    }

    /// No user or group is called by digits alone.
    private static func isNumber(_ name: String) -> Bool { name.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

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
