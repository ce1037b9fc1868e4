/// The URL of an MQTT broker: `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or `mqtts://` for TLS. In the user and the
/// password `%XX` stands for a byte.
public struct BrokerURL: Equatable, Sendable {
  /// The whole URL, with its password.
  public let text: String
  public let host: String
  public let port: UInt16
  public let isEncrypted: Bool
  public let user: String?
  public let password: String?
  /// The range of the password in ``text``, with the colon before it.
  private let passwordRange: Range<String.Index>?

  /// A shell command that publishes to the broker, without topic and message.
  public var publisher: String {
    "mosquitto_pub -h \(host.isEmpty ? "BROKER" : host) -p \(port == 0 ? 1883 : port)"
      + "\(isEncrypted ? " --tls-use-os-certs" : "") -u USER -P PASSWORD"
  }

  /// A sentence that names a message, and the command that removes it from the broker.
  public func place(of topic: String) -> String {
    // The topic comes from a stranger, and the command is for a shell.
    guard topic.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "'") }) else {
      return "Its topic is \(topic)."
    }
    return "If the broker holds it, this removes it: \(publisher) -r -n -t '\(topic)'"
  }

  /// A URL that is not valid.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, as a clause whose subject "it" is the URL. It never contains a password.
    public let reason: String

    fileprivate init(_ reason: String) { self.reason = "it \(reason)" }

    /// The reason, as a sentence.
    public var description: String { "The URL of the broker\(reason.dropFirst(2))." }
  }

  /// A URL from a journal. An invalid URL gets no host, and the bridge reports the reason.
  public init(stored text: String) {
    if let url = try? BrokerURL(text) {
      self = url
      return
    }
    (self.text, host, port, isEncrypted, user, password) = (text, "", 0, false, nil, nil)
    // The longest text that may be a password.
    passwordRange = text.lastIndex(of: "@").map { text.startIndex..<$0 }
  }

  public init(_ text: String) throws(Fault) {
    let form = "write mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS"
    guard text.utf8.count <= 1024 else { throw Fault("is longer than 1024 bytes") }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw Fault("has a space or a control character; write %20 for a space")
    }
    // `String.contains` and `split` with a text would link the standard library's parser of regular expressions.
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw Fault("has no scheme; \(form)")
    }
    switch text[..<colon].lowercased() {
    case "mqtt": isEncrypted = false
    case "mqtts": isEncrypted = true
    case "ws", "wss": throw Fault("is one of MQTT over WebSockets, which is not supported; \(form)")
    default: throw Fault("has an unknown scheme; \(form)")
    }
    var rest = text[colon...].dropFirst(3)
    (user, password, passwordRange) = try Self.account(before: &rest)
    if rest.hasSuffix("/") { rest.removeLast() }
    guard !rest.contains(where: { "/?#@".contains($0) }) else {
      throw Fault("has more than a host and a port; \(form)")
    }
    let port: Substring?
    (host, port) = try Self.place(rest, form)
    guard 1...253 ~= host.utf8.count, host.utf8.allSatisfy({ $0 < 0x7f }) else {
      throw Fault("has no valid host; \(form)")
    }
    self.text = text
    guard let port else {
      self.port = isEncrypted ? 8883 : 1883
      return
    }
    guard let number = UInt16(port), number > 0, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw Fault("has a port that is not a number from 1 to 65535")
    }
    self.port = number
  }

  private static func place(_ text: Substring, _ form: String) throws(Fault) -> (host: String, port: Substring?) {
    guard text.hasPrefix("[") else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else { throw Fault("has an IPv6 address without brackets; write mqtt://[::1]:1883") }
      return (String(parts.first ?? ""), parts.count == 2 ? parts[1] : nil)
    }
    guard let end = text.firstIndex(of: "]") else {
      throw Fault("has an IPv6 address without a closing bracket; write mqtt://[::1]:1883")
    }
    let tail = text[text.index(after: end)...]
    guard tail.isEmpty || tail.hasPrefix(":") else { throw Fault("has more than a host and a port; \(form)") }
    return (String(text[..<end].dropFirst()), tail.isEmpty ? nil : tail.dropFirst())
  }

  /// Removes the user and the password with the `@` behind them.
  private static func account(
    before rest: inout Substring
  ) throws(Fault) -> (user: String?, password: String?, range: Range<String.Index>?) {
    guard let at = rest.lastIndex(of: "@") else { return (nil, nil, nil) }
    let account = rest[..<at]
    rest = rest[rest.index(after: at)...]
    let colon = account.firstIndex(of: ":")
    let password = colon.map { account[account.index(after: $0)...] }
    guard let user = decoded(account[..<(colon ?? at)]), !user.isEmpty, password.map({ decoded($0) != nil }) ?? true
    else {
      throw Fault("has a user or a password that is not valid; write %25 for % and %40 for @")
    }
    return (user, password.flatMap(decoded), colon.map { $0..<at })
  }

  /// Decodes `%XX`; `nil` if the result is not UTF-8 or contains a control character.
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

  /// The URL without its password, for people.
  public var withoutPassword: String {
    guard let passwordRange else { return text }
    return String(text[..<passwordRange.lowerBound] + text[passwordRange.upperBound...])
  }
}

extension BrokerURL: CustomStringConvertible {
  /// Host and port, for people: without user and password.
  public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
