/// The settings of a station: its fleet, its name and its broker.
public struct Membership: Equatable, Sendable {
  /// The name of the fleet, which is a part of all topics.
  public let fleet: String
  /// The name of this station, which is a part of its topics.
  public let station: String
  /// The random ID of the station: 32 hexadecimal digits. Two stations with one name differ in it.
  public let id: String
  public let broker: BrokerURL

  public init(fleet: String, station: String, id: String, broker: BrokerURL) {
    self.fleet = fleet
    self.station = station
    self.id = id
    self.broker = broker
  }

  /// Whether `text` can name a fleet or a station: 1 to 32 of a-z, 0-9 and "-", not beginning with "-". `all` is a topic.
  public static func isName(_ text: some StringProtocol) -> Bool {
    guard 1...32 ~= text.utf8.count, text.utf8.first != UInt8(ascii: "-"), text != "all" else { return false }
    return text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || byte == UInt8(ascii: "-")
    }
  }
}

/// The URL of an MQTT broker: `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or `mqtts` with TLS.
public struct BrokerURL: Equatable, Sendable, CustomStringConvertible {
  public let description: String
  /// The range of the password in ``description``.
  private let password: Range<String.Index>?

  /// `nil` for any other text.
  public init?(_ text: String) {
    guard text.utf8.count <= 1024, text.utf8.allSatisfy({ 0x21..<0x7f ~= $0 }) else { return nil }
    let schemes = ["mqtt://", "mqtts://"]
    guard let scheme = schemes.first(where: { text.prefix($0.count).lowercased() == $0 }) else { return nil }
    var rest = text.dropFirst(scheme.count)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    var password: Range<String.Index>?
    if let at = rest.lastIndex(of: "@") {
      let user = rest[..<at]
      guard !user.isEmpty, user.first != ":" else { return nil }
      if let colon = user.firstIndex(of: ":") { password = colon..<at }
      rest = rest[rest.index(after: at)...]
    }
    guard let host = Self.host(of: rest), !host.contains("/") else { return nil }
    description = text
    self.password = password
  }

  /// The host of `HOST[:PORT]`; `nil` if one of both is not valid.
  private static func host(of text: Substring) -> Substring? {
    let end: Substring.Index
    if text.first == "[" {
      guard let bracket = text.firstIndex(of: "]") else { return nil }
      end = text.index(after: bracket)
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
    }
    let host = text[..<end]
    guard !host.isEmpty, !host.contains(where: { "?#@".contains($0) }) else { return nil }
    guard end < text.endIndex else { return host }
    let port = text[text.index(after: end)...]
    guard text[end] == ":", port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(port), 1...65535 ~= number
    else {
      return nil
    }
    return host
  }

  /// The URL without its password, for people.
  public var withoutPassword: String {
    guard let password else { return description }
    var text = description
    text.removeSubrange(password)
    return text
  }
}
