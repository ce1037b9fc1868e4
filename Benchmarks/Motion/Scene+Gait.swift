import Gestures
import Randomness

/// Where somebody who walks or runs carries the device.
package enum Carrying: String, CaseIterable, Sendable {
  case hand, swingingArm, pocket, bag, belt
}

extension Scene {
  /// Walks at `steps` in a second, from `start` on.
  package mutating func walk(_ carrying: Carrying, steps: Double, vigour: Double, at start: Double, for length: Double)
  {
    let up = (gravity.first ?? Vector(0, 0, standardGravity)) * (1 / standardGravity)
    let ahead = direction(across: up)
    let side = up.cross(ahead)
    let lift = vigour * random.number(1.2...3.5) * (carrying == .hand ? 0.6 : 1)
    let heel = carrying == .hand || carrying == .swingingArm ? 0.5 : 1
    let swing = carrying == .pocket ? random.number(3...8) : carrying == .swingingArm ? random.number(3...9) : 0.8
    let (phase2, phase3) = (random.number(0...6.2832), random.number(0...6.2832))
    move(at: start, for: length) { time in
      let step = 6.2832 * steps * time
      let vertical = lift * (sine(step) + 0.45 * sine(2 * step + phase2) + 0.2 * sine(3 * step + phase3))
      let forward = 0.6 * lift * sine(step + phase3) + vigour * swing * sine(step / 2)
      return up * vertical + ahead * forward + side * (0.5 * lift * sine(step / 2 + phase2))
    }
    footfalls(carrying, every: 1 / steps, strength: vigour * heel * random.number(3...11), at: start, for: length)
    sway(carrying, steps: steps, by: carrying == .pocket ? random.number(0.2...0.5) : 0.15, at: start, for: length)
  }

  /// Runs at `steps` in a second: between two steps, nothing carries the body.
  package mutating func run(_ carrying: Carrying, steps: Double, vigour: Double, at start: Double, for length: Double) {
    let up = (gravity.first ?? Vector(0, 0, standardGravity)) * (1 / standardGravity)
    let ahead = direction(across: up)
    let side = up.cross(ahead)
    let duty = random.number(0.5...0.75)
    let peak = standardGravity * 1.5708 / duty
    let give = carrying == .hand || carrying == .swingingArm ? random.number(0.5...0.9) : random.number(0.8...1.1)
    let swing = carrying == .pocket || carrying == .swingingArm ? random.number(5...15) : 2
    let loose = random.number(0...0.35)
    let wobble = random.number(6...12)
    let phase2 = random.number(0...6.2832)
    let unevenness = random.number(0...0.25)
    move(at: start, for: length) { time in
      let cycle = time * steps
      let step = cycle.rounded(.down)
      let part = cycle - step
      let side2 = step.remainder(dividingBy: 2) == 0 ? 1 + unevenness : 1 - unevenness
      let stance = part < duty ? peak * side2 * sine(3.1416 * part / duty) - standardGravity : -standardGravity
      let ring = loose * peak * exponential(-part * 4) * sine(6.2832 * wobble * part / steps)
      let brake = part < duty ? -0.3 * peak * sine(6.2832 * part / duty) : 0
      let legs = swing * (sine(3.1416 * cycle) + 0.4 * sine(6.2832 * cycle + phase2))
      return (up * (stance * give) + ahead * (brake + legs + ring) + side * (2 * sine(3.1416 * cycle + phase2)))
        * vigour
    }
    footfalls(carrying, every: 1 / steps, strength: vigour * random.number(5...25), at: start, for: length)
    sway(carrying, steps: steps, by: carrying == .pocket ? random.number(0.2...0.6) : 0.2, at: start, for: length)
  }

  private mutating func footfalls(
    _ carrying: Carrying, every period: Double, strength: Double, at start: Double, for length: Double
  ) {
    let up = (gravity.first ?? Vector(0, 0, standardGravity)) * (1 / standardGravity)
    let tilt = direction(across: up) * random.number(0...0.8)
    var time = start + random.number(0...period)
    while time < start + length {
      strike(
        at: time, along: up + tilt, strength: strength * random.factor(0.5...1.6), lasting: random.number(0.02...0.06))
      time += period * (1 + 0.03 * random.normal())
    }
  }

  /// The turning to and fro of a thigh or an arm, at half the steps' rate.
  private mutating func sway(
    _ carrying: Carrying, steps: Double, by angle: Double, at start: Double, for length: Double
  ) {
    let axis = direction()
    turn(at: start, for: length, about: axis) { angle * sine(3.1416 * steps * $0) }
  }
}
