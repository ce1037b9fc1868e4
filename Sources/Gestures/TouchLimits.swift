/// `Timing` as it applies to one surface: every length in the surface's unit. Decides what a finished touch was.
struct TouchLimits: Equatable, Sendable {
  let longPress: Int64
  let settling: Int64
  let tap: Double
  let stray: Double
  let swipe: Double
  let swipePerSecond: Double
  let straightness: Double
  let slant: Double
  let grain: Double

  init(_ timing: Timing, on surface: TouchSurface) {
    longPress = timing.longPress
    settling = timing.settling
    tap = surface.measure(timing.tap)
    stray = surface.measure(timing.stray)
    swipe = surface.measure(timing.swipe)
    swipePerSecond = surface.measure(timing.swipePerSecond)
    straightness = timing.straightness
    slant = timing.slant
    grain = surface.measure(timing.grain)
  }

  /// What one finger did between landing and lifting; nil where it was nothing that has a name.
  ///
  /// A touch whose end is stamped before its beginning lasted nobody knows how long: it can be a swipe, but no tap.
  func verdict(on stroke: Stroke, lifted time: Int64) -> Gesture.Kind? {
    let duration = time.elapsed(since: stroke.startTime)
    let net = stroke.net
    if net.length <= tap {
      guard let duration, duration < longPress, !stroke.hasStrayed else { return nil }
      return .tap
    }
    let isSideways = abs(net.x) >= abs(net.y)
    let along = isSideways ? abs(net.x) : abs(net.y)
    let across = isSideways ? abs(net.y) : abs(net.x)
    guard
      along >= swipe, across <= along * slant, net.length >= stroke.path * straightness,
      along >= swipePerSecond * Double(duration ?? 0) / 1e9
    else { return nil }
    if isSideways { return net.x > 0 ? .swipeRight : .swipeLeft }
    return net.y > 0 ? .swipeDown : .swipeUp
  }
}
