import Bindings
import Gestures
import InputDevices
import Linux

/// Shows live the measurements of an accelerometer, each bout of motion in a line, with its shakes.
final class MotionMonitor {
  private let rule: AppliedRule
  private let onLine: (String) -> Void
  private var scale = GravityScale()
  private var meter = ShakeMeter()
  private var recognizer: ShakeRecognizer
  private var listener: MotionListener?

  /// - Parameters:
  ///   - rule: the thresholds of a shake, and its action.
  ///   - onLine: receives each line.
  ///   - onEnd: receives the reason why no more samples will come.
  init(
    loop: EventLoop, node: DeviceNode, rule: AppliedRule, onLine: @escaping (String) -> Void,
    onEnd: @escaping (String) -> Void
  ) throws {
    self.rule = rule
    self.onLine = onLine
    recognizer = ShakeRecognizer(parameters: rule.shake)
    listener = try MotionListener(
      loop: loop, node: node, onSamples: { [unowned self] in take($0) }, onEnd: onEnd)
  }

  private func take(_ samples: [AccelerationSample]) {
    for sample in samples {
      let scaled = scale.scaled(sample) {
        recognizer.cancel()
        meter = ShakeMeter()
      }
      if let shake = recognizer.handle(scaled) {
        let action = rule.action(for: Gesture(kind: .shake, time: shake.time))
        onLine("shake" + (action.map { " → \($0)" } ?? ", bound to nothing"))
      }
      guard let measure = meter.take(scaled) else { continue }
      let (strength, time) = ((measure.strength * 10).rounded() / 10, (measure.strokeTime * 100).rounded() / 100)
      onLine("moved: \(measure.strokes) strokes, \(strength) m/s² on average, one every \(time) s")
    }
  }
}
