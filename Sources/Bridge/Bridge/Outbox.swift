/// A message for the broker.
public struct Publication: Equatable, Sendable {
  /// The whole topic.
  public let topic: String
  public let payload: String
  public let isRetained: Bool

  public init(_ topic: String, _ payload: String, isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  /// The quality of service: retained messages are acknowledged, to detect refusals; others are repeated.
  public var quality: Int32 { isRetained ? 1 : 0 }
}

/// Messages that wait for the broker. Of a retained topic only the last one is kept, as in the broker.
public struct Outbox: Equatable, Sendable {
  /// The maximum number of messages without an acknowledgement; libmosquitto has the same default.
  public static let window = 20
  /// The maximum number of waiting transient messages. The oldest is dropped; the next one repairs the loss.
  static let transient = 1_024

  /// Topics of retained messages, and places of others, in the order of their first occurrence.
  private var order: [Place] = []
  private var first = 0
  private var retained: [String: Publication] = [:]
  /// The messages that are not retained. Those before the index ``oldest`` were already sent or dropped.
  private var others: [Publication] = []
  private var oldest = 0
  /// Topics of sent messages without an acknowledgement, by number.
  private var unacknowledged: [Int32: String] = [:]

  private enum Place: Equatable, Sendable {
    case retained(String)
    case other
  }

  public init() {}

  public var isEmpty: Bool { first == order.count }

  public mutating func put(_ publication: Publication) {
    guard publication.isRetained else {
      if others.count - oldest < Self.transient {
        others.append(publication)
        order.append(.other)
      } else {
        // The place of each dropped message now belongs to its successor.
        oldest += 1
        others.append(publication)
        compactOthers()
      }
      return
    }
    if retained.updateValue(publication, forKey: publication.topic) == nil {
      order.append(.retained(publication.topic))
    }
  }

  /// The next message to send; `nil` if there is none, or too many are unacknowledged.
  public mutating func take() -> Publication? {
    guard unacknowledged.count < Self.window else { return nil }
    while first < order.count {
      let place = order[first]
      first += 1
      defer { compact() }
      switch place {
      case .retained(let topic): if let publication = retained.removeValue(forKey: topic) { return publication }
      case .other:
        defer { compactOthers() }
        oldest += 1
        return others[oldest - 1]
      }
    }
    return nil
  }

  private mutating func compact() {
    guard first == order.count || first >= 256 else { return }
    order.removeFirst(first)
    first = 0
  }

  private mutating func compactOthers() {
    guard oldest == others.count || oldest >= Self.transient else { return }
    others.removeFirst(oldest)
    oldest = 0
  }

  /// Records that a message was sent as `number`.
  public mutating func sent(_ publication: Publication, as number: Int32) {
    if publication.quality > 0 { unacknowledged[number] = publication.topic }
  }

  /// Records an acknowledgement; returns the topic.
  public mutating func acknowledge(_ number: Int32) -> String? { unacknowledged.removeValue(forKey: number) }
}
