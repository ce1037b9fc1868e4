import CoreAPI
import Counting
import JSON
import Linux
import Reports

/// The fleet as text for people, and as JSON for programs.
struct FleetText {
  let fleet: Counters.FleetReply

  init(_ fleet: Counters.FleetReply) { self.fleet = fleet }

  /// The largest harmless difference of clocks, in microseconds. A larger one puts counts into wrong periods.
  private static let largestOffset: Int64 = 5_000_000

  /// The longest normal delay of a change at a station, in microseconds. Stations report at most every 10 s.
  private static let longestLag: Int64 = 20_000_000

  /// The prefix of sentences that the bridge has reported.
  static let bridgeMark = "Bridge: "

  static let none = "This core is in no fleet. Join one: tally fleet join mqtt://HOST --fleet NAME --station NAME"

  var lines: [String] {
    guard let name = fleet.fleet, let station = fleet.station else { return [Self.none] }
    var lines = ["Fleet \(name), station \(station), broker \(fleet.broker ?? "") (\(connection))"]
    lines += fleet.stations.map(line)
    for counter in fleet.counters {
      let (unheard, format) = (counter.unheard ?? 0, ValueText(unit: counter.unit))
      lines.append(
        "  \(counter.name): \(format.text(counter.value)), of which \(format.text(counter.own)) here"
          + (unheard > 0 ? "; \(Self.changes(unheard)) here not confirmed by another station yet" : ""))
      var shares = counter.shares.map { "\($0.station) \(format.text($0.change))" }
      if let others = counter.others, others != 0 {
        shares.append("others \(format.text(others)) (left, or not heard yet)")
      }
      // If only this station has counted, the line before shows its share already.
      let isOwnAlone = shares.count == 1 && counter.shares.first?.station == station
      if !shares.isEmpty, !isOwnAlone { lines.append("    \(shares.joined(separator: ", "))") }
      lines += counter.kept.map {
        "    kept \(format.text($0.change)) of \($0.station), which had not heard of the reset"
      }
    }
    for offer in fleet.offers {
      let former = offer.here.map { $0 == offer.name ? "" : ", and was \($0) here" } ?? ""
      lines.append("  \(offer.name) is shared by \(offer.station)\(former): \(adoption(of: offer))")
    }
    return lines + findings.map { "! \($0)" }
  }

  /// The command that adopts an offer: by its ID if another offer has the name, and under another name if the name is
  /// in use here.
  private func adoption(of offer: Counters.Offer) -> String {
    let isOnly = fleet.offers.count { $0.name == offer.name } == 1
    let command = "tally fleet adopt \(isOnly ? offer.name : offer.id)"
    guard let here = offer.here else { return offer.isTaken ? "\(command) --as NEW" : command }
    return here == offer.name ? "\(command) --from-now, or --bring" : "\(command) --as \(here) --bring, or --from-now"
  }

  /// Sentences about the counters of an invitation that are not counted here, with the commands that adopt them.
  func missing(of invitation: [String]) -> [String] {
    invitation.filter { id in !fleet.counters.contains { $0.id == id } }.map { id in
      guard let offer = fleet.offers.first(where: { $0.id == id }) else {
        return "A counter of the invitation is not offered yet. Once it is: tally fleet adopt \(id)"
      }
      return "\(offer.name) is not counted here yet: \(adoption(of: offer))"
    }
  }

  /// The sentence about a setting that the core has refused, in the words of the command line.
  static func refusal(_ setting: String, _ reason: String) -> String {
    let words = ["(bring)": "(--bring)", "(from now)": "(--from-now)", "another name": "another name (--as NEW)"]
    let isOfOptions = ["bring", "new"].contains(setting)
    var reason = isOfOptions ? words.reduce(reason) { $0.replacing($1.key, with: $1.value) } : reason
    if reason.hasPrefix("it ") {
      reason = (setting == "broker" ? "the URL of the broker" : "--\(setting)") + reason.dropFirst(2)
    }
    return reason.prefix(1).uppercased() + reason.dropFirst() + "."
  }

