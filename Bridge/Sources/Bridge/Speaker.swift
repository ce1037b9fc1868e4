/// The stations on a broker, and their order as speakers.
///
/// The speaker of a counter is the online station with the first name among those that count it. A broker may say "online"
/// of one that is gone, so the others speak after a wait that grows with their rank, unless the right value has been
/// published by then.
public struct Speaker: Equatable, Sendable {
  /// The maximum number of stations; further ones are ignored.
  public static let capacity = 1_024
  /// The wait of the second station, in nanoseconds; twice as long for the third one.
  static let step: Int64 = 5_000_000_000

  let own: String
  private var online: [String: Bool] = [:]

  public init(own: String) {
    self.own = own
    online[own] = true
  }

  /// Records what the broker says of a station; returns whether that is news.
  public mutating func hear(_ station: String, isOnline: Bool) -> Bool {
    guard station != own, online[station] != isOnline, online.count < Self.capacity || online[station] != nil else {
      return false
    }
    online[station] = isOnline
    return true
  }

  /// Forgets a station that has left; returns whether that is news.
  public mutating func forget(_ station: String) -> Bool {
    station != own && online.removeValue(forKey: station) != nil
  }

  /// All stations by name.
  public var stations: [String] { online.keys.sorted() }
  /// The stations that are offline, by name.
  public var missing: [String] { online.filter { !$0.value }.keys.sorted() }

  /// Whether this station is the first of all that are online.
  public var isFirst: Bool { !online.contains { $0.value && $0.key < own } }

  /// The number of online stations before this one among `stations`.
  func rank(among stations: Set<String>) -> Int { stations.count { $0 < own && online[$0] == true } }

  /// How long the station of a rank waits before it publishes a value that the broker does not have, in nanoseconds.
  static func wait(rank: Int) -> Int64 { min(Int64(rank) * step, longest) }
  /// The wait of the last stations, in nanoseconds.
  static let longest: Int64 = 30_000_000_000
}
