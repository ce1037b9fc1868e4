/// Recognises the shakes of a device whose accelerometer is an event node: a game controller, a Wii Remote, the motion
/// sensor that protects a laptop's disk.
struct MotionRecognizer: Sendable {
  private(set) var scale = GravityScale()
  private var frames: AccelerationFrames
  private var shakes: ShakeRecognizer
  private let isBound: Bool

  /// Nil if the device is no accelerometer.
  init?(_ device: DeviceDescription, interests: [Interest], parameters: ShakeParameters) {
    guard let frames = AccelerationFrames(device) else { return nil }
    self.frames = frames
    isBound = interests.contains { $0.kind == .shake }
    shakes = ShakeRecognizer(parameters: parameters)
  }

  /// Whether no shake is in progress.
  var isAtRest: Bool { shakes.isAtRest }

  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    if frame.isResync { shakes.cancel() }
    for sample in frames.samples(frame) {
      let scaled = scale.scaled(sample) { shakes.cancel() }
      guard let shake = shakes.handle(scaled) else { continue }
      output.emit(Gesture(kind: .shake, time: shake.time), isBound: isBound)
    }
  }

  /// Ignores motion until `time`, because the device itself vibrates.
  mutating func ignore(until time: Int64) { shakes.ignore(until: time) }

  mutating func cancel() {
    shakes.cancel()
    frames.cancel()
  }
}

/// Corrects a sensor that states a wrong scale: at rest every sensor measures 1 g.
///
/// Drivers are known that are ten times off (an integer division in amd_sfh). A sensor that measures 1 g within a fifth
/// is not corrected.
public struct GravityScale: Sendable {
  /// Standard gravity in m/s².
  package static let gravity = 9.80665

  /// The largest relative error of a sensor that is not corrected.
  private static let tolerance = 0.2
  /// The largest deviation from the first sample at rest, as a fraction of that sample.
  private static let stillness = 0.06
  private static let duration: Int64 = 1_000_000_000
  private static let fewest = 8.0
  /// The smallest relative change of the factor; a smaller change is noise of the sensor.
  private static let step = 0.05
  /// The smallest measurement at rest, in m/s². A smaller one comes from a falling sensor, or from one that does not
  /// measure.
  private static let least = 0.15
  /// The largest measurement at rest, as a multiple of 1 g. A larger one comes from a defective sensor.
  private static let furthest = 60.0

  /// The factor for samples: 1 for a sensor that states the right scale.
  public private(set) var factor = 1.0

  private var first: AccelerationSample?
  private var sum = Vector.zero
  private var count = 0.0

  public init() {}

  /// The corrected sample. Calls `onChange` first if the factor has changed, because earlier samples are not comparable
  /// then.
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
