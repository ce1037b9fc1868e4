/// What happened to a counter or to a group. Events are the truth; how things stand is their fold.
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
    /// Settings became others.
    case changed
    case locked
    case unlocked
    case started
    case stopped
    /// A lap of a stopwatch ended, and the next one began.
    case lapped
    /// Something was noted about an earlier event.
    case noted
    /// A period ended, and the next one began.
    case renewed
  }

  /// What it happened to.
  public enum Subject: String, Sendable {
    case counter
    case group
    case formula
    /// All counters together. The raw value is what the journal calls it.
    case all
  }

  /// What else is to be known of an event. The raw value is what the journal holds.
  public struct Marks: OptionSet, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The counter's target was reached by this.
    public static let reached = Marks(rawValue: 1)
    /// A limit kept it from going as far as was asked for.
    public static let limited = Marks(rawValue: 2)
    /// What disappeared was the current counter.
    public static let wasCurrent = Marks(rawValue: 4)
    /// It altered fields.
    public static let altered = Marks(rawValue: 8)
    /// It took back the last of all that could be: nothing between the two is left to be taken back.
    public static let lastOfAll = Marks(rawValue: 16)
    /// The same among the events of its counter.
    public static let lastOfCounter = Marks(rawValue: 32)
    /// The counter was made because something was to be counted and there was none; and what takes that back, and so on.
    public static let madeToCount = Marks(rawValue: 64)
    /// It followed from the clock, so that nobody takes it back: its period began in the future of a clock that was set
    /// back since.
    public static let byClock = Marks(rawValue: 128)
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
  /// The times that may come from outside: from 1970 to the year 9999, behind which no calendar here goes.
  public static let times: ClosedRange<Int64> = 0...253_402_300_799_999_999
  /// When it was done, in microseconds since 1970-01-01T00:00:00Z; two events may bear the same time, and one that was
  /// added after the fact bears an earlier one than those before it.
  public let time: Int64
  public let kind: Kind
  public let subject: Subject
  /// The counter's or the group's number; 0 for all.
  public let counter: Counter.ID
  /// How that is called now.
  public let name: CounterName
  /// What its numbers are numbers of.
  public let unit: Unit
  /// By how much the value changed.
  public let change: Int64
  /// The value after it.
  public let value: Int64
  public let presence: Presence
  /// The sequence number of the event that this one takes back: an undo any event but a selection, a redo an undo.
  public let undoes: Int64?
  public let cause: Cause
  public var marks: Marks
  /// The last of the counter's boundaries that it passed.
  public var boundary: Int64?
  /// The sequence number of the event that a note is about.
  public var about: Int64?
  /// The sequence number of the first of the events that were done as one, and are taken back as one.
  public var batch: Int64?
  /// What it did to fields, in no order.
  public var alterations: [Alteration]
  /// What was noted about it later.
  public var note: String?

  public init(
    sequence: Int64, time: Int64, kind: Kind, subject: Subject = .counter, counter: Counter.ID, name: CounterName,
    unit: Unit = .things,
    change: Int64, value: Int64, presence: Presence = .unchanged, undoes: Int64? = nil, cause: Cause,
    marks: Marks = [], boundary: Int64? = nil, about: Int64? = nil, batch: Int64? = nil,
    alterations: [Alteration] = [], note: String? = nil
  ) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
    self.subject = subject
    self.counter = counter
    self.name = name
    self.unit = unit
    self.change = change
    self.value = value
    self.presence = presence
    self.undoes = undoes
    self.cause = cause
    self.marks = marks
    self.boundary = boundary
    self.about = about
    self.batch = batch
    self.alterations = alterations
    self.note = note
  }

  /// What it made of a field; `nil` where it left it alone.
  public subscript(field: Field) -> Field.Value? { alterations.first { $0.field == field }?.after }
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
