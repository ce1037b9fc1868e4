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

  /// What a sensor of 100 Hz feels of a motor that turns 106 times a second.
  mutating func vibrate(for seconds: Double) { shake(strokes: Int(seconds * 12), strength: 14, frequency: 6) }

  /// Does what a script says: "rest 1, shake 6 20 4" rests for a second, and makes 6 strokes of 20 m/s² 4 times a second;
  /// "ignore 1" has the device's own motor run for a second, and "vibrate 0.1" is what is felt of it.
  init(_ script: String, _ parameters: ShakeParameters = .firm, axis: Vector = Vector(1, 0, 0)) {
    self.init(parameters, axis: axis)
    for step in script.split(separator: ",") {
      let words = step.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Double($0) }
      let (strength, frequency) = (numbers.count > 1 ? numbers[1] : 20, numbers.count > 2 ? numbers[2] : 4)
      switch words[0] {
      case "rest": rest(for: numbers[0])
      case "shake": shake(strokes: Int(numbers[0]), strength: strength, frequency: frequency)
      case "ignore": recognizer.ignore(until: Int64((now + numbers[0]) * 1e9))
      case "vibrate": vibrate(for: numbers[0])
      case "cancel": recognizer.cancel()
      case "stall": now += numbers[0]
      default: fatalError("what is \"\(step)\"?")
      }
    }
  }

  /// The sine of an angle given in whole turns; good to a hundredth, which is enough of a sine for a hand.
  private static func sine(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    let half = part < 0.5 ? part * 2 : part * 2 - 1
    let bow = 4 * half * (1 - half)
    return (part < 0.5 ? 1 : -1) * (0.225 * (bow * bow - bow) + bow)
  }

  /// A swing to and fro in straight lines, after so many turns.
  static func triangle(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    return part < 0.25 ? part * 4 : part < 0.75 ? 2 - part * 4 : part * 4 - 4
  }
}
