import Gestures
import Randomness

/// Ways to shake that the hands of `ShakingHand` do not have: a recogniser that counts these has not merely learnt those.
package enum OtherHand: String, CaseIterable, Sendable {
  /// An even swinging, that begins and ends at once.
  case even
  /// One that swells and dies away.
  case swelling
  /// A turn of the wrist or the arm: what is at its end is pulled inwards as well.
  case lever
  /// The device is turned over meanwhile.
  case turning
  /// One way firmly, the other way less so.
  case lopsided
  /// Taken up, shaken at once, and put away.
  case inPassing = "in passing"
}

extension Scene {
  /// Shakes the device from `start` on in one of these ways; gives when it is shaken, and how in a few words.
  package mutating func shakeOtherwise(_ hand: ShakingHand, at start: Double) -> (ClosedRange<Double>, String) {
    let kind = OtherHand.allCases[random.whole(0...OtherHand.allCases.count - 1)]
    let length = Double(hand.swings) / hand.frequency
    let axis = direction()
    let across = direction(across: axis)
    let about = axis.cross(across)
    let angle = random.number(0.2...0.8)
    let weaker = kind == .lopsided ? random.number(0.5...1) : 1
    move(at: start, for: length) { time in
      let part = time / length
      let envelope = kind == .even ? 1 : kind == .swelling ? sine(3.1416 * part) : min(1, 0.5 + 3 * min(part, 1 - part))
      let phase = 6.2832 * hand.frequency * time
      let swing = sine(phase) * (sine(phase) < 0 ? weaker : 1)
      let way = kind == .turning ? axis * cosine(angle * part * 2) + across * sine(angle * part * 2) : axis
      let inwards = kind == .lever ? across * (angle * cosine(phase) * cosine(phase)) : .zero
      return (way * swing + inwards) * (hand.strength * envelope)
    }
    switch kind {
    case .lever: turn(at: start, for: length, about: about) { angle * sine(6.2832 * hand.frequency * $0) }
    case .turning: turn(at: start, for: length, about: about) { angle * 2 * $0 / length }
    case .inPassing:
      for time in [start - 0.6, start + length + 0.1] {
        let path = direction()
        move(at: time, for: 0.6) { path * (4 * sine(6.2832 * $0 / 0.6)) }
        turn(at: time, for: 0.6, about: direction()) { angle * (1 - cosine(3.1416 * $0 / 0.6)) }
      }
    case .even, .swelling, .lopsided: break
    }
    return (start...start + length, "\(kind.rawValue), \(hand.words)")
  }
}
