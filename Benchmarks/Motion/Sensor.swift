package import Gestures

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

  package init() {}

  /// What the sensor reports of a scene.
  package func samples(of scene: Scene) -> [AccelerationSample] {
    var random = scene.random
    // A sensor averages over about half of its period.
    let half = Int((Scene.rate / rate / 4).rounded(.down))
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(Int(scene.duration * rate) + 1)
    for number in 0..<Int(scene.duration * rate) {
      let middle = Int(Double(number) * Scene.rate / rate)
      var sum = Vector.zero
      let window = max(0, middle - half)...min(scene.motion.count - 1, middle + half)
      for index in window { sum = sum + scene.motion[index] + scene.gravity[index] }
      let felt = sum * (scale / Double(window.count))
      let noisy = felt + Vector(random.normal(), random.normal(), random.normal()) * noise
      append(to: &samples, time: Double(number) / rate, noisy, &random)
    }
    return samples
  }

  /// What this sensor would have reported where another one made a recording: resampled to its rate where that is the
  /// lower one, and with its faults.
  package func samples(of recording: [AccelerationSample]) -> [AccelerationSample] {
    guard let first = recording.first, let last = recording.last, last.time > first.time else { return recording }
    var random = SeededRandom(seed: UInt64(recording.count))
    let span = Double(last.time - first.time) * 1e-9
    let isFiner = rate * span < Double(recording.count - 1) * 0.98
    guard isFiner else {
      var samples: [AccelerationSample] = []
      for sample in recording {
        append(to: &samples, time: Double(sample.time - first.time) * 1e-9, sample.vector * scale, &random)
      }
      return samples
    }
    var samples: [AccelerationSample] = []
    var index = 0
    for number in 0..<Int(span * rate) {
      let time = first.time + Int64(Double(number) / rate * 1e9)
      while index + 2 < recording.count, recording[index + 1].time <= time { index += 1 }
      let (a, b) = (recording[index], recording[index + 1])
      let part = b.time > a.time ? Double(time - a.time) / Double(b.time - a.time) : 0
      let between = a.vector + (b.vector - a.vector) * min(1, max(0, part))
      append(to: &samples, time: Double(number) / rate, between * scale, &random)
    }
    return samples
  }

  private func append(
    to samples: inout [AccelerationSample], time: Double, _ vector: Vector, _ random: inout SeededRandom
  ) {
    if loss > 0, random.happens(loss) { return }
    let stamp = time + (jitter > 0 ? random.number(-jitter...jitter) : 0)
    var clipped = vector
    for axis in 0..<3 { clipped[axis] = min(range, max(-range, vector[axis])) }
    samples.append(AccelerationSample(time: Int64((stamp + 1) * 1e9), clipped))
  }
}
