import Gestures
import Randomness

/// What happens to a device that nobody shakes.
package enum Incident: String, CaseIterable, Sendable {
  case tapsOnTheCase = "taps on the case"
  case knocksOnTheTable = "knocks on the table"
  case drop
  case pickUp = "pick-up"
  case turn, driving, stairs, jerk
}

extension Scene {
  package mutating func happen(_ incident: Incident) {
    let up = (gravity.first ?? Vector(0, 0, standardGravity)) * (1 / standardGravity)
    switch incident {
    case .tapsOnTheCase:
      var time = random.number(0.5...1)
      let axis = direction()
      let period = random.number(0.11...0.6)
      while time < duration - 0.5 {
        let strength = random.factor(4...45)
        strike(at: time, along: axis, strength: strength, lasting: random.number(0.006...0.025))
        // The hand that holds it gives way and comes back.
        let (give, slow) = (random.number(0...0.25) * strength * 0.3, random.number(3...7))
        move(at: time, for: 1 / slow) { axis * (-give * sine(6.2832 * slow * $0)) }
        time += period * random.factor(0.7...1.6)
      }
    case .knocksOnTheTable:
      var time = random.number(0.5...1)
      while time < duration - 0.5 {
        for _ in 0..<random.whole(1...5) {
          strike(
            at: time, along: up + direction() * 0.4, strength: random.factor(3...40),
            lasting: random.number(0.004...0.02))
          time += random.number(0.12...0.35)
        }
        time += random.number(0.5...2)
      }
    case .drop:
      let length = random.number(0.15...0.5)
      let start = duration / 2 - length
      pickUp(at: max(0.3, start - 1.5))
      let (axis, angle) = (direction(), random.number(0...3))
      turn(at: start, for: length + 0.3, about: axis) { angle * $0 / (length + 0.3) }
      fall(at: start, for: length)
      var time = start + length
      var strength = random.number(80...300)
      for _ in 0..<random.whole(1...4) {
        let bounce = random.number(0.03...0.18)
        fall(at: time, for: bounce)
        strike(at: time, along: direction(), strength: strength, lasting: random.number(0.003...0.012))
        time += bounce
        strength *= random.number(0.3...0.7)
      }
    case .pickUp:
      var time = random.number(0.3...1)
      while time < duration - 1.5 {
        pickUp(at: time)
        time += random.number(1.2...3)
      }
    case .turn:
      var time = random.number(0.3...1)
      while time < duration - 1 {
        let (length, angle, axis) = (random.number(0.2...1.2), random.number(0.5...3.1), direction())
        turn(at: time, for: length, about: axis) { angle * (0.5 - 0.5 * cosine(3.1416 * $0 / length)) }
        // The sensor does not lie on the axis of the turn.
        let radius = random.number(0.02...0.3)
        let outwards = direction(across: axis)
        let along = axis.cross(outwards)
        let speed = angle * 1.5708 / length
        move(at: time, for: length) { seconds in
          let now = speed * sine(3.1416 * seconds / length)
          let faster = speed * 3.1416 / length * cosine(3.1416 * seconds / length)
          return outwards * (-now * now * radius) + along * (faster * radius)
        }
        time += length + random.number(0.1...1.5)
      }
    case .driving:
      for _ in 0..<4 {
        let (axis, frequency, strength) = (direction(), random.number(8...40), random.number(0.1...0.8))
        move(at: 0, for: duration) { axis * (strength * sine(6.2832 * frequency * $0)) }
      }
      let sideways = direction(across: up)
      let (curve, strength) = (random.number(0.05...0.3), random.number(1...4))
      move(at: 0, for: duration) { sideways * (strength * sine(6.2832 * curve * $0)) }
      var time = random.number(0.5...3)
      while time < duration {
        // A bump: the springs swing at 1 to 2 Hz, the wheels at 10 to 14.
        let (strength, springs, wheels) = (random.factor(1.5...14), random.number(1...2.2), random.number(10...14))
        move(at: time, for: 1.5) {
          up
            * (strength
              * (0.7 * exponential(-$0 * 3) * sine(6.2832 * springs * $0)
                + exponential(-$0 * 14) * sine(6.2832 * wheels * $0)))
        }
        time += random.factor(0.4...6)
      }
    case .stairs:
      let carrying = Carrying.allCases[random.whole(0...Carrying.allCases.count - 1)]
      walk(carrying, steps: random.number(1.2...2.6), vigour: random.number(0.9...1.7), at: 0, for: duration)
    case .jerk:
      var time = random.number(0.4...1)
      while time < duration - 1 {
        // One thrust: pushed off, stopped, and perhaps a little recoil.
        let (axis, strength) = (direction(), random.factor(8...35))
        let (push, stop) = (random.number(0.08...0.25), random.number(0.5...1.2))
        let recoil = random.number(0...0.35)
        move(at: time, for: push) { axis * (strength * sine(3.1416 * $0 / push)) }
        move(at: time + push, for: push / stop) { axis * (-strength * stop * sine(3.1416 * stop * $0 / push)) }
        move(at: time + push + push / stop, for: push) { axis * (recoil * strength * sine(3.1416 * $0 / push)) }
        time += random.number(1.2...3)
      }
    }
  }

  private mutating func pickUp(at time: Double) {
    let up = (gravity.first ?? Vector(0, 0, standardGravity)) * (1 / standardGravity)
    let (length, strength) = (random.number(0.3...0.9), random.number(1.5...9))
    let path = up + direction() * 0.7
    move(at: time, for: length) { path * (strength * sine(6.2832 * $0 / length)) }
    let (axis, angle) = (direction(), random.number(0.3...2.2))
    turn(at: time, for: length, about: axis) { angle * (0.5 - 0.5 * cosine(3.1416 * $0 / length)) }
  }
}
