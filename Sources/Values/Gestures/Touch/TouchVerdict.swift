/// The meaning of a finished touch: a pure function of the strokes that its fingers made.
///
/// | the fingers                                                   | are                                            |
/// |---------------------------------------------------------------|------------------------------------------------|
/// | lift near their landings, soon                                | a tap                                          |
/// | lift near their landings, later, if a long press is bound     | a long press                                   |
/// | go far enough, fast enough, straight, all the same way        | a swipe                                        |
/// | anything else                                                 | nothing, for a reason that `monitor` prints    |
///
/// Only bound gestures compete: without a long press a slow tap is a tap, and towards a side without a bound swipe a
/// tap may slip as far as a swipe would begin.
enum TouchVerdict: Equatable, Sendable {
  case tap
  case longPress
  case swipe(Gesture.Kind)
  case nothing(InputReport.Reason)

  /// The kind of gesture; nil for none.
  var kind: Gesture.Kind? {
    switch self {
    case .tap: .tap
    case .longPress: .longPress
    case .swipe(let kind): kind
    case .nothing: nil
    }
  }

  /// - Parameters:
  ///   - strokes: the strokes of all fingers, in the order in which they landed.
  ///   - lastLanding: the time of the last landing.
  ///   - lifted: the time of the last lift.
  ///   - bindings: the bindings for this number of fingers.
  init(_ strokes: [Stroke], lastLanding: Int64, lifted: Int64, by bindings: TouchBindings) {
    let startTime = strokes.first?.startTime ?? lifted
    let motion = Motion(strokes)
    let direction = motion.direction
    let limits = bindings.limits(for: direction)
    let isBound = bindings.isBound(direction)
    // A touch whose end is stamped before its beginning has no known duration: it can be a swipe, but not a tap.
    let duration = lifted.elapsed(since: startTime)

    if strokes.allSatisfy({ $0.isStill(by: bindings) }) {
      self = Self.still(strokes, motion, duration, lastLanding, bindings)
    } else if motion.along < limits.swipe, strokes.contains(where: { $0.excursion.length >= limits.swipe }) {
      self = .nothing(.cameBack)
    } else if motion.along < limits.swipe {
      let slop = isBound ? bindings.tapSlop : limits.swipe
      self = .nothing(
        .moved(limits.length(motion.reach), slop: limits.length(slop), swipe: limits.length(limits.swipe)))
    } else if motion.alongWithoutJumps < limits.swipe {
      self = .nothing(.jumped)
    } else if let reason = motion.flaw(duration, limits) {
      self = .nothing(reason)
    } else {
      self = .swipe(direction)
    }
  }

  private static func still(
    _ strokes: [Stroke], _ motion: Motion, _ duration: Int64?, _ lastLanding: Int64, _ bindings: TouchBindings
  ) -> TouchVerdict {
    guard let duration else { return .nothing(.endsBeforeItBegins) }
    guard duration >= bindings.longPress else { return .tap }
    let limits = bindings.limits(for: .longPress)
    guard bindings.isBound(.longPress) else {
      return duration <= bindings.longestTap ? .tap : .nothing(.held(duration, longest: bindings.longestTap))
    }
    // Fingers that press are down together; a finger that lands only at the end does not press.
    let firstLift = strokes.map(\.end).min() ?? 0
    guard motion.reach <= limits.longPressSlop, firstLift.elapsed(since: lastLanding) ?? 0 >= duration / 2 else {
      return .nothing(.heldAndMoved(duration, limits.length(motion.reach), slop: limits.length(limits.longPressSlop)))
    }
    return .longPress
  }
}

extension Stroke {
  /// Whether the finger stayed close enough to its landing for a tap.
  func isStill(by bindings: TouchBindings) -> Bool {
    isWithin(net, bindings.tapSlop, bindings)
      && isWithin(excursion, bindings.limits(for: excursion.direction).maxExcursion, bindings)
  }

  private func isWithin(_ way: Vector, _ slop: Double, _ bindings: TouchBindings) -> Bool {
    if bindings.isBound(way.direction) { return way.length <= slop }
    let free = bindings.limits(for: way.direction).freeSlop
    return abs(way.x) <= free.x && abs(way.y) <= free.y
  }
}

extension Stroke.Vector {
  /// The swipe in the direction of the displacement.
  var direction: Gesture.Kind {
    abs(x) >= abs(y) ? x > 0 ? .swipeRight : .swipeLeft : y > 0 ? .swipeDown : .swipeUp
  }

  /// The part of a displacement in the direction of a swipe.
  func component(_ direction: Gesture.Kind) -> Double {
    switch direction {
    case .swipeLeft: -x
    case .swipeRight: x
    case .swipeUp: -y
    default: y
    }
  }
}

/// The strokes of all fingers of a touch together.
private struct Motion {
  private var sum = Stroke.Vector.zero
  private var jumps = Stroke.Vector.zero
  private var path = 0.0
  private let count: Double
  /// The largest displacement of a finger at its end.
  private(set) var reach = 0.0
  /// The smallest displacement of a finger in the common direction.
  private var least = Double.infinity
  /// The largest displacement of a finger in the common direction.
  private var most = -Double.infinity

  init(_ strokes: [Stroke]) {
    count = Double(strokes.count)
    for stroke in strokes {
      sum = sum + stroke.net
      jumps = jumps + stroke.jump
      path += stroke.path
      reach = max(reach, stroke.net.length)
    }
    for stroke in strokes {
      let along = stroke.net.component(direction)
      least = min(least, along)
      most = max(most, along)
    }
  }

  var direction: Gesture.Kind { sum.direction }
  /// The mean displacement of the fingers in the common direction.
  var along: Double { sum.component(direction) / count }
  var alongWithoutJumps: Double { (sum - jumps).component(direction) / count }

  /// The reason why strokes of sufficient length are no swipe; nil for a swipe.
  func flaw(_ duration: Int64?, _ limits: TouchLimits) -> InputReport.Reason? {
    let isSideways = direction == .swipeLeft || direction == .swipeRight
    let across = abs(isSideways ? sum.y : sum.x) / count
    if least < most * limits.minFingerRatio { return .apart }
    if sum.length < path * limits.straightness { return .cameBack }
    if across > along * limits.maxDeviation { return .diagonal }
    if along < limits.swipePerSecond * Double(duration ?? 0) / 1e9 { return .slow }
    return nil
  }
}
