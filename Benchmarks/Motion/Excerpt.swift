package import Gestures

/// A single shake cut out of a recording in which a real device is shaken on and on, with rest put before and after.
package struct Excerpt: Sendable {
  package let samples: [AccelerationSample]
  /// When it is shaken, in seconds from the beginning.
  package let shake: ClosedRange<Double>

  private static let rest = 2.5
  /// What is moved less than this, as a mean in m/s², is a pause in the shaking.
  private static let weakest = 8.0

  /// The excerpts of this many seconds.
  package static func all(of entry: RecordingFolder.Entry, lasting length: Double) -> [Excerpt] {
    var excerpts: [Excerpt] = []
    var start = 0.5
    while start + length < entry.duration - 0.5 {
      if let excerpt = Excerpt(entry, from: start, lasting: length) { excerpts.append(excerpt) }
      start += 0.7
    }
    return excerpts
  }

  private init?(_ entry: RecordingFolder.Entry, from start: Double, lasting length: Double) {
    guard let first = entry.samples.first, let last = entry.samples.last, entry.samples.count > 1 else { return nil }
    let period = (last.time - first.time) / Int64(entry.samples.count - 1)
    func part(_ from: Double, _ to: Double) -> [Vector] {
      entry.samples.filter { (from..<to).contains(Double($0.time - first.time) * 1e-9) }.map(\.vector)
    }
    let shaken = part(start, start + length)
    // About the excerpt, the device was held as before and after.
    let mean = part(start - 0.5, start + length + 0.5).reduce(.zero, +)
    let pull = mean * (standardGravity / max(0.1, mean.length))
    let energy = shaken.reduce(0) { $0 + ($1 - pull).squared } / Double(max(1, shaken.count))
    guard energy.squareRoot() > Self.weakest else { return nil }
    let still = Array(repeating: pull, count: Int(Self.rest * 1e9) / Int(period))
    samples = (still + shaken + still).enumerated().map { index, force in
      AccelerationSample(time: 1_000_000_000 + Int64(index) * period, force)
    }
    let begin = Double(Int64(still.count) * period) * 1e-9
    shake = begin...begin + length
  }
}
