/// What this station knows of the fleet's published values, to publish them where nobody else does.
public struct Speech: Equatable, Sendable {
  public var speaker: Speaker
  /// What the broker holds, with the time at which that was heard or said.
  private var held: [String: Held] = [:]
  /// Definitions by the ID of their counter.
  public var counters: [String: SharedCounter] = [:]

  private struct Held: Equatable {
    /// Of the payload, which a stranger may have made long.
    let hash: Int
    let time: Int64
  }

  /// The maximum number of topics; further ones are not remembered, and so published again.
  static let capacity = 8_192
  /// The maximum length of a topic in bytes.
  static let topicLength = 160

  public init(own: String = "") { speaker = Speaker(own: own) }

  /// Records what the broker holds.
  public mutating func hear(_ topic: String, _ payload: String, now: Int64) {
    guard topic.utf8.count <= Self.topicLength, held.count < Self.capacity || held[topic] != nil else { return }
    held[topic] = Held(hash: payload.hashValue, time: now)
  }

  /// Forgets documents for Home Assistant, which has started and may have lost them.
  public mutating func forgetDocuments() { held = held.filter { !$0.key.hasPrefix("homeassistant/") } }

  /// Those that the broker does not have.
  public func missing(of wanted: [Publication]) -> [Publication] {
    wanted.filter { held[$0.topic]?.hash != $0.payload.hashValue }
  }

  /// Those that no other station has published for the length of this station's wait.
  ///
  /// - Parameter since: when this station first missed something.
  public func due(of missing: [Publication], since: Int64, now: Int64) -> [Publication] {
    missing.filter { now - max(since, held[$0.topic]?.time ?? since) >= speaker.wait }
  }
}
