public import CoreAPI
import Fleet

/// The times at which this station reports what it knows, and what a report has beside the news. In memory only: each
/// connection begins with a report.
public struct ReportTiming {
  /// The shortest times between two reports, and between a report and the first one after a connection, in nanoseconds.
  static let (interval, connectionInterval): (Int64, Int64) = (10_000_000_000, 3_000_000_000)
  /// The shortest time until a report, in nanoseconds. After a connection the retained counts arrive first.
  static let delay: Int64 = 1_500_000_000
  static let mostStations = 1_024

  /// The time of the next report, in nanoseconds since the boot; `nil` while none is due.
  public private(set) var due: Int64?
  private var last: Int64 = .min / 2
  /// Whether the next report is the first of a connection, and compares all histories.
  private var isFirst = false
  /// Whether the next report has all known counts, and whether it has the settings of all counters.
  private var (isAll, hasSettings) = (false, false)
  /// The IDs of the other stations, by name.
  private var ids: [String: String] = [:]

  public init() {}

  /// Plans the first report of a connection, for which the core has just sent its own counts.
  public mutating func connect(at now: Int64) {
    // A report that was planned earlier would precede the counts.
    if !isFirst { due = nil }
    (isFirst, isAll, hasSettings) = (true, true, false)
    plan(at: now)
  }

  /// Plans a complete report for stations that have just appeared; one report serves all that appear before it is sent.
  /// Some brokers do not deliver retained messages, so the report also has the settings of counters.
  public mutating func hear(_ messages: [Counters.StationMessage], of own: String, at now: Int64) {
    for message in messages where message.station != own {
      if message.removed == "station" { ids[message.station] = nil }
      guard let id = message.id, CounterID(id) != nil else { continue }
      if ids[message.station] == nil, ids.count >= Self.mostStations { ids.removeAll() }
      guard ids.updateValue(id, forKey: message.station) != id || !message.isRetained else { continue }
      (isAll, hasSettings) = (true, true)
      plan(at: now)
    }
  }

  /// Plans a report: the core has something to report.
  public mutating func plan(at now: Int64) {
    due = min(due ?? .max, max(now + Self.delay, last + (isFirst ? Self.connectionInterval : Self.interval)))
  }

  /// The call for the report that is due; `nil` while none is due.
  public mutating func next(at now: Int64) -> Counters.Request<Counters.EmptyReply>? {
    guard let due, due <= now else { return nil }
    defer {
      end()
      last = now
    }
    return .sendReport(all: isAll, settings: hasSettings, digests: isFirst)
  }

  /// Plans no report any more, because a connection has ended.
  public mutating func end() { (due, isFirst, isAll, hasSettings) = (nil, false, false, false) }
}

/// The time at which this station's description is to be published again, because another station has published or removed
/// this station's name.
struct DescriptionTiming {
  /// The shortest times until a description is repeated, and between two descriptions, in nanoseconds.
  private static let (delay, interval): (Int64, Int64) = (1_500_000_000, 10_000_000_000)

  /// The time of the next description, in nanoseconds since the boot; `nil` while none is planned.
  private var due: Int64?
  private var last: Int64 = .min / 2

  var isPlanned: Bool { due != nil }

  mutating func plan(at now: Int64) { due = min(due ?? .max, max(now &+ Self.delay, last &+ Self.interval)) }

  /// Whether the description is due; it counts as published then.
  ///
  /// - Parameter isRepeated: whether the next one is planned with it.
  mutating func take(at now: Int64, isRepeated: Bool) -> Bool {
    guard let due, due <= now else { return false }
    last = now
    self.due = isRepeated ? now &+ Self.interval : nil
    return true
  }
}
