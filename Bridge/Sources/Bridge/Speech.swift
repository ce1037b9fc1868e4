/// What this station knows of the fleet's published values, to publish them where nobody else does.
public struct Speech: Equatable, Sendable {
  public var speaker: Speaker
  /// What the broker holds, with the time at which that was heard or said.
  private var held: [String: (payload: String, time: Int64)] = [:]
  /// Definitions by the ID of their counter.
  public var counters: [String: SharedCounter] = [:]

  /// The maximum number of topics; further ones are not remembered, and so published again.
  static let capacity = 8_192

  public init(own: String = "") { speaker = Speaker(own: own) }

  /// Records what the broker holds.
  public mutating func hear(_ topic: String, _ payload: String, now: Int64) {
    guard held.count < Self.capacity || held[topic] != nil else { return }
    held[topic] = (payload, now)
  }

  /// Forgets documents for Home Assistant, which has started and may have lost them.
  public mutating func forgetDocuments() { held = held.filter { !$0.key.hasPrefix("homeassistant/") } }

  /// Those that the broker does not have.
  public func missing(of wanted: [Publication]) -> [Publication] {
    wanted.filter { held[$0.topic]?.payload != $0.payload }
  }

  /// Those that no other station has published for the length of this station's wait.
  ///
  /// - Parameter since: when this station first missed something.
  public func due(of missing: [Publication], since: Int64, now: Int64) -> [Publication] {
    missing.filter { now - max(since, held[$0.topic]?.time ?? since) >= speaker.wait }
  }

  public static func == (one: Speech, other: Speech) -> Bool {
    one.speaker == other.speaker && one.counters == other.counters
      && one.held.mapValues(\.payload) == other.held.mapValues(\.payload)
  }
}
