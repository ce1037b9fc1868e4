/// The totals of a time interval. Counts that were undone at any time later are left out.
public struct Totals: Equatable, Sendable {
  /// The number of counts.
  public var counts: Int64 = 0
  /// The sum of the amounts added.
  public var added: Int64 = 0
  /// The sum of the amounts subtracted.
  public var subtracted: Int64 = 0

  public init(counts: Int64 = 0, added: Int64 = 0, subtracted: Int64 = 0) {
    self.counts = counts
    self.added = added
    self.subtracted = subtracted
  }

  /// The difference, clamped to 64 bits.
  public var net: Int64 { subtracted == .min ? .max : added.clampedSum(-subtracted) }

  /// Adds the totals of `other`; sums beyond 64 bits are clamped.
  public mutating func include(_ other: Totals) {
    counts = counts.clampedSum(other.counts)
    added = added.clampedSum(other.added)
    subtracted = subtracted.clampedSum(other.subtracted)
  }

  /// The same totals in a finer unit.
  func scaled(by factor: Int64) -> Totals {
    factor == 1
      ? self
      : Totals(counts: counts, added: added.clampedProduct(factor), subtracted: subtracted.clampedProduct(factor))
  }
}

extension Int64 {
  /// The sum, clamped to 64 bits.
  func clampedSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }

  /// The difference to a smaller number, clamped to 64 bits.
  func clampedDistance(from other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .max : difference
  }

  /// The product with a positive number, clamped to 64 bits.
  func clampedProduct(_ factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}
