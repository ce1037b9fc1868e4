extension Int64 {
  /// The time since an earlier stamp; nil if that stamp is later, because the time that passed is unknown then.
  func elapsed(since earlier: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(earlier)
    return overflow || difference < 0 ? nil : difference
  }

  /// The stamp later by `time`, clamped to 64 bits.
  func later(by time: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(time)
    return overflow ? .max : sum
  }
}
