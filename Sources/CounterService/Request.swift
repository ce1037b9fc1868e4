public import Counting

/// Something to be done, as it was asked for: when, by whom, and what.
public struct Request {
  public enum Verb {
    case change(Change)
    /// Takes back whatever is last when its turn comes: of all, or of the counter that is named.
    case undo(String?)
    /// Takes back what the same producer and device did at a time, in microseconds since 1970; nothing where that is
    /// no count, is not among the latest events, or is taken back already.
    case takeBack(madeAt: Int64)
    /// Does again what the last undo took back, likewise.
    case redo(String?)
    /// Notes something about the event with a number.
    case note(Int64, String?)
  }

  public let verb: Verb
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let time: Int64
  public let cause: Cause
  /// Whether it is asked for by somebody with the right to administer, which an undo or a redo may need.
  public let isAdministrators: Bool

  public init(_ verb: Verb, time: Int64, cause: Cause, isAdministrators: Bool = false) {
    self.verb = verb
    self.time = time
    self.cause = cause
    self.isAdministrators = isAdministrators
  }
}
