public import Bindings

/// What one gesture asks of the core: changes that are made all together or not at all.
public struct Delivery: Equatable, Sendable {
  public let changes: [Change]
  /// The sysfs path of the device that made the gesture, which is the one to answer it; nil for none of the kernel's. The
  /// core is not told.
  public var origin: String?
  /// Tells the gesture from all others, so that one which is recognised again is known; nil where that cannot happen.
  public var identity: String?

  public init(_ changes: [Change], origin: String? = nil, identity: String? = nil) {
    self.changes = changes
    self.origin = origin
    self.identity = identity
  }
}

/// One change of one counter, in the words of the core's interface.
public struct Change: Equatable, Sendable {
  /// What is to be done, such as `add` or `undo`.
  public let verb: String
  /// The counter's name; `nil` for the current one.
  public let counter: String?
  /// By how much, as people write it; `nil` for the counter's own step.
  public let amount: String?
  /// When the gesture was made, in microseconds since 1970.
  public let time: Int64
  /// The name of the device it was made on.
  public let device: String
  /// What was done, as configurations write it: `press`, `swipe-down`.
  public let gesture: String
  /// With `reset`: all counters of this group, or all.
  public let scope: Action.Scope?
  /// With `undo`: the time of the change to be taken back, which was made with the same device.
  public let made: Int64?

  public init(
    verb: String, counter: String?, amount: String?, time: Int64, device: String, gesture: String,
    scope: Action.Scope? = nil, made: Int64? = nil
  ) {
    self.verb = verb
    self.counter = counter
    self.amount = amount
    self.time = time
    self.device = device
    self.gesture = gesture
    self.scope = scope
    self.made = made
  }
}
