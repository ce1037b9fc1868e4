/// Puts a sensor right that states a wrong scale: what lies still feels 1 g, whatever it says.
///
/// Drivers are known that are ten times off (an integer division in amd_sfh); one that feels 1 g within a fifth is left as
/// it is.
public struct GravityScale: Sendable {
  /// Standard gravity in m/s².
  package static let gravity = 9.80665

  /// Within this part of 1 g a sensor is right enough.
  private static let tolerance = 0.2
  /// What stays within this part of its first value, for so many nanoseconds and so many samples, lies still.
  private static let stillness = 0.06
  private static let duration: Int64 = 1_000_000_000
  private static let fewest = 8.0
  /// Changes by less than this part are noise of the sensor.
  private static let step = 0.05
  /// What feels less than this, in m/s², falls, or has nothing to say.
  private static let least = 0.15
  /// Further off than this no scale is; it is a sensor that does not work.
  private static let furthest = 60.0

  /// By how much samples are multiplied: 1 for a sensor that states its scale right.
  public private(set) var factor = 1.0

  private var first: AccelerationSample?
  private var sum = Vector.zero
  private var count = 0.0

  public init() {}

  /// The sample as it should have been; `onChange` runs first where that differs from what was said up to now, which has
  /// nothing to do with it then.
  public mutating func scaled(_ sample: AccelerationSample, onChange: () -> Void) -> AccelerationSample {
    let before = factor
    learn(from: sample)
    if factor != before { onChange() }
    return factor == 1 ? sample : AccelerationSample(time: sample.time, sample.vector * factor)
  }

  private mutating func learn(from sample: AccelerationSample) {
    guard let first, let length = sample.time.elapsed(since: first.time),
      (sample.vector - first.vector).squared <= first.vector.squared * Self.stillness * Self.stillness
    else {
      (self.first, sum, count) = (sample, sample.vector, 1)
      return
    }
    sum = sum + sample.vector
    count += 1
    guard length >= Self.duration, count >= Self.fewest else { return }
    let felt = sum.length / count
    self.first = nil
    guard felt.isFinite, felt >= Self.least, felt <= Self.gravity * Self.furthest else { return }
    let isRight = abs(felt - Self.gravity) <= Self.gravity * Self.tolerance
    let right = isRight ? 1 : Self.gravity / felt
    if abs(right - factor) > factor * Self.step { factor = right }
  }
}
