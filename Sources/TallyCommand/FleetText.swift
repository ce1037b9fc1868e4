import CountersAPI
import Platform

/// The fleet as text for people.
struct FleetText {
  let fleet: Counters.FleetState

  init(_ fleet: Counters.FleetState) { self.fleet = fleet }

  /// A clock that differs by more puts counts into wrong periods; in microseconds.
  private static let largestOffset: Int64 = 5_000_000

  static let none = "This core is in no fleet. Join one: tally fleet join mqtt://HOST --fleet NAME --station NAME"

  var lines: [String] {
    guard let name = fleet.fleet, let station = fleet.station else { return [Self.none] }
    var lines = ["Fleet \(name), station \(station), broker \(fleet.broker ?? "") (\(connection))"]
    lines += fleet.stations.map(line)
    for counter in fleet.counters {
      let unheard = counter.unheard ?? 0
      lines.append(
        "  \(counter.name): \(counter.value), of which \(counter.own) here"
          + (unheard > 0 ? ", \(unheard) that no other station has heard" : ""))
    }
    for offer in fleet.offers {
      lines.append(
        "  \(offer.name) is shared by \(offer.station): tally fleet adopt \(offer.name) --from-now, or --bring")
    }
    return lines + findings.map { "! \($0)" }
  }

  private var connection: String { fleet.isConnected ? "connected" : "not connected" }

  private func line(_ station: Counters.FleetStation) -> String {
    let state = station.isOwn ? "this station" : station.isOnline.map { $0 ? "online" : "offline" } ?? "unknown"
    var parts = ["  \(station.name): \(state)"]
    if let contribution = station.contribution { parts.append("counted \(contribution)") }
    if let behind = station.behind, behind > 0 { parts.append("behind by \(behind)") }
    if let clock = station.clock, abs(of: clock) > Self.largestOffset { parts.append("clock off by \(seconds(clock))") }
    if let time = station.lastSeen {
      let time = LocalTime(microseconds: time)
      parts.append("last heard \(time.day) \(time.clock)")
    }
    return parts.joined(separator: ", ")
  }

  /// What is wrong, as sentences.
  var findings: [String] {
    guard fleet.fleet != nil else { return [Self.none] }
    var findings = (fleet.trouble ?? "").split(separator: "\n").map(String.init)
    if !fleet.isConnected, findings.isEmpty {
      findings.append("The bridge is not connected to the broker. Is tally-mqttd running, and may it reach the broker?")
    }
    for station in fleet.stations where !station.isOwn {
      if let clock = station.clock, abs(of: clock) > Self.largestOffset {
        findings.append(
          "The clock of \(station.name) is \(seconds(clock)) \(clock > 0 ? "ahead" : "behind"); counts near the end of a "
            + "period may fall into another one there.")
      }
      if let behind = station.behind, behind > 0, station.isOnline == true {
        findings.append("\(station.name) has not heard \(behind) counts of this station yet.")
      }
    }
    return findings
  }

  private func abs(of number: Int64) -> Int64 { number == .min ? .max : Swift.abs(number) }

  private func seconds(_ microseconds: Int64) -> String { "\(abs(of: microseconds) / 1_000_000) s" }
}
