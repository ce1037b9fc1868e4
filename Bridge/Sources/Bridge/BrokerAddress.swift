/// The address of a broker, from a URL: `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or `mqtts://` for TLS.
public struct BrokerAddress: Equatable, Sendable {
  public let host: String
  public let port: UInt16
  public let isEncrypted: Bool
  public let user: String?
  public let password: String?

  /// A URL that is not valid.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence. It never contains a password.
    public let description: String
  }

  public init(_ url: String) throws(Fault) {
    let form = "write mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS"
    guard url.utf8.count <= 1024 else { throw Fault(description: "The broker's URL is longer than 1024 bytes.") }
    // The standard library's search for a text would link its parser of regular expressions.
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
      throw Fault(description: "The broker's URL has no scheme; \(form).")
    }
    switch url[..<colon].lowercased() {
    case "mqtt", "tcp": isEncrypted = false
    case "mqtts", "ssl", "tls": isEncrypted = true
    case "ws", "wss": throw Fault(description: "MQTT over WebSockets is not supported; \(form).")
    default: throw Fault(description: "The scheme of the broker's URL is not known; \(form).")
    }
    var rest = url[colon...].dropFirst(3)
    (user, password) = try Self.account(before: &rest)
    if rest.hasSuffix("/") { rest.removeLast() }
    guard !rest.contains(where: { "/?#@".contains($0) || $0.isWhitespace }) else {
      throw Fault(description: "The broker's URL has more than a host and a port; \(form).")
    }
    var port: Substring?
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else {
        throw Fault(description: "The broker's IPv6 address has no closing bracket; write mqtt://[::1]:1883.")
      }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      let tail = rest[rest.index(after: end)...]
      guard tail.isEmpty || tail.hasPrefix(":") else {
        throw Fault(description: "The broker's URL has more than a host and a port; \(form).")
      }
      port = tail.isEmpty ? nil : tail.dropFirst()
    } else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else {
        throw Fault(description: "Write the broker's IPv6 address in brackets: mqtt://[::1]:1883.")
      }
      host = String(parts.first ?? "")
      port = parts.count == 2 ? parts[1] : nil
    }
    guard 1...253 ~= host.utf8.count, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw Fault(description: "The broker's URL has no valid host; \(form).")
    }
    guard let port else {
      self.port = isEncrypted ? 8883 : 1883
      return
    }
    guard let number = UInt16(port), number > 0, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw Fault(description: "The port of the broker's URL is not a number from 1 to 65535.")
    }
    self.port = number
  }

  /// Removes the user and the password with the `@` behind them.
  private static func account(before rest: inout Substring) throws(Fault) -> (user: String?, password: String?) {
    guard let at = rest.lastIndex(of: "@") else { return (nil, nil) }
    let account = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    rest = rest[rest.index(after: at)...]
    let words = account.map(decoded)
    guard words.allSatisfy({ $0 != nil }), let user = words.first ?? nil, !user.isEmpty else {
      throw Fault(
        description: "The user or the password in the broker's URL is not valid; write %25 for % and %40 for @.")
    }
    return (user, words.count == 2 ? words[1] : nil)
  }

  /// Decodes `%XX`; `nil` if that gives no UTF-8 text or a control character.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension BrokerAddress: CustomStringConvertible {
  /// Host and port, for people: without user and password.
  public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
