/// A change of a counter, a group or a formula. The state is computed from the events alone.
public struct Event: Equatable, Sendable {
  /// The kind of entity that an event concerns.
  public enum Subject: String, Sendable {
    case counter
    case group
    case formula
    /// All counters together. The raw value is the name in the journal.
    case all
  }

  /// Flags of an event. The raw value is that of the journal.
  public struct Marks: OptionSet, Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The event reached the counter's target.
    public static let reached = Marks(rawValue: 1)
    /// A limit reduced the change.
    public static let limited = Marks(rawValue: 2)
    /// The event removed or archived the current counter.
    public static let wasCurrent = Marks(rawValue: 4)
    /// The event changed fields.
    public static let altered = Marks(rawValue: 8)
    /// The event undid the last event that could be undone: no event between the two can be undone.
    public static let lastOfAll = Marks(rawValue: 16)
    /// The event undid the last event of its counter that could be undone.
    public static let lastOfCounter = Marks(rawValue: 32)
    /// The counter was created by a count, because no counter existed; also set for the undo and redo of that event.
    public static let madeToCount = Marks(rawValue: 64)
    /// Undo skips the event: it follows from the clock, which was set back before the start of the period, or it was
    /// received from other stations, or it changed nothing.
    public static let notUndoable = Marks(rawValue: 128)
    /// The undo or redo made its counter the current one again.
    public static let becameCurrent = Marks(rawValue: 256)

    /// The event was recorded later than its time, so no counter showed its effect at that time.
    public static let late = Marks(rawValue: 512)

    /// The event follows from a clock that is back since it was lost while the core was off, or repeats a count of such a
    /// clock. A clock that is set back while the core runs may have been ahead before.
    public static let clockLost = Marks(rawValue: 1024)

    /// The event belongs to the undo of an import, or to a redo of that undo: it concerns only copies of the events that
    /// this import brought.
    public static let ofImport = Marks(rawValue: 2048)

    /// All flags that this version knows.
    public static let known = Marks(rawValue: 4095)
  }

  /// Whether an event makes its subject appear or disappear.
  public enum Presence: Int64, Sendable {
    case disappeared = -1
    case unchanged = 0
    case appeared = 1
  }

  /// The difference between the time of a change and its recording from which its events are ``Marks/late``, in
  /// microseconds. A gesture arrives some milliseconds after its time.
  public static let shortestLateness: Int64 = 1_000_000

  /// The sequence number: 1, 2, 3, …
  public let sequence: Int64
  /// The range of times accepted from outside: 1970 to the year 9999, where the calendar ends.
  public static let times: ClosedRange<Int64> = 0...253_402_300_799_999_999
  /// The time of the change, in microseconds since 1970-01-01T00:00:00Z. Times may repeat, and an event added later has
  /// an earlier time than the events before it.
  public let time: Int64
  public let kind: Kind
  public let subject: Subject
  /// The ID of the counter, group or formula; 0 for all counters.
  public let counter: Counter.ID
  /// The current name of the subject.
  public let name: CounterName
  /// The unit of the numbers.
  public let unit: Unit
  /// The signed difference between the new and the old value.
  public let change: Int64
  /// The value after the event.
  public let value: Int64
  public let presence: Presence
  /// The sequence number of the event that this one undoes; a redo undoes an undo.
  public let undoes: Int64?
  public let cause: Cause
  public var marks: Marks
  /// The last boundary of the counter that the event passed.
  public var boundary: Int64?
  /// The sequence number of the event that a note is about.
  public var about: Int64?
  /// The sequence number of the first event of a batch: events that are made, and undone, together.
  public var batch: Int64?
  /// The changes of fields, in no order.
  public var alterations: [Alteration]
  /// The latest note about the event.
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

  /// Whether the event closes an ended period again after a late count, or after the undo of one.
  public var closesEndedPeriod: Bool { kind == .renewed && alterations.isEmpty }

  /// The value that the event gave to a field; `nil` if it did not change the field.
  public subscript(field: Field) -> Field.Value? { alterations.first { $0.field == field }?.after }
}

