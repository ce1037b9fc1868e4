import Gestures
import Glibc
import InputDevices
import Linux

/// `tally-input tune` of an accelerometer: measures a person's shakes, and compares them with the thresholds.
final class ShakeTuner {
  private let loop: EventLoop
  private let node: DeviceNode
  private var scale = GravityScale()
  private var trial = ShakeTrial()
  private var end: String?

  /// The smallest number of shakes.
  private static let times = 5
  private static let turn: UInt64 = 50_000

  init(_ node: DeviceNode) throws {
    loop = try EventLoop()
    self.node = node
  }

  func run() throws {
    // Installed before the sensor is enabled: the handlers exit, which disables the sensor.
    let ends = try [SIGINT, SIGTERM, SIGHUP].map { signal in try loop.onSignal(signal) { exit(128 + signal) } }
    let listener = try MotionListener(
      loop: loop, node: node,
      onSamples: { [unowned self] samples in
        for sample in samples {
          let scaled = scale.scaled(sample) { trial.cancel() }
          guard let result = trial.take(scaled) else { continue }
          say(ShakeTrial.text(result, number: trial.results.count))
        }
      }, onEnd: { [unowned self] in end = $0 })
    say(
      """
      Hold the device still for a moment; then shake it as you will to count, \(Self.times) times, with a rest after each.
      """)
    try withExtendedLifetime((listener, ends)) {
      while trial.results.count < Self.times {
        _ = try loop.runOnce(waiting: Self.turn)
        if let end { throw RecordingError("\(node.path): \(end).") }
      }
    }
    say(ShakeTrial.advice(trial.results))
  }

  private func say(_ text: String) { StandardOutput.line(text) }
}
