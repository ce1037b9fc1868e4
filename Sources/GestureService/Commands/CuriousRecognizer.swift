package import Bindings
package import Gestures

/// Recognises what a device's rule speaks of, and beside it what nothing is bound to and could be: double-taps and other
/// gestures that are told only where somebody wishes for them.
///
/// What the rule speaks of comes exactly as it does in the gesture daemon; nothing waits because of the rest, which
/// comes on top of it.
package struct CuriousRecognizer {
  private var bound: DeviceRecognizer
  private var further: DeviceRecognizer
  private let wishes: [Wish]

  /// - Parameter rule: what applies to the device.
  package init(_ description: DeviceDescription, by rule: AppliedRule) {
    bound = rule.recognizer(for: description)
    wishes = rule.wishes
    further = DeviceRecognizer(
      description: description, wishes: Self.wishes(rule.timing), timing: rule.timing, calibration: rule.calibration)
  }

  /// When `advance` must be called if no frame comes before; nil while nothing waits.
  package var nextDeadline: Int64? { [bound.nextDeadline, further.nextDeadline].compactMap(\.self).min() }

  /// Takes one frame in; see ``DeviceRecognizer/handle(_:)``.
  package mutating func handle(_ frame: Frame) -> [Gesture] { bound.handle(frame) + unbound(further.handle(frame)) }

  /// Nothing was reported until `time`.
  package mutating func advance(to time: Int64) -> [Gesture] {
    bound.advance(to: time) + unbound(further.advance(to: time))
  }

  private func unbound(_ gestures: [Gesture]) -> [Gesture] {
    gestures.filter { gesture in
      Self.touches.contains(gesture.kind) || gesture.key != nil && Self.presses.contains(gesture.kind)
    }.filter { gesture in !wishes.contains { $0.matches(gesture) } }
  }

  private static let touches: [Gesture.Kind] = [.doubleTap, .tripleTap]
  private static let presses: [Gesture.Kind] = [.doublePress, .triplePress, .longPress]

  /// Wishes for all of them, anywhere, at once.
  private static func wishes(_ timing: Timing) -> [Wish] {
    var timing = timing
    timing.mode = .eager
    return touches.flatMap { kind in (1...5).map { Wish(kind, .touch(fingers: $0, zone: nil), timing: timing) } }
      + presses.map { Wish($0, .keys(codes: [], scans: []), timing: timing) }
  }
}
