/// `Timing` on one surface: every length in the surface's unit.
struct TouchLimits: Equatable, Sendable {
  let longPress: Int64
  let longestTap: Int64
  let touchDropout: Int64
  let refractory: Int64
  let settling: Int64
  let tapSlop: Double
  /// The largest slip of a tap, across and down, in directions without a bound swipe.
  let freeSlop: Stroke.Vector
  let longPressSlop: Double
  let maxExcursion: Double
  let doubleTapSlop: Double
  let dropoutRadius: Double
  let swipe: Double
  let swipePerSecond: Double
  let straightness: Double
  let maxDeviation: Double
  let minFingerRatio: Double
  let hysteresis: Double
  /// The longest distance between two fingers of one hand; infinite on a surface of unknown size.
  let handSpan: Double
  let unit: TouchSurface.Unit

  /// The shortest tap that was observed, in nanoseconds. A position that a panel reports for a shorter time is perhaps
  /// not a finger's.
  static let shortestTap: Int64 = 24_000_000

  init(_ timing: Timing, on surface: TouchSurface) {
    longPress = timing.longPress
    longestTap = max(timing.longestTap, timing.longPress)
    touchDropout = timing.touchDropout
    refractory = timing.refractory
    settling = timing.settling
    unit = surface.unit
    swipe = surface.measure(timing.swipe)
    // A shorter swipe leaves less tolerance for taps.
    tapSlop = min(surface.measure(timing.tapSlop), swipe * 0.75)
    freeSlop = surface.unit == .millimetres ? Stroke.Vector(x: swipe, y: swipe) : surface.extent * timing.swipe.fraction
    longPressSlop = min(surface.measure(timing.longPressSlop), tapSlop)
    maxExcursion = min(surface.measure(timing.maxExcursion), swipe)
    doubleTapSlop = surface.measure(timing.doubleTapSlop)
    dropoutRadius =
      surface.unit == .millimetres
      ? timing.dropoutRadius.millimetres ?? 0
      : timing.dropoutRadius.fraction * max(surface.extent.x, surface.extent.y)
    swipePerSecond = surface.measure(timing.swipePerSecond)
    straightness = timing.straightness
    // On a panel of unknown shape, a stroke is a swipe if it is steep enough for a wide or for a tall panel.
    maxDeviation = timing.maxDeviation * surface.aspectDoubt
    minFingerRatio = timing.minFingerRatio
    handSpan = surface.unit == .millimetres ? 220 : .infinity
    hysteresis = min(surface.measure(timing.hysteresis), swipe / 4)
  }
}
