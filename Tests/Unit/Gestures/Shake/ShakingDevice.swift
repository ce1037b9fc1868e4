import Gestures
import Motion

/// A device that is held still and shaken, with a clock of its own; collects the shakes.
struct ShakingDevice {
  var recognizer: ShakeRecognizer
  /// In seconds.
  var now = 1.0
  var shakes: [Shake] = []
  /// In seconds.
  let period: Double
  private let up = Vector(0, 0, 9.80665)
  private let axis: Vector

  init(_ parameters: ShakeParameters = .firm, rate: Double = 100, axis: Vector = Vector(1, 0, 0)) {
    recognizer = ShakeRecognizer(parameters: parameters)
    period = 1 / rate
    self.axis = axis
  }

  /// Feels something for one sample.
  mutating func feel(_ force: Vector) {
    now += period
    if let shake = recognizer.handle(AccelerationSample(time: Int64((now * 1e9).rounded()), force)) {
      shakes.append(shake)
    }
  }

  mutating func rest(for seconds: Double) {
    for _ in 0..<Int((seconds / period).rounded()) { feel(up) }
  }

  /// Makes strokes to and fro of the same strength, in m/s², each half of a swing.
  mutating func shake(strokes: Int, strength: Double = 20, frequency: Double = 4) {
    let count = Int((Double(strokes) / (2 * frequency) / period).rounded())
    for step in 0..<count {
      feel(up + axis * (strength * Self.sine(Double(step) * period * frequency)))
    }
  }

  /// The sine of an angle given in whole turns; good to a hundredth, which is enough of a sine for a hand.
  private static func sine(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    let half = part < 0.5 ? part * 2 : part * 2 - 1
    let bow = 4 * half * (1 - half)
    return (part < 0.5 ? 1 : -1) * (0.225 * (bow * bow - bow) + bow)
  }
}
