/// The stations on a broker, and their order as speakers.
///
/// The speaker of a counter is the online station whose name sorts first among the stations that count it. A broker may
/// report a station that is gone as online. The others therefore publish after a wait that grows with their rank,
/// unless the right value has been published by then.
public struct PublisherElection: Equatable, Sendable {
  /// The maximum number of stations. Above it, a station is forgotten, preferably one that has not described itself;
  /// among equals the one heard longest ago.
  public static let capacity = 1_024
  /// The wait of the second station, in nanoseconds; twice as long for the third one.
  static let step: Int64 = 5_000_000_000

  let own: String
  private var peers: [String: Peer] = [:]
  /// The number of messages of stations.
  private var messages = 0

  private struct Peer: Equatable {
    /// Whether the station is online; `nil` if the broker has not reported it.
    var isOnline: Bool?
    var isDescribed = false
    /// The number of the last message.
    var heard = 0
  }

  public init(own: String) {
    self.own = own
    peers[own] = Peer(isOnline: true, isDescribed: true, heard: .max)
  }

  /// Records the broker's report about a station; returns whether that is a change.
  public mutating func hear(_ station: String, isOnline: Bool) -> Bool {
    guard station != own else { return false }
    let isNews = peers[station]?.isOnline != isOnline
    change(station) { $0.isOnline = isOnline }
    return isNews
  }

  /// Records that a station has described itself or removed its description. Invented stations seldom have one.
  public mutating func describe(_ station: String, isGone: Bool) {
    guard station != own, !isGone || peers[station] != nil else { return }
    change(station) { $0.isDescribed = !isGone }
  }

  private mutating func change(_ station: String, _ body: (inout Peer) -> Void) {
    if peers[station] == nil, peers.count >= Self.capacity { makeRoom() }
    messages += 1
    body(&peers[station, default: Peer()])
    peers[station]?.heard = messages
  }

  private mutating func makeRoom() {
    func rank(_ peer: Peer) -> (Int, Int) { (peer.isDescribed ? 1 : 0, peer.heard) }
    if let (name, _) = peers.min(by: { rank($0.value) < rank($1.value) }) { peers[name] = nil }
  }

  /// Forgets a station that has left; returns whether that is a change.
  public mutating func forget(_ station: String) -> Bool {
    station != own && peers.removeValue(forKey: station)?.isOnline != nil
  }

  /// All stations by name.
  public var stations: [String] { peers.filter { $0.value.isOnline != nil }.keys.sorted() }
  /// The stations that are offline, by name.
  public var missing: [String] { peers.filter { $0.value.isOnline == false }.keys.sorted() }

  /// Whether this station is the first of all that are online.
  public var isFirst: Bool { !peers.contains { $0.value.isOnline == true && $0.key < own } }

  /// The number of online stations before this one among `stations`.
  func rank(among stations: Set<String>) -> Int { stations.count { $0 < own && peers[$0]?.isOnline == true } }

  /// The wait of a station with a rank before it publishes a value that the broker does not have, in nanoseconds.
  static func wait(rank: Int) -> Int64 { min(Int64(rank) * step, longest) }
  /// The wait of the last stations, in nanoseconds.
  static let longest: Int64 = 30_000_000_000
}
