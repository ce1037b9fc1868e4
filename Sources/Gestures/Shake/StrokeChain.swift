/// One half of a swing: the device is pushed one way, most strongly at its peak.
struct ShakeStroke {
  /// When it was at its peak, in seconds.
  var time: Double
  var force: Vector
  /// The motion's energy from the chain's beginning up to the peak.
  var energy: Spread

  var strength: Double { force.length }
}

/// The strokes that follow each other closely, each opposite to the one before.
struct StrokeChain {
  /// More strokes than any shake needs are forgotten from the front.
  private static let capacity = 12
  /// A stroke ends when it is weaker than this part of what a stroke must reach: a hand's trembling ends none.
  private static let ending = 0.5
  /// What is weaker than this part of the stroke before it, and goes another way, is only the hand's unevenness.
  private static let stray = 0.5

  /// What has been moved since the chain began.
  private(set) var energy = Spread()
  private let parameters: ShakeParameters
  private var closed: [ShakeStroke] = []
  private var open: ShakeStroke?
  /// How strong the motion was before the open stroke, and before the first one of the chain; nil where it is not known.
  private var beforeOpen: Spread?
  private(set) var before: Spread?

  init(parameters: ShakeParameters) {
    self.parameters = parameters
    closed.reserveCapacity(Self.capacity + 1)
  }

  /// How many strokes there are, the one that is not over among them where it belongs to them.
  var count: Int { closed.count + (openFollows ? 1 : 0) }

  /// The last stroke (0) or one of those before it. Call only for `index` from 0 to below `count`.
  func stroke(fromEnd index: Int) -> ShakeStroke {
    guard openFollows, let open else { return closed[closed.count - 1 - index] }
    return index == 0 ? open : closed[closed.count - index]
  }

  /// Takes a step in; `time` in seconds.
  mutating func take(_ force: Vector, at time: Double, after level: Spread?) {
    energy.add(force)
    let strength = force.length
    let isStroke = strength >= parameters.weakest
    guard let stroke = open else {
      if isStroke {
        beforeOpen = level
        if closed.isEmpty { before = level }
        open = ShakeStroke(time: time, force: force, energy: energy)
      } else if let last = closed.last, time - last.time > parameters.longestStroke {
        clear()
      }
      return
    }
    if isStroke, force.cosine(to: stroke.force) <= -parameters.opposition {
      append(stroke)
      beforeOpen = level
      open = ShakeStroke(time: time, force: force, energy: energy)
    } else if strength < parameters.weakest * Self.ending {
      append(stroke)
      open = nil
    } else if strength > stroke.strength, force.dot(stroke.force) > 0 {
      open = ShakeStroke(time: time, force: force, energy: energy)
    }
  }

  mutating func clear() {
    closed.removeAll(keepingCapacity: true)
    (open, beforeOpen, before) = (nil, nil, nil)
    energy = Spread()
  }

  private var openFollows: Bool { open.map(follows) ?? false }

  private func follows(_ stroke: ShakeStroke) -> Bool {
    guard let last = closed.last else { return true }
    let gap = stroke.time - last.time
    return gap <= parameters.longestStroke && gap >= parameters.shortestStroke
      && stroke.force.cosine(to: last.force) <= -parameters.opposition
  }

  private mutating func append(_ stroke: ShakeStroke) {
    guard let last = closed.last, !follows(stroke) else {
      closed.append(stroke)
      if closed.count > Self.capacity { closed.removeFirst() }
      return
    }
    let isNear = stroke.time - last.time <= parameters.longestStroke
    if isNear, stroke.force.dot(last.force) > 0 {
      if stroke.strength > last.strength { closed[closed.count - 1] = stroke }
    } else if !isNear || stroke.strength > Self.stray * last.strength {
      closed.removeAll(keepingCapacity: true)
      closed.append(stroke)
      before = beforeOpen
    }
  }
}
