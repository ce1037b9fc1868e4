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

  private var recent = [Double](repeating: 0, count: delay)
  private var next = 0
  private var energy = 0.0
  private var present = 0.0
  private var late = 0.0
  private var restSteps = 0
  private var steps = 0

  /// The strength of an even swinging with the same energy.
  var strength: Double { (2 * energy).squareRoot() }

  /// The same for the motion up to now; nil while there was too little.
  var strengthLately: Double? { steps >= Self.few ? (2 * late).squareRoot() : nil }

  /// Whether it was listened to for long enough to be relied on.
  var isKnown: Bool { steps >= Self.enough }

  /// Whether the device is at rest, or moves about as much as it did before a shake.
  var isCalm: Bool { restSteps > 0 || present < Self.asBefore * energy }

  /// Takes a step in; `quiet` in m/s² is the most that is rest. `isShaken` says that a shake was recognised and goes on: that is no background.
  mutating func take(_ squared: Double, isShaken: Bool, quiet: Double) {
    steps = min(steps + 1, Self.enough)
    late += (squared - late) * max(EvenSteps.step / Self.lately, 1 / Double(steps))
    present += (squared - present) * (EvenSteps.step / Self.moment)
    restSteps = squared < quiet * quiet ? min(restSteps + 1, Self.rest) : 0
    if restSteps == Self.rest { forget() }
    let before = recent[next]
    recent[next] = isShaken ? min(squared, energy) : squared
    next = (next + 1) % Self.delay
    energy += (before - energy) * (EvenSteps.step / Self.span)
  }

  /// Forgets what is not yet old enough to count: it was a shake.
  mutating func forgetRecent() {
    for index in recent.indices { recent[index] = min(recent[index], energy) }
  }

  /// Begins afresh.
  mutating func reset() {
    forget()
    (present, late, restSteps, steps) = (0, 0, 0, 0)
  }

  private mutating func forget() {
    for index in recent.indices { recent[index] = 0 }
    energy = 0
  }
}
