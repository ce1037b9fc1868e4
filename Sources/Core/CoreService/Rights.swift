/// A right to call methods. Rights are independent: none includes another.
public enum Right: String, CaseIterable, Sendable {
  /// To read the counters and their history.
  case read
  /// To change values, as gestures do.
  case count
  /// To create, change and remove counters, groups and formulas.
  case administer
  /// To carry messages between this core and a fleet, as the bridge does.
  case share

  /// The action, to follow "may not".
  var action: String {
    switch self {
    case .read: "read the counters"
    case .count: "count"
    case .administer: "create, change or remove counters"
    case .share: "carry messages of a fleet"
    }
  }
}

/// The users and groups that have each right. Root and the core's own user have all rights.
public struct Rights: Equatable, Sendable {
  /// A holder of a right, as in the configuration.
  public enum Holder: Equatable, Sendable, CustomStringConvertible {
    /// `alice`, or `1000`
    case user(String)
    /// `@staff`, or `@1000`
    case group(String)
    /// `*`
    case everyone

    /// - Returns: `nil` for a text that is not a user, a group or "*".
    public init?(_ text: String) {
      let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
      guard !name.isEmpty, !name.contains("@"), !name.contains(":"), !name.contains("*") || text == "*" else {
        return nil
      }
      if Self.isNumber(name), Self.number(name) == nil { return nil }
      self = text == "*" ? .everyone : text.hasPrefix("@") ? .group(name) : .user(name)
    }

    /// The numeric ID of a user or group, if it is in the valid range; `nil` for a name.
    static func number(_ name: String) -> UInt32? {
      guard isNumber(name), let number = UInt32(name), number < .max else { return nil }
      return number
    }

    /// Whether the text is the number of a user or a group: a name never consists of digits only.
    private static func isNumber(_ name: String) -> Bool { name.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// The text in the configuration.
    public var description: String {
      switch self {
      case .user(let name): name
      case .group(let name): "@\(name)"
      case .everyone: "*"
      }
    }
  }

  /// The holders of each right; a missing right has none.
  public var holders: [Right: [Holder]]

  public init(_ holders: [Right: [Holder]]) { self.holders = holders }

  /// The default: the group `tallymark` may read and count, the board may read, the gesture daemon may count, the
  /// bridge may carry messages of a fleet and read, and only root may administer.
  public static let standard = Rights([
    .read: [.group("tallymark"), .user("tallymark-board"), .user("tallymark-mqtt")],
    .count: [.group("tallymark"), .user("tallymark-input")],
    .share: [.user("tallymark-mqtt")],
  ])
}
