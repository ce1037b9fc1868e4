/// What was counted in a stretch of time. A count that was taken back is no part of it, whenever that was done.
public struct Totals: Equatable, Sendable {
  /// How many times something was counted.
  public var counts: Int64 = 0
  /// How much was added by that.
  public var added: Int64 = 0
  /// How much was taken off by that.
  public var subtracted: Int64 = 0

  public init(counts: Int64 = 0, added: Int64 = 0, subtracted: Int64 = 0) {
    self.counts = counts
    self.added = added
    self.subtracted = subtracted
  }

  /// Takes in what `other` holds; sums beyond 64 bits stay at their end.
  public mutating func include(_ other: Totals) {
    counts = counts.clampedSum(other.counts)
    added = added.clampedSum(other.added)
    subtracted = subtracted.clampedSum(other.subtracted)
  }

  /// The same in a unit that is so much smaller.
  func scaled(by factor: Int64) -> Totals {
    factor == 1
      ? self
      : Totals(counts: counts, added: added.clampedProduct(factor), subtracted: subtracted.clampedProduct(factor))
  }
}

extension Int64 {
  /// The sum, or what of it 64 bits can hold.
  func clampedSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }

  /// How much more it is than something smaller, or what of that 64 bits can hold.
  func clampedDistance(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .max : difference
  }

  /// The product with something positive, or what of it 64 bits can hold.
  func clampedProduct(_ factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}
