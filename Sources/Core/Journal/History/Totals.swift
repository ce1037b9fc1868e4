/// The totals of a time interval. Counts that were undone at any time later are left out.
public struct Totals: Equatable, Sendable {
  public var counts: Int64 = 0
  /// The exact sum of the additions. A clamped sum would depend on the order of its parts.
  var exactAdded: Int128 = 0
  var exactSubtracted: Int128 = 0

  public init(counts: Int64 = 0, added: Int64 = 0, subtracted: Int64 = 0) {
    self.init(counts: counts, exactAdded: Int128(added), exactSubtracted: Int128(subtracted))
  }

  init(counts: Int64, exactAdded: Int128, exactSubtracted: Int128 = 0) {
    self.counts = counts
    self.exactAdded = exactAdded
    self.exactSubtracted = exactSubtracted
  }

  /// The sum of the amounts added, clamped to 64 bits.
  public var added: Int64 { Int64(clamping: exactAdded) }
  /// The sum of the amounts subtracted, clamped to 64 bits.
  public var subtracted: Int64 { Int64(clamping: exactSubtracted) }
  /// Whether one of the sums is beyond 64 bits.
  public var isClamped: Bool { exactAdded != added || exactSubtracted != subtracted }
  /// The difference, clamped to 64 bits.
  public var net: Int64 { Int64(clamping: exactAdded &- exactSubtracted) }

  /// Adds the totals of `other`. Only the numbers of a damaged journal can wrap.
  public mutating func include(_ other: Totals) {
    counts &+= other.counts
    exactAdded &+= other.exactAdded
    exactSubtracted &+= other.exactSubtracted
  }

  /// The totals in a finer unit.
  func scaled(by factor: Int64) -> Totals {
    factor == 1
      ? self
      : Totals(
        counts: counts, exactAdded: exactAdded &* Int128(factor), exactSubtracted: exactSubtracted &* Int128(factor))
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
