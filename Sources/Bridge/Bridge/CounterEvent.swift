public import JSON

/// An event of a shared counter at this station, for Home Assistant's event entities and triggers, and for other programs.
///
/// It is never retained: a program that starts must not take an old press for a new one.
public struct CounterEvent: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case added, subtracted, undone, redone, reset, corrected, renewed

    /// Those that Home Assistant offers in the editor of automations.
    static let triggers: [Kind] = [.added, .subtracted, .reset]
  }

  public let kind: Kind
  /// In microseconds since 1970.
  public let time: Int64
  /// The counter's name at this station.
  public let counter: String
  private let change: Int64
  private let value: Int64
  private let cause: JSONObject

  /// - Parameter object: the `event` of a reply to `Watch`.
  /// - Returns: `nil` for an event of another kind. What other stations did has the kind `learned`; each of them tells of its
  ///   own events.
  public init?(_ object: JSONObject) {
    guard let kind = object["kind"]?.string.flatMap(Kind.init), let counter = object["counter"]?.string,
      !counter.isEmpty,
      let time = object["time"]?.int
    else { return nil }
    // A late count of a period that has ended closes that period again.
    guard kind != .renewed || object["began"] != nil else { return nil }
    (self.kind, self.time, self.counter) = (kind, time, counter)
    (change, value) = (object["change"]?.int ?? 0, object["value"]?.int ?? 0)
    cause = object["cause"]?.object ?? [:]
  }

  /// Whether the counter begins again with it.
  public var isBeginning: Bool { kind == .reset || kind == .renewed }

  public func publication(of counter: SharedCounter, _ topics: FleetTopics) -> Publication {
    func number(_ units: Int64) -> String { SharedCounter.decimal(units, counter.decimals) }
    var texts: JSONObject = ["name": .string(counter.title), "station": .string(topics.station)]
    for name in ["producer", "device", "gesture"] { texts[name] = cause[name] }
    // Numbers as text would be quoted, and as floating point rounded.
    let payload =
      "{\"event_type\":\"\(kind.rawValue)\",\"change\":\(number(change)),\"value\":\(number(value)),"
      + texts.description.dropFirst()
    return Publication(topics.event(of: topics.station, counter: counter.id), payload, isRetained: false)
  }
}

/// A bound on how many events a station publishes: the rest are left out, and the totals are right without them.
public struct EventQuota: Equatable, Sendable {
  /// At once.
  static let burst = 20
  /// Nanoseconds for one more.
  static let interval: Int64 = 500_000_000

  private var used: Int64 = 0
  private var time: Int64 = 0

  public init() {}

  /// Whether one more event may be published.
  public mutating func take(now: Int64) -> Bool {
    used = max(0, used - (now - time) / Self.interval)
    // The rest of an interval counts for the next one.
    time = used == 0 ? now : time + (now - time) / Self.interval * Self.interval
    guard used < Self.burst else { return false }
    used += 1
    return true
  }
}
