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

  /// Drops the shake in progress.
  mutating func cancel() {
    shakes.cancel()
    frames.cancel()
  }
}
