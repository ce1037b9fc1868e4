import Fleet

/// A message from the broker, as it was received.
public struct Received: Equatable, Sendable {
  /// The topic, relative to the fleet.
  public let topic: String
  public let payload: String
  public let isRetained: Bool

  /// - Parameter bytes: any bytes. At most one byte more than a valid payload has is kept, so that the bridge can
  ///   refuse a longer one.
  public init(_ topic: String, _ bytes: [UInt8], isRetained: Bool) {
    self.topic = topic
    payload = String(decoding: bytes.prefix(Message.maximumLength + 1), as: UTF8.self)
    self.isRetained = isRetained
  }

  /// The name of the station that has published the message.
  var station: String { Self.station(of: topic) }

  static func station(of topic: String) -> String { String(topic.prefix { $0 != "/" }) }

  /// Whether an empty message of this topic has a meaning: a station or a counter was removed.
  public var removes: Bool {
    let kind = topic.split(separator: "/").dropFirst().first
    return kind == "station" || kind == "def"
  }

  /// Whether the next message of this topic replaces this one. Replies differ, and a report needs several messages.
  var isReplaced: Bool {
    let levels = topic.split(separator: "/")
    return levels.count < 2 || levels[1] != "answer" && levels[1] != "knows"
  }

  /// The length in bytes.
  var length: Int { topic.utf8.count + payload.utf8.count }

  /// The maximum length in a call, in bytes. The core's objects name each value: a row of a quarter hour grows to five
  /// times its length, and a text of control characters to six times, as `\u007f`.
  var cost: Int { 6 * (payload.utf8.count + topic.utf8.count) + 768 }
}

/// Messages that wait for the core. Of a topic only the last one is kept, if it replaces the earlier ones.
public struct Inbox: Equatable, Sendable {
  /// The maximum number of waiting messages. A connection begins with all that the broker holds, and a broker soon
  /// drops unread messages, so there is room for many of them.
  static let capacity = 16_384
  /// The maximum length of all waiting messages together, in bytes.
  static let maximumLength = 8 << 20
  /// The maximum length of a batch in bytes; the core accepts 256 KiB.
  static let batch = 245_760
  static let batchCount = 256

  private var waiting: [Received] = []
  /// The numbers of messages by topic; ``first`` is that of the first one that waits.
  private var numbers: [String: Int] = [:]
  private var first = 0
  private var length = 0

  public init() {}

  public var isEmpty: Bool { waiting.isEmpty }

  /// Whether no more messages should be read. There is room for those that have been read already.
  public var isFull: Bool { waiting.count >= Self.capacity / 2 || length >= Self.maximumLength / 2 }

  /// Adds a message; returns whether there was room for it.
  @discardableResult
  public mutating func put(_ message: Received) -> Bool {
    let isReplaced = message.isReplaced
    let position = isReplaced ? numbers[message.topic].map { $0 - first } : nil
    let former = position.map { waiting[$0].length } ?? 0
    guard length - former + message.length <= Self.maximumLength, position != nil || waiting.count < Self.capacity
    else { return false }
    length += message.length - former
    if let position {
      waiting[position] = message
      return true
    }
    if isReplaced { numbers[message.topic] = first + waiting.count }
    waiting.append(message)
    return true
  }

  /// Removes the oldest messages that fit into a call.
  public mutating func take() -> [Received] {
    var length = 0
    var count = 0
    for message in waiting.prefix(Self.batchCount) {
      length += message.cost
      if count > 0, length > Self.batch { break }
      count += 1
    }
    let batch = Array(waiting.prefix(count))
    for message in batch {
      self.length -= message.length
      numbers[message.topic] = nil
    }
    waiting.removeFirst(count)
    first += count
    return batch
  }
}
