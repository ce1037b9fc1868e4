extension Int64 {
  /// The time that passed from an earlier stamp to this one; nil where this one is the earlier one, for then nothing
  /// can be said of the time that passed.
  func elapsed(since earlier: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(earlier)
    return overflow || difference < 0 ? nil : difference
  }

  /// The stamp that lies so much later, or the last one there is.
  func later(by time: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(time)
    return overflow ? .max : sum
  }
}
