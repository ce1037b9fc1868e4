package import Gestures

/// square/seismic's rule: three quarters of the last half second's samples lie above a threshold, gravity included.
package struct Seismic: ShakeCounter {
  private let threshold: Double
  private var queue: [(time: Int64, isFast: Bool)] = []

  package init(threshold: Double) { self.threshold = threshold }

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    while queue.count >= 4, let first = queue.first, first.time < sample.time - 500_000_000 { queue.removeFirst() }
    queue.append((sample.time, sample.vector.length > threshold))
    let fast = queue.count { $0.isFast }
    guard let first = queue.first, sample.time - first.time >= 250_000_000,
      fast >= queue.count / 2 + queue.count / 4
    else { return false }
    queue = []
    return true
  }
}

/// tbouron/ShakeDetector's rule: each of the six directions was passed beyond 2 m/s² three times, gravity included and
/// however long ago, since its list does not expire.
package struct SixDirections: ShakeCounter {
  private var passes = [0, 0, 0, 0, 0, 0]
  private var isBeyond = [false, false, false, false, false, false]

  package init() {}

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    for direction in 0..<6 {
      let value = sample.vector[direction / 2] * (direction.isMultiple(of: 2) ? 1 : -1)
      let beyond = value > 2
      if beyond, !isBeyond[direction] { passes[direction] += 1 }
      isBeyond[direction] = beyond
    }
    guard passes.allSatisfy({ $0 >= 3 }) else { return false }
    passes = [0, 0, 0, 0, 0, 0]
    return true
  }
}

/// shake.js's rule: on two axes at once, a sample differs from the one before by more than 15 m/s²; once a second.
package struct SampleDifference: ShakeCounter {
  private var last: AccelerationSample?
  private var lastShake: Int64?

  package init() {}

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    defer { last = sample }
    guard let last else { return false }
    let change = sample.vector - last.vector
    let axes = (0..<3).count { abs(change[$0]) > 15 }
    guard axes >= 2, sample.time - (lastShake ?? .min / 2) > 1_000_000_000 else { return false }
    lastShake = sample.time
    return true
  }
}

/// React Native's rule: an axis changes sign beyond 1.33 g eight times, with less than 3 s between; the third axis is
/// taken to carry gravity.
package struct SignChanges: ShakeCounter {
  private var lastSample: Int64?
  private var lastHit: Int64 = 0
  private var last = Vector.zero
  private var hits = 0

  package init() {}

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    if let lastSample, sample.time - lastSample < 20_000_000 { return false }
    lastSample = sample.time
    var force = sample.vector
    force.z -= standardGravity
    for axis in 0..<3 where abs(force[axis]) > 1.33 * standardGravity && force[axis] * last[axis] <= 0 {
      lastHit = sample.time
      hits += 1
      last[axis] = force[axis]
      break
    }
    if hits >= 8 {
      hits = 0
      last = .zero
      return true
    }
    if sample.time - lastHit > 3_000_000_000 {
      hits = 0
      last = .zero
    }
    return false
  }
}

/// Firefox for Android's rule of 2026: three times within 500 ms beyond 2 g with the strongest axis' sign alternating;
/// not again for 800 ms.
package struct DominantAxis: ShakeCounter {
  private let isLinear: Bool
  private var gravity: Vector?
  private var hits: [(time: Int64, isPositive: Bool)] = []
  private var lastShake: Int64?

  /// - Parameter isLinear: whether gravity is taken off first, with a slow average.
  package init(isLinear: Bool) { self.isLinear = isLinear }

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    let pull = gravity ?? sample.vector
    gravity = pull + (sample.vector - pull) * 0.05
    let force = isLinear ? sample.vector - pull : sample.vector
    guard force.length > 2 * standardGravity else { return false }
    let axis = (0..<3).max { abs(force[$0]) < abs(force[$1]) } ?? 0
    hits.removeAll { sample.time - $0.time > 500_000_000 }
    let isPositive = force[axis] > 0
    if let last = hits.last, last.isPositive == isPositive { return false }
    hits.append((sample.time, isPositive))
    guard hits.count >= 3, sample.time - (lastShake ?? .min / 2) > 800_000_000 else { return false }
    hits = []
    lastShake = sample.time
    return true
  }
}

/// The rule of a snippet that much Android code carries: more than 2.7 g, gravity included; not again for 500 ms.
package struct Magnitude: ShakeCounter {
  private var lastShake: Int64?

  package init() {}

  package mutating func counts(_ sample: AccelerationSample) -> Bool {
    guard sample.vector.length > 2.7 * standardGravity, sample.time - (lastShake ?? .min / 2) > 500_000_000
    else { return false }
    lastShake = sample.time
    return true
  }
}
