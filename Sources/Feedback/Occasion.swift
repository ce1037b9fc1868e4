/// What can become of a gesture, in the words of a configuration: what feedback is bound to.
///
/// Ordered by importance, the least important first: of several at once the last one here is felt.
public enum Occasion: String, CaseIterable, Comparable, Sendable {
  case added, subtracted
  /// Of a stopwatch.
  case started, stopped, lapped
  case selected, redone, undone
  /// A reset was asked for once; a second time does it.
  case armed
  case reset
  /// The count reached or passed one of the counter's boundaries, or a multiple of a number.
  case boundary
  /// The counter's target was reached.
  case goal
  /// A limit of the counter kept it from going as far as was asked for.
  case limited
  /// The core named a reason against it, and nothing was recorded.
  case refused

  public static func < (left: Occasion, right: Occasion) -> Bool { left.importance < right.importance }

  /// Rises with the order above.
  var importance: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
