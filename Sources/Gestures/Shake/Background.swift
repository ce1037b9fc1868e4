/// How strongly the device moved in the seconds before, such as in somebody's gait: what a shake must stand out from.
struct Background {
  /// How far back it begins, in steps: a shake is recognised within that time and so does not hide itself.
  private static let delay = 120
  /// Over how long it is averaged, in seconds.
  private static let span = 1.5

  private var recent = [Double](repeating: 0, count: delay)
  private var next = 0
  private(set) var energy = 0.0

  /// The strength of an even swinging with the same energy.
  var strength: Double { (2 * energy).squareRoot() }

  /// Takes a step in. `isShaken` says that a shake was recognised and goes on: that is no background.
  mutating func take(_ squared: Double, isShaken: Bool) {
    let before = recent[next]
    recent[next] = isShaken ? min(squared, energy) : squared
    next = (next + 1) % Self.delay
    energy += (before - energy) * (EvenSteps.step / Self.span)
  }

  /// Forgets what is not yet old enough to count: it was a shake.
  mutating func forgetRecent() {
    for index in recent.indices { recent[index] = min(recent[index], energy) }
  }

  mutating func reset() {
    for index in recent.indices { recent[index] = 0 }
    (next, energy) = (0, 0)
  }
}
