/// An event that feedback can be bound to, under its name in configurations.
///
/// In the order of importance, the most important last. Of several simultaneous events the most important one is
/// played.
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
  /// A limit of the counter reduced the change.
  case limited
  /// The core refused the gesture and recorded nothing.
  case refused

  public static func < (left: FeedbackEvent, right: FeedbackEvent) -> Bool { left.importance < right.importance }

  /// The position in the order above.
  var importance: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// One result of a gesture, as the core acknowledged it.
public struct Outcome: Equatable, Sendable {
  public let event: FeedbackEvent
  /// The counter's name; nil if unknown, as for refused gestures.
  public let counter: String?
  /// The counter's value after the gesture; 0 if nothing was counted.
  public let value: Int64
  /// The change of the value; 0 if nothing was counted.
  public let change: Int64
  /// Further events that the core reported for the gesture: a boundary, a goal, limited.
  public let marks: Set<FeedbackEvent>

  public init(
    _ event: FeedbackEvent, counter: String?, value: Int64 = 0, change: Int64 = 0, marks: Set<FeedbackEvent> = []
  ) {
    self.event = event
    self.counter = counter
    self.value = value
    self.change = change
    self.marks = marks
  }

  /// Whether counting reached or passed a multiple of `number`, upwards or downwards.
  func crosses(multipleOf number: Int64) -> Bool {
    guard event == .added || event == .subtracted, change != 0, number > 0 else { return false }
    let (before, overflow) = value.subtractingReportingOverflow(change)
    guard !overflow else { return false }
    // Upwards, multiples above `before` count; downwards, multiples below `before`.
    let floor = { (number: Int64, divisor: Int64) in number / divisor - (number % divisor < 0 ? 1 : 0) }
    let ceiling = { (number: Int64, divisor: Int64) in number / divisor + (number % divisor > 0 ? 1 : 0) }
    return change > 0
      ? floor(before, number) != floor(value, number) : ceiling(before, number) != ceiling(value, number)
  }
}