/// The cause of an event.
public struct Cause: Hashable, Sendable {
  /// The program that made the request, such as "tally" or "tally-inputd".
  public let producer: String
  /// The input device, such as "RDing FootSwitch1F1.".
  public let device: String?
  /// The gesture, such as "press KEY_B" or "swipe-down".
  public let gesture: String?

  public init(producer: String, device: String? = nil, gesture: String? = nil) {
    self.producer = producer
    self.device = device
    self.gesture = gesture
  }

  /// The producer of an import's own events. Their device is the name of the file.
  public static let importer = "import"

  /// Whether a key of a device or a keyboard caused the event. A key may be pressed blindly, so it undoes only counts.
  public var isOfKey: Bool { gesture == "press" || gesture?.hasPrefix("press ") == true }

  /// Whether `text` can be part of a cause: 1 to 128 bytes without control characters.
  public static func isLabel(_ text: String) -> Bool {
    guard 1...128 ~= text.utf8.count else { return false }
    // Looking up the properties of a scalar takes a hundred times as long as comparing its bytes.
    if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return true }
    return !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// The undos and redos of an event: its undo, the redo of that undo, and so on. Equal for copies in several journals,
/// which have different sequence numbers.
///
/// Undos of imports are not among them: they remove the event, undo or redo that an import brought.
public struct UndoChain: Hashable, Sendable {
  /// An undo or redo.
  private struct Link: Hashable, Sendable {
    let sequence: Int64
    /// The last event that left the same state: the link itself, or the undo or redo of an import.
    var last: Int64
    /// A hash of the times and causes up to the link, valid within this process.
    let hash: Int
  }

  private var links: [Link] = []
  /// The links whose import was undone, the last one first.
  private var removed: [Link] = []
  /// Whether the import that brought the event itself was undone.
  public private(set) var isGone = false
  /// The last undo or redo of an import that left the event itself in effect.
  private var last: Int64?

  public init() {}

  /// Whether the event is undone.
  public var isUndone: Bool { isGone || !links.count.isMultiple(of: 2) }

  /// Whether the event is undone because an import was undone, that of the event itself or of its last redo.
  public var isTakenBack: Bool { isGone || isUndone && !removed.isEmpty }

  /// The sequence numbers of the event with this one, and of its undos and redos; none if the event is gone.
  public func sequences(from sequence: Int64) -> [Int64] { isGone ? [] : [sequence] + links.map(\.sequence) }

  /// For each of ``sequences(from:)``, the last event that left the same state.
  public func lasts(from sequence: Int64) -> [Int64] { isGone ? [] : [last ?? sequence] + links.map(\.last) }

  public mutating func add(_ taker: Event) {
    switch (taker.marks.contains(.ofImport), taker.kind) {
    case (false, _):
      removed = []
      guard !isGone else { return }
      var hasher = Hasher()
      hasher.combine(links.last?.hash)
      hasher.combine(taker.time)
      hasher.combine(taker.cause)
      links.append(Link(sequence: taker.sequence, last: taker.sequence, hash: hasher.finalize()))
    case (true, .redone):
      if !isGone, let link = removed.popLast() { links.append(link) }
      isGone = false
      noteLast(taker.sequence)
    case (true, _):
      if let link = links.popLast() { removed.append(link) } else { isGone = true }
      noteLast(taker.sequence)
    }
  }

  private mutating func noteLast(_ sequence: Int64) {
    if links.isEmpty { last = sequence } else { links[links.count - 1].last = sequence }
  }

  public static func == (one: UndoChain, other: UndoChain) -> Bool {
    one.isGone == other.isGone && one.links.map(\.hash) == other.links.map(\.hash)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(isGone)
    hasher.combine(links.last?.hash)
  }
}

extension [Event] {
  /// Adds marks to the counts among the events.
  public mutating func markCounts(_ marks: Event.Marks) {
    for index in indices where self[index].kind.isCount { self[index].marks.formUnion(marks) }
  }
}
