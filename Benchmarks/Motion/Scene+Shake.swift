import Gestures
package import Randomness

/// How one person shakes a device, once.
package struct ShakingHand: Sendable {
  /// Times to and fro in a second.
  package var frequency = 4.5
  /// The greatest acceleration of a full stroke, in m/s².
  package var strength = 25.0
  /// How often to and fro: each is two strokes.
  package var swings = 4

  package init(frequency: Double, strength: Double, swings: Int) {
    self.frequency = frequency
    self.strength = strength
    self.swings = swings
  }

  /// Anybody: 2 to 7 Hz, 12 to 60 m/s², two to six times to and fro.
  package init(_ random: inout SeededRandom) {
    frequency = random.number(2...7)
    strength = random.factor(12...60)
    swings = random.whole(2...6)
  }

  /// The three numbers, for a report.
  package var words: String {
    "\((frequency * 10).rounded() / 10) Hz, \(strength.rounded()) m/s², \(swings) swings"
  }
}

extension Scene {
  /// Shakes the device from `start` on, along any axis, and says until when.
  package mutating func shake(_ hand: ShakingHand, at start: Double) -> Double {
    let axis = direction()
    let across = direction(across: axis)
    // Strokes are not all alike: the first and the last are weaker, one direction may be stronger, a hand hurries or
    // tires, and it moves on an arc, which pulls across the axis at each turn and is felt twice a swing.
    let asymmetry = random.number(0.75...1)
    let snap = random.number(-0.2...0.2)
    let round = random.number(0...0.4)
    let roundPhase = random.number(0...6.2832)
    let arc = random.number(0...0.35)
    let hurry = random.number(-0.15...0.15)
    var time = start
    var sign = 1.0
    let count = hand.swings * 2
    for stroke in 0..<count {
      let progress = Double(stroke) / Double(max(1, count - 1))
      let frequency = hand.frequency * (1 + hurry * (progress - 0.5)) * (1 + 0.06 * random.normal())
      let length = 0.5 / max(1, frequency)
      let edge = stroke == 0 ? random.number(0.4...0.9) : stroke == count - 1 ? random.number(0.3...0.9) : 1
      let strength = hand.strength * edge * (sign > 0 ? 1 : asymmetry) * min(1.2, max(0.8, 1 + 0.08 * random.normal()))
      let direction = axis * sign
      let offset = Double(stroke) * 3.1416
      move(at: time, for: length) { seconds in
        let phase = 3.1416 * seconds / length
        let along: Double = sine(phase) + snap * sine(3 * phase)
        let sideways: Double = round * sine(phase + offset + roundPhase)
        let inwards: Double = arc * 0.5 * (cosine(2 * phase) - 1)
        return direction * (strength * along) + across * (strength * (sideways + inwards))
      }
      time += length
      sign = -sign
    }
    let (tilt, turnAxis, frequency) = (random.number(0...0.5), self.direction(), hand.frequency)
    let length = time - start
    turn(at: start, for: length, about: turnAxis) {
      tilt * sine(3.1416 * $0 / length) * sine(6.2832 * frequency * $0)
    }
    return time
  }
}