  /// The next step after an offer was not found.
  var adviceWithoutOffer: String {
    guard fleet.isConnected else {
      return "The broker is not connected, and offers come from there; tally fleet doctor finds out why."
    }
    guard !fleet.offers.isEmpty else {
      return "None is offered now. At a station that counts it: tally fleet share NAME"
    }
    return "Offered are: \(fleet.offers.map { "\($0.name) by \($0.station)" }.abridged())."
  }

  /// The next steps of a station that has just joined, or that has changed its broker or its name.
  ///
  /// - Parameter before: the state before.
  func nextSteps(after before: Counters.FleetReply) -> String {
    let count = fleet.counters.count
    guard before.fleet == fleet.fleet, count > 0 else { return nextSteps }
    return "It counts \(count == 1 ? "1 counter" : "\(count) counters") with the fleet, as before."
  }

  var nextSteps: String {
    if let offer = fleet.offers.first {
      let others = fleet.offers.dropFirst().prefix(4).map(\.name)
      return "Count what others share: \(adoption(of: offer))"
        + (others.isEmpty ? "" : " (or \(others.joined(separator: ", ")))")
    }
    return "Share a counter: tally fleet share NAME. Count one that another station shares: tally fleet adopt NAME."
      + (fleet.isConnected ? "" : " tally-mqttd must run here as well; tally fleet shows whether it is connected.")
  }

  /// An object for each station. The first one, for this station, also has the members of the fleet. Outside of a
  /// fleet, the only object states that there is no fleet.
  var json: [JSON] {
    guard fleet.fleet != nil else { return [.object(["fleet": .null, "problem": .string(Self.none)])] }
    return fleet.stations.map { station in
      var line = station.object.spellingTimes("lastSeen")
      guard station.isOwn else { return .object(line) }
      for member in [Counters.FleetReply.Member.fleet, .broker, .connected, .others] {
        line[member] = fleet.object[member.rawValue.text]
      }
      line[Counters.FleetReply.Member.counters] = .array(fleet.counters.map(Self.json))
      line[Counters.FleetReply.Member.offers] = .array(fleet.offers.map(\.json))
      line["problems"] = .array(findings.map(JSON.string))
      return .object(line)
    }
  }

  /// The members of the counter; for one with decimals also `text`, the total in its unit, and likewise `ownText` and
  /// `othersText`.
  private static func json(_ counter: Counters.SharedCounter) -> JSON {
    guard counter.unit != .things else { return counter.json }
    func spelled(_ counts: Counters.StationCounts) -> JSON {
      var object = counts.object
      object["text"] = .string(counter.unit.text(counts.change))
      return .object(object)
    }
    var object = counter.object
    object["text"] = .string(counter.unit.text(counter.value))
    object["ownText"] = .string(counter.unit.text(counter.own))
    if let others = counter.others, others != 0 { object["othersText"] = .string(counter.unit.text(others)) }
    typealias Member = Counters.SharedCounter.Member
    for (member, rows) in [(Member.shares, counter.shares), (.kept, counter.kept)] where !rows.isEmpty {
      object[member] = .array(rows.map(spelled))
    }
    return .object(object)
  }

  /// A sentence about the stations that will receive a reset later; `nil` if there are none.
  var absent: String? {
    let names = fleet.stations.filter { !$0.isOwn && $0.online == false }.map(\.name)
    let stays = "counts until it hears of this reset stays, and tally fleet will name it"
    guard fleet.isConnected else {
      return fleet.stations.count > 1 ? "The broker is not connected. What another station \(stays)." : nil
    }
    guard let first = names.first else { return nil }
    guard names.count > 1 else { return "\(first) is offline. What it \(stays)." }
    return "\(names.abridged()) are offline. What each \(stays)."
  }

  private var connection: String { fleet.isConnected ? "connected" : "not connected" }

