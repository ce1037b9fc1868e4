/// One thing that became of a gesture, as the core acknowledged it.
public struct Happening: Equatable, Sendable {
  public let occasion: Occasion
  /// The counter's name; nil where it is not known, as for what was refused.
  public let counter: String?
  /// The counter's value after it, and by how much that had changed; 0 where nothing was counted.
  public let value: Int64
  public let change: Int64
  /// What else it was, by the core's account: a boundary, a goal, limited.
  public let marks: Set<Occasion>

  public init(
    _ occasion: Occasion, counter: String?, value: Int64 = 0, change: Int64 = 0, marks: Set<Occasion> = []
  ) {
    self.occasion = occasion
    self.counter = counter
    self.value = value
    self.change = change
    self.marks = marks
  }

  /// Whether the value reached or passed a multiple of `number`, upwards or downwards, by being counted.
  func crosses(multipleOf number: Int64) -> Bool {
    guard occasion == .added || occasion == .subtracted, change != 0, number > 0 else { return false }
    let (before, overflow) = value.subtractingReportingOverflow(change)
    guard !overflow else { return false }
    // Going up, the multiples above `before` count; going down those below it.
    let floor = { (number: Int64, divisor: Int64) in number / divisor - (number % divisor < 0 ? 1 : 0) }
    let ceiling = { (number: Int64, divisor: Int64) in number / divisor + (number % divisor > 0 ? 1 : 0) }
    return change > 0
      ? floor(before, number) != floor(value, number) : ceiling(before, number) != ceiling(value, number)
  }
}
