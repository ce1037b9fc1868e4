/// An acceleration at a time, in seconds since the last restart of the recogniser.
struct TimedForce {
  var time: Double
  /// The acceleration in m/s², gravity included.
  var force: Vector
}

/// Averages the samples of a fast sensor over 8 ms, which bounds the work per second. Samples of 100 Hz and slower sensors
/// pass unchanged.
struct Decimator {
  /// The time that is averaged, in seconds: a little less than the sample period of a 100 Hz sensor.
  private static let span = 0.008

  private var first = 0.0
  private var timeSum = 0.0
  private var forceSum = Vector.zero
  private var count = 0.0

  /// Adds the next sample; returns the average of the samples before it once they cover the span.
  mutating func take(_ sample: TimedForce) -> TimedForce? {
    var average: TimedForce?
    if count > 0, sample.time - first >= Self.span {
      average = TimedForce(time: first + timeSum / count, force: forceSum * (1 / count))
      (timeSum, forceSum, count) = (0, .zero, 0)
    }
    if count == 0 { first = sample.time }
    timeSum += sample.time - first
    forceSum = forceSum + sample.force
    count += 1
    return average
  }
}
