/// An event that feedback can be bound to, under its name in configurations.
///
/// Ordered by importance, the least important first: of several at once the last one in this list is played.
public enum FeedbackEvent: String, CaseIterable, Comparable, Sendable {
  case added, subtracted
  /// Events of a stopwatch.
  case started, stopped, lapped
  case selected, redone, undone
  /// The first of the two requests that reset a counter.
  case armed
  case reset
  /// The count reached or passed one of the counter's boundaries, or a multiple of a number.
  case boundary
  /// The counter's target was reached.
  case goal
  /// A limit of the counter cut the change short.
  case limited
  /// The core refused the gesture and recorded nothing.
  case refused

  public static func < (left: FeedbackEvent, right: FeedbackEvent) -> Bool { left.importance < right.importance }

  /// The position in the order above.
  var importance: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
