public import Counting

/// A request for a change, with its time and cause.
public struct Request {
  public enum Verb {
    case change(Change)
    /// Undoes the last event, determined when the request is performed: of all counters, or of the named one.
    case undo(String?)
    /// Undoes the event with this sequence number: a count at any time, another event only if it is the last event of
    /// its counter that can be undone.
    case undoEvent(Int64)
    /// Undoes the count that the same producer and device made at a time, in microseconds since 1970. Does nothing if
    /// there is no such count among the latest events, or if it is undone already.
    case takeBack(madeAt: Int64)
    /// Redoes the last undo, of all counters or of the named one.
    case redo(String?)
    /// Sets the note about the event with this sequence number.
    case note(Int64, String?)
  }

  public let verb: Verb
  /// The time in microseconds since 1970-01-01T00:00:00Z.
  public let time: Int64
  public let cause: Cause
  /// See ``Ledger/person``.
  public let person: String?
  /// Whether the time had passed when the request arrived, so that its events are marked as late.
  public let isLate: Bool
  /// Whether the caller has the right to administer, which an undo or a redo may need.
  public let isAdministrators: Bool
  /// Whether the request's events are undone together with those of the previous request in the same delivery.
  public let isTogether: Bool
  /// Whether the request repeats a count of a clock that was lost.
  let isRepeated: Bool

  /// The change of a request that only changes a value, and so writes a single row of the journal; `nil` for other
  /// requests.
  var count: Change? {
    guard case .change(let change) = verb else { return nil }
    switch change {
    case .add, .subtract: return change
    default: return nil
    }
  }

  /// Whether the request is an undo or a redo.
  var isTakeback: Bool {
    switch verb {
    case .undo, .undoEvent, .takeBack, .redo: true
    case .change, .note: false
    }
  }

  public init(
    _ verb: Verb, time: Int64, cause: Cause, isLate: Bool = false, by person: String? = nil,
    isAdministrators: Bool = false, isTogether: Bool = false, isRepeated: Bool = false
  ) {
    self.isLate = isLate
    self.person = person
    self.verb = verb
    self.time = time
    self.cause = cause
    self.isAdministrators = isAdministrators
    self.isTogether = isTogether
    self.isRepeated = isRepeated
  }
}
