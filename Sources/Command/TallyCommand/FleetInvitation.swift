import Fleet
import JSON

/// All that a machine needs to become a station of a fleet, as a word for `tally fleet join`.
struct FleetInvitation: Equatable {
  /// The URL of the broker, with the user and the password of the new station.
  let broker: String
  let fleet: String
  let station: String
  /// The certificates of the authorities that may certify the broker; empty for those of the system.
  let authorities: String
  /// The IDs of the counters to adopt.
  let counters: [String]

  static let scheme = "tally:"
  /// The maximum length of a line that a terminal passes to a program.
  static let longest = 4_000

  init(broker: BrokerURL, password: String?, fleet: String, station: String, authorities: String, counters: [String]) {
    let account = password.map { "\(station):\($0)@" } ?? ""
    self.broker = "\(broker.isEncrypted ? "mqtts" : "mqtt")://\(account)\(broker)"
    (self.fleet, self.station, self.authorities, self.counters) = (fleet, station, authorities, counters)
  }

  /// The reason for which a broker's URL cannot be used at another machine, and the command that changes the URL; `nil`
  /// for a usable URL.
  static func advice(against broker: BrokerURL) -> String? {
    guard ["localhost", "127.0.0.1", "::1"].contains(broker.host) else { return nil }
    let (scheme, usual): (String, UInt16) = broker.isEncrypted ? ("mqtts", 8883) : ("mqtt", 1883)
    let account = broker.user.map { "\($0):PASSWORD@" } ?? ""
    let port = broker.port == usual ? "" : ":\(broker.port)"
    return "The broker is \(broker.host), which is another one at another machine. First: "
      + "tally fleet join \(scheme)://\(account)NAME\(port)"
  }

  /// - Returns: `nil` if the word is no invitation, or not a whole one.
  init?(_ word: String) {
    guard word.hasPrefix(Self.scheme), let bytes = Base64.bytes(of: word.dropFirst(Self.scheme.count)),
      let members = (try? JSON(parsing: String(decoding: bytes, as: UTF8.self)))?.object,
      let broker = members["broker"]?.string, let fleet = members["fleet"]?.string,
      let station = members["station"]?.string
    else { return nil }
    (self.broker, self.fleet, self.station) = (broker, fleet, station)
    authorities = members["authorities"]?.string ?? ""
    counters = members["counters"]?.array?.compactMap(\.string) ?? []
  }

  var word: String {
    let members: JSONObject = [
      "broker": .string(broker), "fleet": .string(fleet), "station": .string(station),
      "authorities": .string(authorities), "counters": .array(counters.map(JSON.string)),
    ]
    return Self.scheme + Base64.text(Array(members.description.utf8))
  }
}

/// Bytes as text (RFC 4648).
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let number = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for index in 0..<4 {
        text.unicodeScalars.append(index <= part.count ? UnicodeScalar(digits[number >> (18 - 6 * index) & 63]) : "=")
      }
    }
    return text
  }

  /// - Returns: `nil` if the text has another character.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for digit in text.utf8 where digit != UInt8(ascii: "=") {
      guard let value = digits.firstIndex(of: digit) else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> count))
      bits &= 1 << count - 1
    }
    return bytes
  }
}