  private func line(_ station: Counters.FleetStation) -> String {
    let state = station.isOwn ? "this station" : station.online.map { $0 ? "online" : "offline" } ?? "unknown"
    var parts = ["  \(station.name): \(state)"]
    if let behind = station.behind, behind > 0 {
      parts.append("has not confirmed \(Self.changes(behind)) of this station yet")
    }
    if let clock = station.clock, abs(of: clock) > Self.largestOffset {
      parts.append("clock \(seconds(clock)) \(clock > 0 ? "ahead" : "behind")")
    }
    if let time = station.lastSeen {
      parts.append("last heard \(LocalTime(microseconds: time).second)")
    }
    return parts.joined(separator: ", ")
  }

  /// The troubles, as sentences.
  var findings: [String] {
    guard fleet.fleet != nil else { return [Self.none] }
    var findings = (fleet.trouble ?? "").split(separator: "\n").map(String.init)
    // The bridge's sentences come first.
    if !fleet.isConnected, !fleet.hasBridgeTrouble {
      findings.insert(
        "The bridge is not connected to the broker. Is tally-mqttd running, and may it reach the broker?", at: 0)
    }
    for station in fleet.stations where !station.isOwn {
      if station.online == false {
        let since = station.lastSeen.map { " since \(LocalTime(microseconds: $0).second)" }
        findings.append("\(station.name) is offline\(since ?? "").")
      }
      if let behind = station.behind, let lag = station.lag, lag > Self.longestLag, station.online == true {
        findings.append(
          "\(station.name) has not confirmed \(Self.changes(behind)) of this station for \(seconds(lag)).")
      }
    }
    return findings + clockFindings
  }

  /// The findings about differing clocks; only this station's if all others agree on another time.
  private var clockFindings: [String] {
    let clocks = fleet.stations.filter { !$0.isOwn }.compactMap { station in station.clock.map { (station.name, $0) } }
    let wrong = clocks.filter { abs(of: $0.1) > Self.largestOffset }
    let advice =
      "Counts near the end of a period may fall into another one; “timedatectl” shows whether the network sets"
    if let least = wrong.map(\.1).min(), let most = wrong.map(\.1).max(), wrong.count == clocks.count, wrong.count > 1 {
      let (spread, overflow) = most.subtractingReportingOverflow(least)
      if !overflow, spread <= 2 * Self.largestOffset, (least > 0) == (most > 0) {
        return [
          "The clock of this station is probably wrong: it is \(seconds(least)) \(least > 0 ? "behind" : "ahead of") those "
            + "of all others. \(advice) it."
        ]
      }
    }
    return wrong.map { name, clock in
      "The clock of \(name) is \(seconds(clock)) \(clock > 0 ? "ahead of" : "behind") that of this station. \(advice) them."
    }
  }

  /// The settings of a counter that its adoption has replaced: `maximum 8 (was 10)`.
  static func replaced(_ before: Counters.Counter, by now: Counters.Counter) -> [String] {
    typealias Member = Counters.Counter.Member
    let fields: [(Field, Member)] = [
      (.start, .start), (.period, .period), (.minimum, .minimum), (.maximum, .maximum), (.limits, .limits),
      (.target, .target),
    ]
    func text(_ counter: Counters.Counter, _ member: Member) -> String {
      let value = counter.object[member.rawValue.text]
      return value?.int.map { counter.unit.text($0) } ?? value?.string ?? "none"
    }
    return fields.compactMap { field, member in
      let (former, present) = (text(before, member), text(now, member))
      return former == present ? nil : "\(field.option) \(present) (was \(former))"
    }
  }

  /// A number of counts, undos and redos.
  static func changes(_ number: Int64) -> String { "\(number) change\(number == 1 ? "" : "s")" }

  private func abs(of number: Int64) -> Int64 { number == .min ? .max : Swift.abs(number) }

  private func seconds(_ microseconds: Int64) -> String { "\(abs(of: microseconds) / 1_000_000) s" }
}

extension Counters.FleetReply {
  /// Whether the bridge has reported a trouble.
  var hasBridgeTrouble: Bool { trouble?.hasPrefix(FleetText.bridgeMark) == true }
}
