internal import Glibc

/// The recent strength of the device's swings, such as in a runner's pocket: a shake must stand out from it.
struct MotionBaseline {
  /// The time over which energy is averaged, in seconds.
  private static let span = 1.0
  /// The longest part of a swing that counts, in seconds. The rest of a longer swing was calm.
  private static let longestSwing = 0.25

  private var energy: Double
  private var time: Double

  /// - Parameter strength: the strength of the strokes that are assumed before `time`, in m/s².
  init(strength: Double, at time: Double) {
    energy = strength * strength
    self.time = time
  }

  /// Adds a swing that is not part of a possible shake.
  mutating func add(_ swing: Swing) {
    let part = 1 - exp(-min(swing.duration, Self.longestSwing) / Self.span)
    energy = energy * exp(-max(0, swing.end.time - time) / Self.span) + swing.length * swing.length / 4 * part
    time = swing.end.time
  }

  /// The strength of strokes with the average energy, in m/s².
  func strength(at time: Double) -> Double { (energy * exp(-max(0, time - self.time) / Self.span)).squareRoot() }

  /// Keeps the present strength until `time`.
  mutating func hold(until time: Double) { self.time = max(self.time, time) }
}
