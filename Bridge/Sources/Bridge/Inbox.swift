import Fleet

/// A message from the broker, for the core.
public struct Received: Equatable, Sendable {
  /// Relative to the fleet.
  public let topic: String
  public let payload: String
  public let isRetained: Bool

  /// - Parameter bytes: any; the core refuses what is too long or not JSON. At most one byte too many is passed on.
  public init(_ topic: String, _ bytes: some Collection<UInt8>, isRetained: Bool) {
    self.topic = topic
    // Varlink's strings hold no U+0000, and one would end the connection.
    payload = String(
      decoding: bytes.prefix(Message.maximumLength + 1).map { $0 == 0 ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    self.isRetained = isRetained
  }

  /// Whether an empty message of this topic has a meaning: that a station has left, or a counter of it.
  public var removes: Bool {
    let kind = topic.split(separator: "/").dropFirst().first
    return kind == "station" || kind == "def"
  }

  /// In bytes.
  var length: Int { topic.utf8.count + payload.utf8.count }

  /// The length in a call, in bytes: quotes and control characters are escaped.
  var cost: Int {
    topic.utf8.count + 64
      + payload.utf8.reduce(0) { length, byte in
        length + (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 2 : byte < 0x20 ? 6 : 1)
      }
  }
}

/// Messages that wait for the core. Of a topic only the last one is kept, except for answers, each of which may differ.
public struct Inbox: Equatable, Sendable {
  /// The maximum number of waiting messages; more are dropped, and said again by the stations every few seconds.
  static let capacity = 4_096
  /// The maximum length of all waiting messages, in bytes.
  static let maximumLength = 8 << 20
  /// The maximum length of a batch in bytes; the core takes 256 KiB.
  static let batch = 196_608
  static let batchCount = 256

  private var waiting: [Received] = []
  private var positions: [String: Int] = [:]
  private var length = 0
  /// The number of dropped messages.
  public private(set) var droppedCount = 0

  public init() {}

  public var isEmpty: Bool { waiting.isEmpty }

  public mutating func put(_ message: Received) {
    let isAnswer = message.topic.hasSuffix("/answer")
    let position = isAnswer ? nil : positions[message.topic]
    let former = position.map { waiting[$0].length } ?? 0
    guard length - former + message.length <= Self.maximumLength, position != nil || waiting.count < Self.capacity
    else {
      droppedCount += 1
      return
    }
    length += message.length - former
    if let position {
      waiting[position] = message
      return
    }
    if !isAnswer { positions[message.topic] = waiting.count }
    waiting.append(message)
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
    self.length -= batch.reduce(0) { $0 + $1.length }
    waiting.removeFirst(count)
    positions = [:]
    for (position, message) in waiting.enumerated() where !message.topic.hasSuffix("/answer") {
      positions[message.topic] = position
    }
    return batch
  }
}
