/// One half of a swing: the device is pushed one way, most strongly at its peak.
struct Stroke {
  var time: Double
  var force: Vector
  /// The motion's energy, direction by direction, up to the peak.
  var energy: Spread

  var strength: Double { force.length }
}

/// The energy of a motion by direction: the sum of the products of its components.
struct Spread {
  var xx = 0.0
  var yy = 0.0
  var zz = 0.0
  var xy = 0.0
  var yz = 0.0
  var zx = 0.0

  mutating func add(_ v: Vector) {
    xx += v.x * v.x
    yy += v.y * v.y
    zz += v.z * v.z
    xy += v.x * v.y
    yz += v.y * v.z
    zx += v.z * v.x
  }

  var all: Double { xx + yy + zz }

  /// What lies along a direction of length 1.
  func along(_ v: Vector) -> Double {
    xx * v.x * v.x + yy * v.y * v.y + zz * v.z * v.z + 2 * (xy * v.x * v.y + yz * v.y * v.z + zx * v.z * v.x)
  }

  static func - (a: Spread, b: Spread) -> Spread {
    Spread(xx: a.xx - b.xx, yy: a.yy - b.yy, zz: a.zz - b.zz, xy: a.xy - b.xy, yz: a.yz - b.yz, zx: a.zx - b.zx)
  }
}

/// The strokes that follow each other closely, each opposite to the one before.
struct StrokeChain {
  /// More strokes than a shake needs are forgotten from the front.
  private static let capacity = 12

  private(set) var strokes: [Stroke] = []
  private var open: Stroke?
  private(set) var energy = Spread()
  private let parameters: ShakeParameters

  init(parameters: ShakeParameters) {
    self.parameters = parameters
    strokes.reserveCapacity(Self.capacity + 1)
  }

  /// Takes a step in.
  mutating func take(_ force: Vector, at time: Double) {
    energy.add(force)
    let strength = force.length
    guard let stroke = open else {
      if strength >= parameters.weakest { open = Stroke(time: time, force: force, energy: energy) }
      else if let last = strokes.last, time - last.time > parameters.longestStroke { clear() }
      return
    }
    if strength >= parameters.weakest, force.cosine(to: stroke.force) <= -parameters.opposition {
      append(stroke)
      open = Stroke(time: time, force: force, energy: energy)
    } else if strength < parameters.weakest * 0.5 {
      append(stroke)
      open = nil
    } else if strength > stroke.strength, force.dot(stroke.force) > 0 {
      open = Stroke(time: time, force: force, energy: energy)
    }
  }

  /// The chain with the stroke that is not yet over, where that one belongs to it.
  var candidate: (closed: ArraySlice<Stroke>, open: Stroke?) {
    guard let open, follows(open) else { return (strokes[...], nil) }
    return (strokes[...], open)
  }

  mutating func clear() {
    strokes.removeAll(keepingCapacity: true)
    open = nil
    energy = Spread()
  }

  private func follows(_ stroke: Stroke) -> Bool {
    guard let last = strokes.last else { return true }
    let gap = stroke.time - last.time
    return gap <= parameters.longestStroke && gap >= parameters.shortestStroke
      && stroke.force.cosine(to: last.force) <= -parameters.opposition
  }

  private mutating func append(_ stroke: Stroke) {
    if follows(stroke) {
      strokes.append(stroke)
      if strokes.count > Self.capacity { strokes.removeFirst() }
      return
    }
    guard let last = strokes.last else { return }
    let isNear = stroke.time - last.time <= parameters.longestStroke
    if isNear, stroke.force.dot(last.force) > 0 {
      if stroke.strength > last.strength { strokes[strokes.count - 1] = stroke }
    } else if !isNear || stroke.strength > 0.5 * last.strength {
      strokes.removeAll(keepingCapacity: true)
      strokes.append(stroke)
    }
  }
}
