extension Counter {
  /// How far a goal is.
  public struct Progress: Equatable, Sendable {
    /// How much of the way from the start to the target is done; negative behind the start.
    public let done: Int64
    /// How much is left; 0 from the target on.
    public let left: Int64
    /// How much of a hundred is done, rounded down; beyond 100 where it was passed.
    public let percent: Int64
  }

  /// How far the goal is; `nil` without a target.
  public var progress: Progress? {
    guard let target else { return nil }
    let (way, wayOverflow) = target.subtractingReportingOverflow(start)
    let (gone, goneOverflow) = value.subtractingReportingOverflow(start)
    guard !wayOverflow, !goneOverflow, way != 0, way != .min, gone != .min else { return nil }
    let (done, all) = way > 0 ? (gone, way) : (-gone, -way)
    let (left, overflow) = all.subtractingReportingOverflow(done)
    let percent = done.magnitude.multipliedFullWidth(by: 100)
    // A quotient that does not fit is that of a way of one step, gone beyond all sense.
    guard percent.high < all.magnitude else { return nil }
    let (quotient, rest) = all.magnitude.dividingFullWidth(percent)
    let rounded = Int64(clamping: quotient)
    return Progress(
      done: done, left: overflow ? .max : max(0, left), percent: done < 0 ? -rounded - (rest > 0 ? 1 : 0) : rounded)
  }

  /// Whether the value is at the target or beyond it, seen from the start.
  var isReached: Bool {
    guard let target else { return false }
    return target >= start ? value >= target : value <= target
  }

  /// The last of the boundaries that lie `every` apart which the way from `before` to the value has passed, going
  /// towards the target; `nil` where it passed none.
  func boundaryPassed(from before: Int64) -> Int64? {
    guard let every, every > 0, before != value else { return nil }
    let isDown = target.map { $0 < start } ?? false
    guard isDown ? value < before : value > before else { return nil }
    let (way, overflow) = value.subtractingReportingOverflow(start)
    let (old, oldOverflow) = before.subtractingReportingOverflow(start)
    guard !overflow, !oldOverflow, way != .min, old != .min else { return nil }
    // Where it starts is none.
    let reached = Self.boundaries(isDown ? -way : way, every)
    guard reached > 0, reached > Self.boundaries(isDown ? -old : old, every) else { return nil }
    // No further from the start than the value is, so it exists.
    return isDown ? start - reached * every : start + reached * every
  }

  /// How many boundaries lie behind, rounded down.
  private static func boundaries(_ way: Int64, _ every: Int64) -> Int64 {
    let (quotient, rest) = way.quotientAndRemainder(dividingBy: every)
    return rest < 0 ? quotient - 1 : quotient
  }
}
