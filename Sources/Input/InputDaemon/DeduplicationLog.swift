import CoreAPI

/// The gestures that became deliveries, by identity and time, so that the next process detects a gesture that it
/// recognises again. The gestures of a device are forgotten once its events are released.
public struct DeduplicationLog: Equatable, Sendable {
  /// A gesture that became a delivery.
  public struct Entry: Equatable, Sendable {
    /// The ``Delivery/identity``.
    public let identity: String
    /// The time in microseconds since 1970.
    public let time: Int64
  }

  private var times: [String: Int64] = [:]
  /// The identities, oldest first.
  private var order: ArraySlice<String> = []

  /// The maximum number of gestures: more than three devices report without a pause before their event logs are full.
  static let capacity = 4096

  init() {}

  /// The gestures, oldest first.
  public var latest: [Entry] {
    order.compactMap { identity in times[identity].map { Entry(identity: identity, time: $0) } }
  }

  /// Adds the gesture of a delivery; a delivery without an identity is ignored.
  mutating func note(_ delivery: Delivery) {
    guard let identity = delivery.identity, let time = delivery.changes.last?.time else { return }
    note(Entry(identity: identity, time: time))
  }

  mutating func note(_ entry: Entry) {
    guard times[entry.identity] == nil else { return }
    times[entry.identity] = entry.time
    order.append(entry.identity)
    if order.count > Self.capacity { times[order.removeFirst()] = nil }
  }

  /// Removes the gestures of the device with this sysfs path.
  mutating func forget(_ node: String) {
    for identity in order where identity.hasPrefix("\(node) ") { times[identity] = nil }
    order = order.filter { times[$0] != nil }[...]
  }

  /// The time of the delivery of a gesture, in microseconds since 1970; nil if the gesture is unknown.
  func time(of identity: String) -> Int64? { times[identity] }
}
