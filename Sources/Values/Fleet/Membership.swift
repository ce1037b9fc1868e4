/// The settings of a station: its fleet, its name and its broker.
public struct Membership: Equatable, Sendable {
  /// The name of the fleet, which is a part of all topics.
  public let fleet: String
  /// The name of this station, which is a part of its topics.
  public let station: String
  /// The random ID of the station: 32 hexadecimal digits. Two stations with one name differ in it.
  public let id: String
  public let broker: BrokerURL
  /// The certificates (PEM) of the authorities that may certify the broker; empty for those of the system.
  public let authorities: String
  /// Whether clients of the broker may count here by messages.
  public let isObeying: Bool

  public init(
    fleet: String, station: String, id: String, broker: BrokerURL, authorities: String = "", isObeying: Bool = false
  ) {
    self.fleet = fleet
    self.station = station
    self.id = id
    self.broker = broker
    self.authorities = authorities
    self.isObeying = isObeying
  }

  /// Whether `text` has a certificate in PEM.
  public static func hasCertificate(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("-----BEGIN CERTIFICATE-----") }
  }

  /// Whether `text` can name a fleet or a station: 1 to 32 of a-z, 0-9 and "-", no "-" first, and not `all`.
  public static func isName(_ text: some StringProtocol) -> Bool {
    guard 1...32 ~= text.utf8.count, text.utf8.first != UInt8(ascii: "-"), text != "all" else { return false }
    return text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || byte == UInt8(ascii: "-")
    }
  }
}
