extension Event.Kind {
  /// Whether it is what people count: what totals are the sums of. Resets and corrections change values, too, and are
  /// none.
  public var isCount: Bool { self == .added || self == .subtracted }

  /// Whether it adds to what a stopwatch measures.
  public var isTiming: Bool { self == .stopped || self == .lapped }
}
