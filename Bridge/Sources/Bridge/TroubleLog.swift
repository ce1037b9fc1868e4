/// Which sentences were logged, so that each is logged once while it lasts.
public struct TroubleLog: Equatable, Sendable {
  /// What is wrong with the connection to the broker; `nil` for nothing.
  public private(set) var current: String?
  private var said: Set<String> = []
  private var since: Int64 = 0

  /// The maximum number of remembered sentences: more of them are logged again.
  static let capacity = 64
  /// A sentence is logged again after this time, in nanoseconds.
  static let pause: Int64 = 600_000_000_000

  public init() {}

  /// Returns whether that is a change.
  public mutating func set(_ sentence: String?) -> Bool {
    defer { current = sentence }
    return sentence != current
  }

  /// Has every sentence logged again.
  public mutating func forget() { said = [] }

  /// Whether to log the sentence.
  public mutating func isNew(_ sentence: String, now: Int64) -> Bool {
    if said.count >= Self.capacity || now - since > Self.pause { said = [] }
    if said.isEmpty { since = now }
    return said.insert(sentence).inserted
  }
}
