/// What happened to a counter. Events are the truth; a counter's value is their fold.
public struct Event: Equatable, Sendable {
  /// What kind of thing happened. The raw value is what the socket and the journal call it.
  public enum Kind: String, Sendable, CaseIterable {
    case created
    case added
    case subtracted
    case selected
    case removed
    case undone
    case redone
    /// The first of the two requests that a reset takes.
    case armed
    case reset
    case corrected
  }

  /// What an event did to the counter's being there at all.
  public enum Presence: Int64, Sendable {
    case disappeared = -1
    case unchanged = 0
    case appeared = 1

    /// What takes it back.
    var inverse: Presence {
      switch self {
      case .disappeared: .appeared
      case .unchanged: .unchanged
      case .appeared: .disappeared
      }
    }
  }

  /// Its place in the order of all events: 1, 2, 3, …
  public let sequence: Int64
  /// When it was done, in microseconds since 1970-01-01T00:00:00Z; two events may bear the same time.
  public let time: Int64
  public let kind: Kind
  public let counter: Counter.ID
  public let name: CounterName
  /// By how much the value changed.
  public let change: Int64
  /// The value after it.
  public let value: Int64
  public let presence: Presence
  /// The sequence number of the event that this one takes back: an undo any event but a selection, a redo an undo.
  public let undoes: Int64?
  public let cause: Cause

  public init(
    sequence: Int64, time: Int64, kind: Kind, counter: Counter.ID, name: CounterName, change: Int64, value: Int64,
    presence: Presence = .unchanged, undoes: Int64? = nil, cause: Cause
  ) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
    self.counter = counter
    self.name = name
    self.change = change
    self.value = value
    self.presence = presence
    self.undoes = undoes
    self.cause = cause
  }
}

/// Who or what made an event happen.
public struct Cause: Hashable, Sendable {
  /// The program that asked for it, such as "tally" or "tally-inputd".
  public let producer: String
  /// The device that was used, such as "RDing FootSwitch1F1.".
  public let device: String?
  /// What was done with it, such as "press KEY_B" or "swipe-down".
  public let gesture: String?

  public init(producer: String, device: String? = nil, gesture: String? = nil) {
    self.producer = producer
    self.device = device
    self.gesture = gesture
  }
}
