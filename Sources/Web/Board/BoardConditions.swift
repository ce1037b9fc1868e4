public import CoreAPI

/// Further facts that pages show: whether counting is allowed here, and which stations of the fleet are missing.
public struct BoardConditions: Sendable, Equatable {
  /// Whether the core lets the board count.
  public var mayCount = true
  /// The missing stations, in one line; `nil` without a fleet, and while no station is missing.
  public var missing: String?

  public init() {}
}

/// Finds the missing stations of a fleet: those that are offline, and those that lag behind.
///
/// Times are in microseconds since 1970.
public struct FleetWatch: Sendable {
  /// The number of this station's changes that each station has received, and the time at which that number was first
  /// seen. A station always lags a little while this one counts.
  private var progress: [String: (heard: Int64?, since: Int64)] = [:]

  /// The time without a new change after which a station lags behind.
  private static let patience: Int64 = 30_000_000
  /// The maximum number of named stations; of more, only the number is shown.
  private static let mostNamed = 3

  public init() {}

  /// The missing stations, in one line; `nil` without a fleet, and while no station is missing.
  public mutating func missing(in fleet: Counters.FleetReply, now: Int64) -> String? {
    let others = fleet.stations.filter { !$0.isOwn }
    let before = progress
    progress = [:]
    for station in others where station.behind ?? 0 > 0 {
      let (heard, earlier) = (station.heard, before[station.name])
      progress[station.name] = (heard, earlier.flatMap { $0.heard == heard ? $0.since : nil } ?? now)
    }
    guard fleet.fleet != nil else { return nil }
    guard fleet.isConnected else { return "This station is not connected to its fleet: counts of others are old" }
    let all = others.compactMap { fault(of: $0, now: now) }
    let rest = all.count - Self.mostNamed
    let named = all.prefix(Self.mostNamed) + (rest > 0 ? ["\(rest) more \(rest == 1 ? "is" : "are") missing"] : [])
    return named.isEmpty ? nil : named.joined(separator: ", ")
  }

  private func fault(of station: Counters.FleetStation, now: Int64) -> String? {
    if station.online == false {
      let minutes = station.lastSeen.map { now.subtractingReportingOverflow($0).partialValue / 60_000_000 } ?? 0
      return minutes < 1
        ? "\(station.name) is offline" : "\(station.name) has not been heard for \(Self.text(minutes: minutes))"
    }
    guard let (_, since) = progress[station.name], now.subtractingReportingOverflow(since).partialValue >= Self.patience
    else { return nil }
    let changes = station.behind ?? 0
    return "\(station.name) has not confirmed \(changes) change\(changes == 1 ? "" : "s") of this station"
  }

  private static func text(minutes: Int64) -> String {
    switch minutes {
    case ..<120: "\(minutes) min"
    case ..<2880: "\(minutes / 60) h"
    default: "\(minutes / 1440) days"
    }
  }
}
