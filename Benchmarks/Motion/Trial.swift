import Randomness

/// A motion to be judged, and how often it should count.
package struct Trial: Sendable {
  /// What happens in it, as the score's rows call it.
  package let group: String
  /// When the device is shaken, in seconds from the beginning.
  package let shakes: [ClosedRange<Double>]
  package let scene: Scene
  /// What it was made with, in a few words.
  package let note: String

  package var duration: Double { scene.duration }
}

/// Motions of every kind, from a seed: the same ones at every run.
package struct Trials: Sequence, Sendable {
  private var makers: [(group: String, seed: UInt64)] = []

  /// - Parameter size: how many of each kind; 1 is enough for a test.
  package init(seed: UInt64, size: Int) {
    var random = SeededRandom(seed: seed)
    for (group, count) in Self.groups {
      for _ in 0..<count * size { makers.append((group, random.next())) }
    }
  }

  /// The kinds of motion, and how many of each belong together.
  package static let groups: [(name: String, count: Int)] =
    [
      ("shake", 25), ("shake, other hands", 10), ("shake, walking", 8), ("shake, running", 8), ("walking", 4),
      ("running", 4),
    ]
    + Incident.allCases.map { ($0.rawValue, 2) }

  package func makeIterator() -> AnyIterator<Trial> {
    var index = 0
    return AnyIterator {
      guard index < makers.count else { return nil }
      defer { index += 1 }
      return Self.trial(makers[index].group, seed: makers[index].seed)
    }
  }

  package static func trial(_ group: String, seed: UInt64) -> Trial {
    var random = SeededRandom(seed: seed)
    let carrying = Carrying.allCases[random.whole(0...Carrying.allCases.count - 1)]
    let vigour = random.number(0.7...1.3)
    if let incident = Incident(rawValue: group) {
      var scene = Scene(duration: 12, random: random)
      scene.tremble(random.number(0.05...0.5))
      scene.happen(incident)
      return Trial(group: group, shakes: [], scene: scene, note: "")
    }
    switch group {
    case "shake, other hands":
      var scene = Scene(duration: 8, random: random)
      scene.tremble(random.number(0...1))
      let (shake, note) = scene.shakeOtherwise(ShakingHand(&random), at: scene.random.number(3...4))
      return Trial(group: group, shakes: [shake], scene: scene, note: note)
    case "walking":
      var scene = Scene(duration: 30, random: random)
      let start = random.number(0...3)
      scene.walk(carrying, steps: random.number(1.4...2.4), vigour: vigour, at: start, for: 26)
      return Trial(group: group, shakes: [], scene: scene, note: carrying.rawValue)
    case "running":
      var scene = Scene(duration: 60, random: random)
      let start = random.number(0...3)
      scene.run(carrying, steps: random.number(2.3...3.3), vigour: vigour * 0.8, at: start, for: 56)
      return Trial(group: group, shakes: [], scene: scene, note: carrying.rawValue)
    default:
      var scene = Scene(duration: 10, random: random)
      scene.tremble(random.factor(0.05...1))
      let held: Carrying = random.happens(0.5) ? .hand : .swingingArm
      let start = scene.random.number(3.5...5)
      if group == "shake, walking" {
        scene.walk(held, steps: random.number(1.4...2.4), vigour: vigour, at: 0, for: 10)
      } else if group == "shake, running" {
        scene.run(held, steps: random.number(2.3...3.3), vigour: vigour * 0.8, at: 0, for: 10)
      }
      var hand = ShakingHand(&random)
      // Nobody can tell a shake from a run that is the stronger of the two.
      if group == "shake, running" { hand.strength = Swift.max(hand.strength, 30) }
      let end = scene.shake(hand, at: start)
      return Trial(group: group, shakes: [start...end], scene: scene, note: hand.words)
    }
  }
}
