/// Which gestures the latest deliveries came from and when, so that one which is recognised again after the death of a
/// process is known.
public struct TakenGestures: Equatable, Sendable {
  /// One that was taken.
  public struct Entry: Equatable, Sendable {
    /// The ``Delivery/identity``.
    public let identity: String
    /// In microseconds since 1970.
    public let time: Int64
  }

  /// Oldest first.
  public private(set) var latest: [Entry] = []

  /// More gestures than fit into what the kernel keeps of the devices that are in use at one moment.
  private static let capacity = 64

  init() {}

  /// Notes a delivery that was taken; one without an identity is none to be known again.
  mutating func note(_ delivery: Delivery) {
    guard let identity = delivery.identity, let time = delivery.changes.last?.time else { return }
    note(Entry(identity: identity, time: time))
  }

  mutating func note(_ entry: Entry) {
    guard time(of: entry.identity) == nil else { return }
    if latest.count >= Self.capacity { latest.removeFirst() }
    latest.append(entry)
  }

  /// The time of the delivery of that gesture, in microseconds since 1970; nil where it is not among the latest.
  func time(of identity: String) -> Int64? { latest.last { $0.identity == identity }?.time }
}
