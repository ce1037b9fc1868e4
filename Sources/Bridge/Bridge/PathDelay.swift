/// Measures how late messages of the broker are, by messages of this station to itself.
///
/// A broker queues messages for a slow path. Then counts of other stations arrive late, and the times in their reports
/// are old.
public struct PathDelay: Equatable, Sendable {
  /// The time of sending of the message that has not returned yet.
  private var sent: Int64?
  /// The time between the last message and its return.
  private var last: Int64 = 0

  /// The delay from which messages are late, in nanoseconds.
  public static let limit: Int64 = 5_000_000_000
  /// The time after which a message is lost, and the next one is sent, in nanoseconds.
  static let lost: Int64 = 120_000_000_000

  public init() {}

  /// The content of the next message; `nil` while one is awaited.
  public mutating func next(at now: Int64) -> String? {
    if let sent {
      guard now - sent >= Self.lost else { return nil }
      // Messages count as late until the next one returns.
      last = now - sent
    }
    sent = now
    return String(now)
  }

  /// Records the return of a message.
  public mutating func hear(_ text: String, at now: Int64) {
    // Others may write the topic.
    guard let sent, text == String(sent) else { return }
    (self.sent, last) = (nil, now - sent)
  }

  /// Whether messages are late.
  public func isLate(at now: Int64) -> Bool { max(last, sent.map { now - $0 } ?? 0) >= Self.limit }
}
