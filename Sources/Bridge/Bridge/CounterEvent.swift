public import CoreAPI
import JSON

/// An event of a shared counter at this station, for Home Assistant's event entities and triggers, and for other
/// programs.
///
/// Never retained: a program that starts must not interpret an old press as a new one.
public struct CounterEvent: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case added, subtracted, undone, redone, reset, corrected, renewed
    /// The total has reached the goal, passed a boundary, or reached its maximum.
    case reached, passed, full

    /// The kinds that Home Assistant offers in the editor of automations of a counter.
    static func triggers(of counter: SharedCounter) -> [Kind] {
      [.added, .subtracted, .reset] + (counter.target == nil ? [] : [.reached])
        + (counter.maximum == nil ? [] : [.full])
    }
  }

  public let kind: Kind
  /// The time in microseconds since 1970.
  public let time: Int64
  /// The counter's name at this station.
  public let counter: String
  private let change: Int64
  private let value: Int64
  private let cause: Counters.Cause
  private let isLimited: Bool

  /// - Returns: `nil` for an event of another kind. Acts of other stations have the kind `learned`; each station
  ///   publishes its events.
  public init?(_ event: Counters.Event) {
    guard let kind = Kind(rawValue: event.kind), !event.counter.isEmpty else { return nil }
    // A late count of a period that has ended closes that period again.
    guard kind != .renewed || event.began != nil else { return nil }
    self.init(event, as: kind, event.value)
  }

  private init(_ event: Counters.Event, as kind: Kind, _ value: Int64) {
    (self.kind, time, counter) = (kind, event.time, event.counter)
    (change, self.value, cause, isLimited) = (event.change, value, event.cause, event.isLimited)
  }

  /// The goals, boundaries and limits that the total has reached with an event, even if another station made the count.
  /// Empty for a late count of an ended period, and for the event that closes that period again: the total stays the
  /// same.
  public static func milestones(of event: Counters.Event, _ counter: SharedCounter) -> [CounterEvent] {
    guard !(event.isLate && event.batch != nil), event.kind != "renewed" || event.began != nil else { return [] }
    var found: [CounterEvent] = []
    if event.isReached { found.append(CounterEvent(event, as: .reached, event.value)) }
    if let boundary = event.boundary { found.append(CounterEvent(event, as: .passed, boundary)) }
    if let maximum = counter.maximum, event.change > 0, event.value >= maximum,
      event.value.subtractingReportingOverflow(event.change).partialValue < maximum
    {
      found.append(CounterEvent(event, as: .full, event.value))
    }
    return found
  }

  /// Whether the counter restarts with the event.
  public var isBeginning: Bool { kind == .reset || kind == .renewed }

  public func publication(of counter: SharedCounter, _ topics: FleetTopics) -> Publication {
    func number(_ units: Int64) -> String { SharedCounter.decimal(units, counter.decimals) }
    var texts: JSONObject = ["name": .string(counter.title), "station": .string(topics.station)]
    for (name, text) in [("producer", cause.producer), ("device", cause.device), ("gesture", cause.gesture)] {
      texts[name] = text.map(JSON.string)
    }
    if isLimited { texts["limited"] = true }
    // The numbers are written here, because a JSON string would be quoted, and a floating-point number rounded.
    let payload =
      "{\"event_type\":\"\(kind.rawValue)\",\"change\":\(number(change)),\"value\":\(number(value)),"
      + texts.description.dropFirst()
    return Publication(topics.event(of: topics.station, counter: counter.id), payload, isRetained: false)
  }
}

/// Limits the events that a station publishes. Further events are left out; the totals are correct without them.
public struct EventQuota: Equatable, Sendable {
  /// The maximum number of events in immediate succession.
  static let burst = 20
  /// The time after which one more event is allowed, in nanoseconds.
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
