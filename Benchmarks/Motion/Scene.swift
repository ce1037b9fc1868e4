package import Gestures
package import Randomness

/// A device's motion, told in fine steps along the device's own axes: which way gravity pulls on it, and how it is
/// moved besides. What a sensor makes of it is the business of `Sensor`.
package struct Scene: Sendable {
  /// Steps in a second: finer than any sensor that is simulated.
  package static let rate = 800.0

  package var gravity: [Vector]
  package var motion: [Vector]
  package var random: SeededRandom

  /// A device at rest, held any way up.
  package init(duration: Double, random: SeededRandom) {
    self.random = random
    let count = Int(duration * Self.rate)
    gravity = []
    motion = Array(repeating: .zero, count: count)
    gravity = Array(repeating: self.direction() * standardGravity, count: count)
  }

  package var duration: Double { Double(motion.count) / Self.rate }

  /// Any direction, all equally likely; of length 1.
  package mutating func direction() -> Vector {
    let vector = Vector(random.normal(), random.normal(), random.normal())
    return vector * (1 / max(vector.length, 0.001))
  }

  /// A direction at right angles to another one.
  package mutating func direction(across other: Vector) -> Vector {
    let any = direction()
    let across = any - other * (any.dot(other) / other.squared)
    return across * (1 / max(across.length, 0.001))
  }

  /// Moves the device: `motion` gets the seconds since `start`.
  package mutating func move(at start: Double, for length: Double, _ motion: (Double) -> Vector) {
    let first = max(0, Int(start * Self.rate))
    let last = min(self.motion.count, Int((start + length) * Self.rate))
    guard first < last else { return }
    for index in first..<last {
      self.motion[index] = self.motion[index] + motion(Double(index) / Self.rate - start)
    }
  }

  /// Turns the device about an axis: `angle` gets the seconds since `start`. It stays as its last angle left it.
  package mutating func turn(
    at start: Double, for length: Double, about axis: Vector, _ angle: (Double) -> Double
  ) {
    let first = max(0, Int(start * Self.rate))
    let last = min(gravity.count, Int((start + length) * Self.rate))
    guard first < last else { return }
    for index in first..<gravity.count {
      let angle = angle(Double(min(index, last - 1)) / Self.rate - start)
      let (sine, cosine) = (sine(angle), cosine(angle))
      let vector = gravity[index]
      gravity[index] =
        vector * cosine + axis.cross(vector) * sine + axis * (axis.dot(vector) * (1 - cosine))
    }
  }

  /// Lets go of the device: it falls, and feels nothing.
  package mutating func fall(at start: Double, for length: Double) {
    let first = max(0, Int(start * Self.rate))
    let last = min(motion.count, Int((start + length) * Self.rate))
    guard first < last else { return }
    for index in first..<last { motion[index] = -gravity[index] }
  }

  /// A hand's trembling throughout.
  package mutating func tremble(_ strength: Double) {
    for _ in 0..<2 {
      let (axis, frequency, phase) = (direction(), random.number(7...12), random.number(0...6))
      move(at: 0, for: duration) { axis * (strength * 0.7 * sine(6.2832 * frequency * $0 + phase)) }
    }
  }

  /// A short blow whose ringing dies away: a knock, a heel on the ground, a fall's end.
  package mutating func strike(at time: Double, along axis: Vector, strength: Double, lasting length: Double) {
    let ring = random.number(18...90)
    let decay = random.number(0.015...0.04)
    let rest = random.number(0.15...0.5)
    move(at: time, for: length) { axis * (strength * sine(3.1416 * $0 / length)) }
    move(at: time + length, for: 0.2) {
      axis * (-rest * strength * exponential(-$0 / decay) * sine(6.2832 * ring * $0))
    }
  }
}

extension Vector {
  package func cross(_ other: Vector) -> Vector {
    Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
