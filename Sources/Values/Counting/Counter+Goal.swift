extension Counter {
  /// The progress of a goal.
  public struct Progress: Equatable, Sendable {
    /// The distance from the start in the direction of the target; negative on the other side of the start.
    public let done: Int64
    /// The distance to the target; 0 once it is reached.
    public let left: Int64
    /// The percentage done, rounded down; above 100 beyond the target.
    public let percent: Int64
  }

  /// The progress; `nil` without a target.
  public var progress: Progress? {
    guard let target else { return nil }
    let (way, wayOverflow) = target.subtractingReportingOverflow(start)
    let (gone, goneOverflow) = value.subtractingReportingOverflow(start)
    guard !wayOverflow, !goneOverflow, way != 0, way != .min, gone != .min else { return nil }
    let (done, all) = way > 0 ? (gone, way) : (-gone, -way)
    let (left, overflow) = all.subtractingReportingOverflow(done)
    let percent = done.magnitude.multipliedFullWidth(by: 100)
    // The quotient exceeds 64 bits only if the distance to the target is 1 and the value is extreme.
    guard percent.high < all.magnitude else { return nil }
    let (quotient, rest) = all.magnitude.dividingFullWidth(percent)
    let rounded = Int64(clamping: quotient)
    return Progress(
      done: done, left: overflow ? .max : max(0, left), percent: done < 0 ? -rounded - (rest > 0 ? 1 : 0) : rounded)
  }

  /// Whether the value has reached the target or passed it, seen from the start.
  var isReached: Bool {
    guard let target else { return false }
    return target >= start ? value >= target : value <= target
  }

  /// The last multiple of `every` that the value has passed since `before` in the direction of the target; `nil` for
  /// none. The start itself is no boundary.
  func boundaryPassed(from before: Int64) -> Int64? {
    guard let every = self[.every].integer, every > 0, before != value else { return nil }
    let isDown = target.map { $0 < start } ?? false
    guard isDown ? value < before : value > before else { return nil }
    // The boundary is the multiple at the value, or the previous one in the direction. `value - rest` is nearer to 0,
    // which may be beyond the value.
    let rest = value % every
    let isBeyond = isDown ? rest > 0 : rest < 0
    let (boundary, overflow) = (value - rest).addingReportingOverflow(isBeyond ? (isDown ? every : -every) : 0)
    guard !overflow, isDown ? boundary < before && boundary < start : boundary > before && boundary > start else {
      return nil
    }
    return boundary
  }
}
