/// The IDs of the last commands from a broker, each of which acts at most once. The ID is stored in the transaction of
/// the act.
///
/// IDs are removed by number, not by age: a clock that is set cannot make a command act again.
public struct RecentCommands: Equatable, Sendable {
  /// The number of stored IDs.
  public static let capacity = 1_024
  /// The maximum length of an ID in bytes.
  public static let maximumLength = 100

  /// The stored IDs, in the order of ``admit(_:)`` apart from a rotation.
  private var ids: [String] = []
  private var known: Set<String> = []
  /// The position of the oldest ID once all places are taken.
  private var oldest = 0

  public init() {}

  /// Stores an ID, and returns whether its command may act: not for a repeat, nor for an empty or too long ID.
  public mutating func admit(_ id: String) -> Bool {
    guard 1...Self.maximumLength ~= id.utf8.count, known.insert(id).inserted else { return false }
    if ids.count < Self.capacity {
      ids.append(id)
    } else {
      known.remove(ids[oldest])
      ids[oldest] = id
      oldest = (oldest + 1) % Self.capacity
    }
    return true
  }
}
