public import CoreAPI
import JSON

/// The changes that one gesture requests. The core makes all of them or none.
public struct Delivery: Equatable, Sendable {
  public let changes: [Counters.Change]
  /// The changes as JSON, encoded once for the spool and for each request.
  let encodedChanges: [EncodedObject]
  /// The sysfs path of the device that made the gesture and gives feedback; `nil` for a terminal or a motion sensor.
  /// Not sent to the core.
  public var origin: String?
  /// Identifies the gesture if a later process recognises it again; `nil` if that cannot happen.
  public var identity: String?

  public init(_ changes: [Counters.Change], origin: String? = nil, identity: String? = nil) {
    self.changes = changes
    encodedChanges = changes.map { EncodedObject($0.object) }
    self.origin = origin
    self.identity = identity
  }
}

/// The reason why the core did not perform a request.
public enum DeliveryFailure: Error, Equatable, Sendable {
  /// The core expects another number, because an earlier delivery did not arrive.
  case gap(String)
  /// Another process has opened a newer epoch under the same producer's name.
  case fenced(String)
  /// The core does not know the epoch of the delivery, because its journal has changed.
  case unknownEpoch(String)
  /// The delivery was recorded earlier, and its reply is no longer known.
  case forgotten
  /// Nothing was recorded, for a reason other than the gesture: a full disk, no right to count, another service.
  case unable(String)
  /// The core will never accept this gesture. The next delivery may use its number.
  case refused(String)

  /// A sentence for the person who must act.
  public var reason: String {
    switch self {
    case .gap(let reason), .fenced(let reason), .unknownEpoch(let reason), .unable(let reason), .refused(let reason):
      reason
    case .forgotten: "It was recorded earlier."
    }
  }
}
