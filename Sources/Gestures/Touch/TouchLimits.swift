/// `Timing` as it applies to one surface: every length in the surface's unit.
struct TouchLimits: Equatable, Sendable {
  let longPress: Int64
  let chatter: Int64
  let refractory: Int64
  let settling: Int64
  let tap: Double
  let rest: Double
  let stray: Double
  let again: Double
  let swipe: Double
  let swipePerSecond: Double
  let straightness: Double
  let slant: Double
  let company: Double
  let grain: Double

  init(_ timing: Timing, on surface: TouchSurface) {
    longPress = timing.longPress
    chatter = timing.chatter
    refractory = timing.refractory
    settling = timing.settling
    swipe = surface.measure(timing.swipe)
    // Who wants shorter swipes than the default wants less taken for taps.
    tap = min(surface.measure(timing.tap), swipe * 0.75)
    rest = min(surface.measure(timing.rest), tap)
    stray = min(surface.measure(timing.stray), swipe)
    again = surface.measure(timing.again)
    swipePerSecond = surface.measure(timing.swipePerSecond)
    straightness = timing.straightness
    slant = timing.slant
    company = timing.company
    grain = min(surface.measure(timing.grain), swipe / 4)
  }
}
