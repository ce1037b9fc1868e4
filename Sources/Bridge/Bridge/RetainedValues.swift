import Fleet

/// The state of the fleet's published values, to publish those that no other station publishes.
public struct RetainedValues: Equatable, Sendable {
  public var speaker: PublisherElection
  /// The messages that the broker holds, with the time at which each was received or sent.
  private var held: [String: Held] = [:]
  /// Definitions by the ID of their counter.
  public var counters: [String: SharedCounter] = [:]
  /// The other stations that count a counter, by its ID.
  private var definers: [String: Set<String>] = [:]
  /// The time since which the broker lacks a wanted message, by topic.
  private var missed: [String: Int64] = [:]

  /// The values that were last published here, and those that have fallen since, by counter.
  private var values: [String: Value] = [:]

  private struct Value: Equatable {
    var number: Int64
    /// The time from which the total counts.
    var since: String?
    /// The time at which a fallen value was first seen.
    var fallen: Int64?
  }

  /// The maximum time from a value to the event of its reset, in nanoseconds. The two arrive on different connections.
  private static let resetTime: Int64 = 400_000_000

  private struct Held: Equatable {
    /// The hash of the payload. A stranger may have published a long payload, so it is not stored.
    let hash: Int
    /// The hash of the part that is equal at all stations, without titles and online stations.
    let essence: Int
    let time: Int64
    let isOwn: Bool
    /// Whether the broker has refused the message from this station.
    var isRefused = false
  }

  /// The maximum number of topics; further ones are not recorded, and are therefore published again.
  static let capacity = 8_192
  /// The maximum number of stations that are remembered for each counter: those whose names sort first.
  static let definersCapacity = 64

  public init(own: String = "") { speaker = PublisherElection(own: own) }

  /// Records a message that the broker holds.
  ///
  /// - Parameter isOwn: whether this station has sent it.
  public mutating func hear(_ topic: String, _ payload: String, now: Int64, isOwn: Bool = false) {
    guard !payload.isEmpty else {
      held[topic] = nil
      return
    }
    // The number of this station's messages is bounded by its counters.
    guard isOwn || held.count < Self.capacity || held[topic] != nil else { return }
    let hash = payload.hashValue
    // A broker for MQTT 3.1.1 sends messages back to their sender.
    let isOwn = isOwn || held[topic].map { $0.isOwn && $0.hash == hash } ?? false
    held[topic] = Held(hash: hash, essence: Self.essence(topic, payload), time: now, isOwn: isOwn)
  }

  /// Delays a value that has fallen. If the time of a reset is published with it, Home Assistant treats the value as a
  /// restarted total; otherwise Home Assistant subtracts.
  ///
  /// - Parameter since: the beginning of the total, if known.
  /// - Returns: the time at which the value may be published; `nil` for now.
  public mutating func hold(_ counter: SharedCounter, since: String?, now: Int64) -> Int64? {
    if let last = values[counter.id], counter.value < last.number, since == last.since {
      let end = (last.fallen ?? now) + Self.resetTime
      if now < end {
        values[counter.id]?.fallen = end - Self.resetTime
        return end
      }
    }
    values[counter.id] = Value(number: counter.value, since: since)
    return nil
  }

  /// Records that the broker refuses a message from this station.
  public mutating func refuse(_ topic: String) { held[topic]?.isRefused = true }

  /// Forgets refused messages, so that they are published again.
  public mutating func forgetRefused() { held = held.filter { !$0.value.isRefused } }

  private static func essence(_ topic: String, _ payload: String) -> Int {
    if topic.hasPrefix("homeassistant/") { return 0 }
    return topic.hasSuffix("/state") ? payload.prefix { $0 != "," }.hashValue : payload.hashValue
  }

