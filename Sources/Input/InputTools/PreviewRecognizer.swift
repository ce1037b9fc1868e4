package import Bindings
package import Gestures

/// Recognises the gestures that a device's rule binds, and the gestures that could be bound: double-taps and others
/// that a recogniser reports only if they are bound.
///
/// Bound gestures are the same as in the gesture daemon: they do not wait for unbound gestures.
package struct PreviewRecognizer {
  private var bound: DeviceRecognizer
  private var further: DeviceRecognizer
  private let interests: [Interest]

  /// - Parameter rule: the rule that applies to the device.
  package init(_ description: DeviceDescription, by rule: AppliedRule) {
    bound = rule.recognizer(for: description)
    interests = rule.interests
    further = DeviceRecognizer(
      description: description, interests: Self.interests(rule.timing), timing: rule.timing,
      calibration: rule.calibration, size: rule.size)
  }

  /// The time at which `advance` must be called if no frame comes before; nil while nothing waits.
  package var nextDeadline: Int64? { [bound.nextDeadline, further.nextDeadline].compactMap(\.self).min() }

  /// Handles one frame; see ``DeviceRecognizer/handle(_:)``.
  package mutating func handle(_ frame: Frame) -> [Gesture] {
    let gestures = bound.handle(frame) + unbound(further.handle(frame))
    return gestures + bound.reports.compactMap { $0.press(at: frame.time) }
  }

  /// Advances to `time` without events.
  package mutating func advance(to time: Int64) -> [Gesture] {
    bound.advance(to: time) + unbound(further.advance(to: time))
  }

  /// The reports of the last call, except those of buttons without a key, which can be bound by their scan code.
  package var reports: [InputReport] { bound.reports.filter { $0.kind != .loneScan } }

  private func unbound(_ gestures: [Gesture]) -> [Gesture] {
    gestures.filter { gesture in
      let isTouch = Self.touches.contains(gesture.kind) && gesture.key == nil
      return isTouch || gesture.kind == .tap && gesture.fingers > 1
        || gesture.key != nil && Self.presses.contains(gesture.kind)
    }.filter { gesture in !interests.contains { $0.matches(gesture) } }
  }

  private static let touches = Gesture.Kind.tap.repeats + [.longPress]
  private static let presses = Gesture.Kind.press.repeats + [.longPress]

  /// An eager interest in each kind of touch and press, anywhere.
  private static func interests(_ timing: Timing) -> [Interest] {
    var timing = timing
    timing.mode = .eager
    return (touches + [.tap]).flatMap { kind in
      (1...5).map { Interest(kind, .touch(fingers: $0, zone: nil), timing: timing) }
    }
      + presses.map { Interest($0, .keys(codes: [], scans: []), timing: timing) }
  }
}
