package import Gestures
import Randomness

/// An accelerometer with the faults that real ones have.
package struct Sensor: Sendable {
  /// Samples in a second.
  package var rate = 100.0
  /// The largest acceleration along an axis that it can tell, in m/s².
  package var range = 78.4
  /// What it multiplies everything with.
  package var scale = 1.0
  package var noise = 0.05
  /// The part of the samples that is lost.
  package var loss = 0.0
  /// How far a time stamp may be off, in seconds.
  package var jitter = 0.0
  /// The part of the samples that bear the time of the one before.
  package var repeats = 0.0
  /// How often a second the sensor says nothing for a tenth of one.
  package var gaps = 0.0

  package init() {}

  /// What the sensor reports of a scene.
  package func samples(of scene: Scene) -> [AccelerationSample] {
    var wire = Wire(sensor: self, random: scene.random)
    // A sensor averages over about half of its period.
    let half = Int((Scene.rate / rate / 4).rounded(.down))
    for number in 0..<Int(scene.duration * rate) {
      let middle = Int(Double(number) * Scene.rate / rate)
      var sum = Vector.zero
      let window = max(0, middle - half)...min(scene.motion.count - 1, middle + half)
      for index in window { sum = sum + scene.motion[index] + scene.gravity[index] }
      let felt = sum * (1 / Double(window.count))
      wire.put(felt, at: Double(number) / rate)
    }
    return wire.samples
  }

  /// What this sensor would have reported where another one made a recording: resampled to its rate where that is the
  /// lower one, and with its faults.
  package func samples(of recording: [AccelerationSample]) -> [AccelerationSample] {
    guard let first = recording.first, let last = recording.last, last.time > first.time else { return recording }
    var wire = Wire(sensor: self, random: SeededRandom(seed: UInt64(recording.count)))
    let span = Double(last.time - first.time) * 1e-9
    guard rate * span < Double(recording.count - 1) * 0.98 else {
      for sample in recording { wire.put(sample.vector, at: Double(sample.time - first.time) * 1e-9) }
      return wire.samples
    }
    var index = 0
    for number in 0..<Int(span * rate) {
      let time = first.time + Int64(Double(number) / rate * 1e9)
      while index + 2 < recording.count, recording[index + 1].time <= time { index += 1 }
      let (a, b) = (recording[index], recording[index + 1])
      let part = b.time > a.time ? Double(time - a.time) / Double(b.time - a.time) : 0
      wire.put(a.vector + (b.vector - a.vector) * min(1, max(0, part)), at: Double(number) / rate)
    }
    return wire.samples
  }
}

/// From the sensor's feeling to what arrives: its faults.
private struct Wire {
  let sensor: Sensor
  var random: SeededRandom
  var samples: [AccelerationSample] = []
  private var silentUntil = 0.0

  private static let gap = 0.1

  init(sensor: Sensor, random: SeededRandom) {
    self.sensor = sensor
    self.random = random
  }

  mutating func put(_ force: Vector, at time: Double) {
    let noise = Vector(random.normal(), random.normal(), random.normal()) * sensor.noise
    if sensor.gaps > 0, random.happens(sensor.gaps / sensor.rate) { silentUntil = time + Self.gap }
    if time < silentUntil || sensor.loss > 0 && random.happens(sensor.loss) { return }
    let stamp = time + (sensor.jitter > 0 ? random.number(-sensor.jitter...sensor.jitter) : 0)
    var felt = force * sensor.scale + noise
    for axis in 0..<3 { felt[axis] = min(sensor.range, max(-sensor.range, felt[axis])) }
    let isRepeated = sensor.repeats > 0 && random.happens(sensor.repeats)
    let last = isRepeated ? samples.last?.time : nil
    samples.append(AccelerationSample(time: last ?? Int64((stamp + 1) * 1e9), felt))
  }
}