  /// Records whether another station counts a counter; returns whether that is a change.
  public mutating func define(_ counter: String, by station: String, isGone: Bool) -> Bool {
    guard CounterID(counter) != nil, definers.count < PublisherElection.capacity || definers[counter] != nil else {
      return false
    }
    if isGone {
      let isNews = definers[counter]?.remove(station) != nil
      if definers[counter]?.isEmpty == true { definers[counter] = nil }
      return isNews
    }
    if let others = definers[counter], others.count >= Self.definersCapacity, !others.contains(station),
      let last = others.max()
    {
      // All stations must remember the same stations for a counter, so that they agree on the first one.
      guard station < last else { return false }
      definers[counter]?.remove(last)
    }
    return definers[counter, default: []].insert(station).inserted
  }

  /// Whether another station counts the counter.
  public func isDefinedElsewhere(_ counter: String) -> Bool { definers[counter]?.isEmpty == false }

  /// Retained topics of counters that no station counts any more.
  public var abandoned: [String] {
    held.keys.filter { topic in
      Discovery.counter(of: topic).map { counters[$0] == nil && !isDefinedElsewhere($0) } ?? false
    }.sorted()
  }

  /// Retained topics about a counter.
  public func topics(of counter: String) -> [String] {
    held.keys.filter { Discovery.counter(of: $0) == counter }.sorted()
  }

  /// Forgets documents for Home Assistant, which has started and may have lost them.
  public mutating func forgetDocuments() { held = held.filter { !$0.key.hasPrefix("homeassistant/") } }

  /// The stations that count a counter of this station, by name.
  public func stations(of counter: String) -> [String] {
    (definers[counter] ?? []).union([speaker.own]).sorted()
  }

  /// Whether this station is the speaker of a counter.
  public func isSpeaker(of counter: String) -> Bool { rank(for: counter) == 0 }

  private func rank(for counter: String) -> Int { speaker.rank(among: definers[counter] ?? []) }

  /// The shortest wait of this station before it publishes something about one of its counters, in nanoseconds.
  public func wait(for counters: some Collection<String>) -> Int64 {
    if speaker.isFirst { return 0 }
    return counters.map { PublisherElection.wait(rank: rank(for: $0)) }.min() ?? PublisherElection.longest
  }

  /// Whether the broker lacks a message. The first station of a counter, and the last sender, compare the whole
  /// message; the others compare the essence, so that two stations never contradict each other endlessly.
  private func isMissing(_ one: Publication, rank: Int) -> Bool {
    guard let held = held[one.topic] else { return true }
    return rank == 0 || held.isOwn
      ? held.hash != one.payload.hashValue : held.essence != Self.essence(one.topic, one.payload)
  }

  /// The time between two documents, in nanoseconds: Home Assistant 2025.4 loses a second one within a second.
  private static let documentPace: Int64 = 2_000_000_000

  /// The wanted messages that the broker lacks and that no other station has published during this station's wait.
  ///
  /// - Parameter since: the time of the last change. A message that differs from the broker's is missing since then.
  /// - Returns: the messages that are due, and the time at which the next ones will be.
  public mutating func due(of wanted: [Publication], since: Int64, now: Int64) -> (due: [Publication], next: Int64?) {
    var (due, next, stillMissed) = ([Publication](), Int64?.none, [String: Int64]())
    for one in wanted {
      let rank = Discovery.counter(of: one.topic).map(rank) ?? 0
      guard isMissing(one, rank: rank) else { continue }
      let held = held[one.topic]
      // A new topic is missing only from now on, because the first station may have just received the change.
      let begin = missed[one.topic] ?? (held == nil ? now : since)
      stillMissed[one.topic] = begin
      var time = max(begin, held?.time ?? begin) + PublisherElection.wait(rank: rank)
      if let held, one.topic.hasPrefix("homeassistant/") { time = max(time, held.time + Self.documentPace) }
      if time <= now { due.append(one) } else { next = min(next ?? time, time) }
    }
    missed = stillMissed
    return (due, next)
  }
}
