/// Recognises the shakes of a device whose accelerometer is an event node: a game controller, a Wii Remote, the guard of
/// a laptop's disk.
struct MotionRecognizer: Sendable {
  /// An event node tells what has changed, and so nothing while it lies still: after a longer silence than this, in
  /// nanoseconds, what was there is taken to have stayed.
  private static let silence: Int64 = 60_000_000
  /// As what stayed, this is looked at, and a sample every so often.
  private static let held: Int64 = 3_000_000_000
  private static let heldStep: Int64 = 50_000_000
  /// The last of them comes so long before the change.
  private static let lead: Int64 = 10_000_000

  private struct Axis {
    let code: UInt16
    /// In m/s² a unit.
    let scale: Double
    var value: Double = 0
  }

  private var axes: [Axis]
  private let isWished: Bool
  private var last: Int64?
  private(set) var scale = GravityScale()
  private var shakes: ShakeRecognizer

  /// Nil where the device is no accelerometer.
  init?(_ device: DeviceDescription, wishes: [Wish], parameters: ShakeParameters) {
    guard device.isAccelerometer, !device.isSensor else { return nil }
    axes = device.accelerationAxes.map { code in
      Axis(code: code, scale: GravityScale.gravity / device.unitsPerGravity(code))
    }
    isWished = wishes.contains { $0.kind == .shake }
    shakes = ShakeRecognizer(parameters: parameters)
  }

  /// Whether no shake is under way.
  var isAtRest: Bool { shakes.isAtRest }

  mutating func handle(_ frame: Frame, into output: inout GestureOutput) {
    if !frame.isResync { hold(until: frame.time, into: &output) }
    var isNews = false
    for event in frame.events where event.type == EventCode.absolute {
      guard let index = axes.firstIndex(where: { $0.code == event.code }) else { continue }
      axes[index].value = Double(event.value) * axes[index].scale
      isNews = true
    }
    if frame.isResync {
      shakes.cancel()
    } else if isNews {
      take(at: frame.time, into: &output)
    }
    if isNews { last = frame.time }
  }

  /// What was in progress was nothing.
  mutating func cancel() {
    shakes.cancel()
    last = nil
  }

  private mutating func hold(until time: Int64, into output: inout GestureOutput) {
    guard let last, let pause = time.elapsed(since: last), pause > Self.silence else { return }
    let end = time - Self.lead
    var step = max(last.later(by: Self.heldStep), end - Self.held)
    while step < end {
      take(at: step, into: &output)
      step += Self.heldStep
    }
    take(at: end, into: &output)
  }

  private mutating func take(at time: Int64, into output: inout GestureOutput) {
    let sample = scale.scaled(
      AccelerationSample(time: time, x: axes[0].value, y: axes[1].value, z: axes[2].value))
    guard let shake = shakes.handle(sample) else { return }
    output.give(Gesture(kind: .shake, time: shake.time), isWished: isWished)
  }
}
