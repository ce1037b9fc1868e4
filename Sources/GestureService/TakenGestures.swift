/// Which gestures deliveries came from and when, so that one which is recognised again after the death of a process is
/// known. Once a device is quiet, nothing that was done on it can be recognised again, and it is forgotten.
public struct TakenGestures: Equatable, Sendable {
  /// One that was taken.
  public struct Entry: Equatable, Sendable {
    /// The ``Delivery/identity``.
    public let identity: String
    /// In microseconds since 1970.
    public let time: Int64
  }

  private var times: [String: Int64] = [:]
  /// The identities, oldest first.
  private var order: ArraySlice<String> = []

  /// More gestures than three devices report without a pause while all they have reported is kept.
  static let capacity = 4096

  init() {}

  /// Oldest first.
  public var latest: [Entry] {
    order.compactMap { identity in times[identity].map { Entry(identity: identity, time: $0) } }
  }

  /// Notes a delivery that was taken; one without an identity is none to be known again.
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

  /// Forgets what was done on the device with that sysfs path.
  mutating func forget(_ node: String) {
    for identity in order where identity.hasPrefix("\(node) ") { times[identity] = nil }
    order = order.filter { times[$0] != nil }[...]
  }

  /// The time of the delivery of that gesture, in microseconds since 1970; nil where it is not noted.
  func time(of identity: String) -> Int64? { times[identity] }
}
