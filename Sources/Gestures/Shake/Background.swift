/// How strongly the device moved in the seconds before, such as in somebody's gait: what a shake must stand out from.
struct Background {
  /// How far back it begins, in steps: a shake is recognised within that time and so does not hide itself.
  private static let delay = 120
  /// Over how long it is averaged, in seconds.
  private static let span = 1.5
  /// Over how long the motion of this moment is averaged, in seconds, where it never rests: turning points are no calm.
  private static let moment = 0.15
  /// Over how long the motion just before a chain of strokes is averaged, in seconds.
  private static let lately = 0.6
  /// So many steps after it began, it can say what was lately.
  private static let few = 30
  /// After so many steps of rest, what was before is over: nobody who runs is at rest for so long.
  private static let rest = 50
  /// Up to this many times the energy of before is about as much.
  private static let asBefore = 1.4

  /// So many steps after it began, it has seen enough to say that there was nothing.
  private static let enough = delay + 150

  private var recent = [Vector](repeating: .zero, count: delay)
  private var next = 0
  private var present = 0.0
  private var late = Spread()
  private var restSteps = 0
  private var steps = 0

  /// The energy of each step in the seconds before, on average.
  private(set) var energy = Spread()

  /// The same for the motion up to now; nil while there was too little.
  var lately: Spread? { steps >= Self.few ? late : nil }

  /// Whether it was listened to for long enough to be relied on.
  var isKnown: Bool { steps >= Self.enough }

  /// Whether the device is at rest, or moves about as much as it did before a shake.
  var isCalm: Bool { restSteps > 0 || present < Self.asBefore * energy.all }

  /// Takes a step in, without gravity; `quiet` in m/s² is the most that is rest. `isShaken` says that a shake was
  /// recognised and goes on: that is no background.
  mutating func take(_ motion: Vector, isShaken: Bool, quiet: Double) {
    let squared = motion.squared
    steps = min(steps + 1, Self.enough)
    late.approach(motion, by: max(EvenSteps.step / Self.lately, 1 / Double(steps)))
    present += (squared - present) * (EvenSteps.step / Self.moment)
    restSteps = squared < quiet * quiet ? min(restSteps + 1, Self.rest) : 0
    if restSteps == Self.rest { forget() }
    let before = recent[next]
    recent[next] = isShaken ? limited(motion) : motion
    next = (next + 1) % Self.delay
    energy.approach(before, by: EvenSteps.step / Self.span)
  }

  /// No stronger than what was before.
  private func limited(_ motion: Vector) -> Vector {
    let (squared, most) = (motion.squared, energy.all)
    return squared > most ? motion * (most / squared).squareRoot() : motion
  }

  /// Forgets what is not yet old enough to count: it was a shake.
  mutating func forgetRecent() {
    for index in recent.indices { recent[index] = limited(recent[index]) }
  }

  /// Begins afresh.
  mutating func reset() {
    forget()
    (present, late, restSteps, steps) = (0, Spread(), 0, 0)
  }

  private mutating func forget() {
    for index in recent.indices { recent[index] = .zero }
    energy = Spread()
  }
}
