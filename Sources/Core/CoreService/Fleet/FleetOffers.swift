import Counting
import Fleet
import Text

/// A counter that a station shares.
struct Offer {
  let id: CounterID
  let name: String
  let decimals: Int64
  /// Settings for the counter that is made here for the offer.
  let settings: Settings
  let station: String

  var title: String { settings[.title]?.text ?? name }
}

/// The counters that other stations share.
struct FleetOffers {
  /// The offers of each counter, by the name of the station.
  private var offered: [CounterID: [String: Offer]] = [:]
  private var count = 0

  /// The maximum number of offers of all stations.
  static let most = 16_384

  /// One offer per counter; of several stations, the one whose name sorts first determines the settings.
  var all: [Offer] { offered.values.compactMap(Self.first) }

  private static func first(of offers: [String: Offer]) -> Offer? { offers.min { $0.key < $1.key }?.value }

  mutating func learn(_ offer: Offer) {
    guard offered[offer.id] != nil || offered.count < ReplicaStore.maximumCounters else { return }
    if offered[offer.id]?[offer.station] == nil {
      guard count < Self.most else { return }
      count += 1
    }
    offered[offer.id, default: [:]][offer.station] = offer
  }

  mutating func withdraw(_ id: CounterID, by station: String) {
    guard offered[id]?.removeValue(forKey: station) != nil else { return }
    count -= 1
    if offered[id]?.isEmpty == true { offered[id] = nil }
  }

  func contains(_ id: CounterID) -> Bool { offered[id] != nil }

  func counters(offeredBy station: String) -> [CounterID] {
    offered.filter { $0.value[station] != nil }.map(\.key)
  }

  /// The offer of a counter with this name; of several, the offer of the station whose name sorts first.
  func offer(called name: String) -> Offer? {
    all.filter { $0.name == name }.min { ($0.station, $0.id.description) < ($1.station, $1.id.description) }
  }

  /// The offer with a name or an ID.
  ///
  /// - Throws: ``CountingError/badSetting(_:reason:)`` also if stations count the counter from different starts, with
  ///   different periods or decimals: at least one states wrong settings, and the total would be wrong here.
  func offer(named name: String, except adopted: Set<CounterID>) throws(CountingError) -> Offer {
    if let offer = CounterID(name).flatMap({ offered[$0] }).flatMap(Self.first) {
      guard !adopted.contains(offer.id) else {
        throw .badSetting("name", reason: "“\(offer.name.shortened)” is adopted already and counted here")
      }
      return try agreed(offer)
    }
    let called = all.filter { $0.name == name }
    let found = called.filter { !adopted.contains($0.id) }
    guard let offer = found.first else {
      guard called.isEmpty else {
        throw .badSetting("name", reason: "“\(name.shortened)” is adopted already and counted here")
      }
      throw .badSetting(
        "name", reason: "no other station offers a counter “\(name.shortened)” that is not adopted here")
    }
    guard found.count == 1 else {
      let ids = found.map { "\($0.id) of \($0.station)" }.sorted().joined(separator: ", ")
      throw .badSetting("name", reason: "several counters are called “\(name.shortened)”; name one by its ID: \(ids)")
    }
    return try agreed(offer)
  }

  private func agreed(_ offer: Offer) throws(CountingError) -> Offer {
    for other in (offered[offer.id] ?? [:]).values.sorted(by: { $0.station < $1.station })
    where other.decimals != offer.decimals || other.settings[.start] != offer.settings[.start]
      || other.settings[.period] != offer.settings[.period]
    {
      throw .badSetting(
        "name",
        reason:
          "“\(offer.station)” and “\(other.station)” count “\(offer.name.shortened)” with another start, period or number "
          + "of decimals. Leave the fleet with the one that is wrong, or, if it is no station of yours: tally fleet forget "
          + "NAME")
    }
    return offer
  }
}
