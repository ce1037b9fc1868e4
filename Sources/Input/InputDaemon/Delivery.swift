public import Bindings
import JSON

/// The changes that one gesture requests. The core makes all of them or none.
public struct Delivery: Equatable, Sendable {
  public let changes: [Change]
  /// The changes as JSON, encoded once for the spool and for each request.
  let encodedChanges: [EncodedObject]
  /// The sysfs path of the device that made the gesture and gives feedback; `nil` for a device without one. Not sent to
  /// the core.
  public var origin: String?
  /// Identifies the gesture if a later process recognises it again; `nil` if that cannot happen.
  public var identity: String?

  public init(_ changes: [Change], origin: String? = nil, identity: String? = nil) {
    self.changes = changes
    encodedChanges = changes.map(\.encoded)
    self.origin = origin
    self.identity = identity
  }
}

/// One change of one counter, in the terms of the core's interface.
public struct Change: Equatable, Sendable {
  /// The verb, such as `add` or `undo`.
  public let verb: String
  /// The counter's name; `nil` for the current one.
  public let counter: String?
  /// The amount as text; `nil` for the counter's step.
  public let amount: String?
  /// The time of the gesture, in microseconds since 1970.
  public let time: Int64
  /// The name of the device.
  public let device: String
  /// The gesture's name in configurations: `press`, `swipe-down`.
  public let gesture: String
  /// With `reset` and the verbs of stopwatches: all counters of this group, or all.
  public let scope: Action.Scope?
  /// With `undo`: the time of the change to undo, which was made with the same device.
  public let made: Int64?
  /// With `next` and `previous`: whether to select a group.
  public let groups: Bool
  /// Whether this change is undone together with the previous one.
  public let isTogether: Bool

  public init(
    verb: String, counter: String?, amount: String?, time: Int64, device: String, gesture: String,
    scope: Action.Scope? = nil, made: Int64? = nil, groups: Bool = false, isTogether: Bool = false
  ) {
    self.verb = verb
    self.counter = counter
    self.amount = amount
    self.time = time
    self.device = device
    self.gesture = gesture
    self.scope = scope
    self.made = made
    self.groups = groups
    self.isTogether = isTogether
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
  /// The core will never accept this gesture; its number is still free.
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
