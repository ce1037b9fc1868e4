/// What was felt at one moment, on the way from the sensor to the recogniser.
struct Felt {
  /// Seconds since the recogniser last began afresh.
  var time: Double
  var force: Vector
  /// Which axes were at the end of the sensor's range, one bit each.
  var clipped: UInt8 = 0
}

/// Averages samples that lie closer together than the recogniser looks, so that a fast sensor sees as a slower one does:
/// a knock's ringing is gone, and a stamp that is a little off does no harm.
struct SampleMerger {
  /// A little less than the sample period of a 100 Hz sensor, whose samples thus pass as they are.
  private static let span = 0.008

  private var first = 0.0
  private var timeSum = 0.0
  private var forceSum = Vector.zero
  private var clipped: UInt8 = 0
  private var count = 0.0

  /// Takes the next sample; returns the average of those before it when they are complete.
  mutating func take(_ sample: Felt) -> Felt? {
    guard count > 0, sample.time - first >= Self.span else {
      if count == 0 { first = sample.time }
      add(sample)
      return nil
    }
    let average = Felt(
      time: first + timeSum / count, force: forceSum * (1 / count), clipped: clipped)
    (first, timeSum, forceSum, clipped, count) = (sample.time, 0, .zero, 0, 0)
    add(sample)
    return average
  }

  private mutating func add(_ sample: Felt) {
    timeSum += sample.time - first
    forceSum = forceSum + sample.force
    clipped |= sample.clipped
    count += 1
  }
}
