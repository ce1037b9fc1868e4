/// The refusals of the broker on a connection, to be retried.
public struct Refusals: Equatable, Sendable {
  /// Subscriptions without a reply, by number.
  private var awaited: [Int32: FleetTopics.Filter] = [:]
  /// Refused subscriptions.
  private(set) public var filters: [FleetTopics.Filter] = []
  /// The kinds of the messages that were refused since refused messages were last published again.
  public var kinds: Set<Problems.Kind> = []
  /// Whether refused messages were published again, without a refusal since.
  public var isRepeating = false

  public init() {}

  /// Records that a subscription was sent as `number`.
  public mutating func sent(_ filter: FleetTopics.Filter, as number: Int32) { awaited[number] = filter }

  /// Records the reply to a subscription; returns whether it was the last one that was awaited.
  public mutating func reply(_ number: Int32, isGranted: Bool) -> Bool {
    guard let filter = awaited.removeValue(forKey: number) else { return false }
    if !isGranted { filters.append(filter) }
    return awaited.isEmpty
  }

  /// Removes the refused subscriptions, to send them again.
  public mutating func takeFilters() -> [FleetTopics.Filter] {
    defer { filters = [] }
    return filters
  }
}
