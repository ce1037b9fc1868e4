package import Gestures

/// How an algorithm did on some trials.
package struct Score: Sendable {
  /// Shakes that counted, and those that there were.
  package var found = 0
  package var shakes = 0
  /// Counts of a shake beyond its first one.
  package var doubles = 0
  /// Counts where nothing was shaken, the doubles not among them.
  package var wrong = 0
  /// For how many seconds it was listened to.
  package var seconds = 0.0
  /// From each found shake's beginning to its count, in seconds.
  package var latencies: [Double] = []

  package init() {}

  /// Judges the moments at which an algorithm counted, in seconds. A shake may count until half a second after its end.
  package mutating func add(counts: [Double], shakes: [ClosedRange<Double>], duration: Double) {
    self.shakes += shakes.count
    seconds += duration
    var isFound = shakes.map { _ in false }
    for count in counts {
      guard let index = shakes.firstIndex(where: { $0.lowerBound <= count && count <= $0.upperBound + 0.5 }) else {
        wrong += 1
        continue
      }
      if isFound[index] {
        doubles += 1
      } else {
        isFound[index] = true
        found += 1
        latencies.append(count - shakes[index].lowerBound)
      }
    }
  }

  /// Judges the number of counts in a whole recording.
  package mutating func add(counts: Int, in entry: RecordingFolder.Entry) {
    seconds += entry.duration
    guard entry.isShaken == true else {
      wrong += counts
      return
    }
    let expected = entry.shakes ?? 1
    shakes += expected
    found += min(counts, expected)
    // Where nobody knows how often it was shaken, further counts are neither right nor wrong.
    if entry.shakes != nil { doubles += max(0, counts - expected) }
  }

  package static func + (a: Score, b: Score) -> Score {
    var sum = a
    sum.found += b.found
    sum.shakes += b.shakes
    sum.doubles += b.doubles
    sum.wrong += b.wrong
    sum.seconds += b.seconds
    sum.latencies += b.latencies
    return sum
  }

  /// The part of the counts that were right.
  package var precision: Double { ratio(found, found + doubles + wrong) }
  /// The part of the shakes that counted.
  package var recall: Double { ratio(found, shakes) }
  /// Their harmonic mean.
  package var f1: Double { precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0 }
  package var wrongPerMinute: Double { seconds > 0 ? Double(wrong) * 60 / seconds : 0 }

  /// The latency that this part of the shakes does not exceed.
  package func latency(_ part: Double) -> Double? {
    guard !latencies.isEmpty else { return nil }
    return latencies.sorted()[min(latencies.count - 1, Int(part * Double(latencies.count)))]
  }

  private func ratio(_ part: Int, _ whole: Int) -> Double { whole > 0 ? Double(part) / Double(whole) : 1 }
}

/// The moments at which an algorithm counts, in seconds from the first sample.
package func counts(of counter: some ShakeCounter, in samples: [AccelerationSample]) -> [Double] {
  var counter = counter
  // The sensors of the trials begin at one second.
  return samples.compactMap { counter.counts($0) ? Double($0.time) * 1e-9 - 1 : nil }
}
