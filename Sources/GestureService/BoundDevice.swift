package import Bindings
package import Gestures

/// One device as this service sees it: what it recognises together with what that is bound to.
package struct BoundDevice {
  /// The device's name as it stands in the history.
  package let name: String
  private let description: DeviceDescription
  private var recognizer: DeviceRecognizer
  private var rule: AppliedRule
  /// Whether the recogniser is still that of a former rule.
  package private(set) var isOutdated = false

  package init(_ description: DeviceDescription, rule: AppliedRule) {
    name = CauseText.device(description.name)
    self.description = description
    recognizer = rule.recognizer(for: description)
    self.rule = rule
  }

  /// Takes one frame in; gives what was done that is bound to something, in order.
  package mutating func handle(_ frame: Frame) -> [BoundGesture] { bound(recognizer.handle(frame)) }

  /// Nothing was reported until `time`; gives what that completed.
  package mutating func advance(to time: Int64) -> [BoundGesture] { bound(recognizer.advance(to: time)) }

  /// Whether nothing that goes on would be lost by beginning anew.
  package var isIdle: Bool { recognizer.nextDeadline == nil && recognizer.isStill }

  /// Until when something may come that is nothing only because of what was there before, see
  /// ``DeviceRecognizer/settled``.
  package var settled: Int64 { recognizer.settled }

  /// By how much what its accelerometer says is put right; 1 where nothing is wrong.
  package var gravityFactor: Double { recognizer.gravityFactor }

  /// When ``advance(to:)`` must be called if no frame comes before.
  package var nextDeadline: Int64? { recognizer.nextDeadline }

  /// The device is gone or was asleep: nothing stays pressed. Gives what had been done and only waited whether more
  /// follows.
  ///
  /// - Parameter time: when that became known; without it, when anything was heard of the device last.
  package mutating func cancel(at time: Int64? = nil) -> [BoundGesture] { bound(recognizer.cancel(at: time)) }

  /// The device itself vibrates until then, which is no shake.
  package mutating func ignoreMotion(until time: Int64) { recognizer.ignoreMotion(until: time) }

  /// Binds what is recognised from now on otherwise. What is under way is recognised as it was begun, until
  /// ``renew(from:)``.
  package mutating func rebind(_ rule: AppliedRule) {
    guard rule != self.rule else { return }
    self.rule = rule
    isOutdated = true
  }

  /// Recognises by the present rule. Only while nothing is under way, for it would be lost.
  ///
  /// - Parameter state: how the device stands.
  package mutating func renew(from state: Frame) {
    let former = recognizer
    recognizer = rule.recognizer(for: description)
    recognizer.follow(former)
    isOutdated = false
    _ = recognizer.handle(state)
  }

  /// What is bound to nothing goes no further: not into a log, not to the core. It is heard of only where it shows that
  /// something else was not what it was taken for.
  private func bound(_ gestures: [Gesture]) -> [BoundGesture] {
    gestures.compactMap { gesture in
      let action = rule.action(for: gesture)
      guard action != nil || !gesture.takesBack.isEmpty else { return nil }
      return BoundGesture(gesture: gesture, action: action, device: name, takesBack: gesture.takesBack)
    }
  }
}

/// Something a person did, what it is to do, and on which device.
package struct BoundGesture: Equatable {
  package let gesture: Gesture
  /// Nil where there is nothing to be done but to take back.
  package let action: Action?
  package let device: String

  /// What was done before and turned out to be the beginning of this; to be taken back together with doing this.
  package let takesBack: [Gesture]

  package init(gesture: Gesture, action: Action?, device: String, takesBack: [Gesture] = []) {
    self.gesture = gesture
    self.action = action
    self.device = device
    self.takesBack = takesBack
  }
}

/// The rule of the core for texts that say what caused something: 1 to 128 bytes without control characters.
public enum CauseText {
  /// Whether the core takes a text as it is.
  public static func isSound(_ text: String) -> Bool {
    1...128 ~= text.utf8.count && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// A device's name as the core takes it. Devices name themselves, and nothing keeps them from nonsense.
  package static func device(_ name: String) -> String {
    var text = ""
    var length = 0
    for scalar in name.unicodeScalars where scalar.properties.generalCategory != .control {
      length += UTF8.width(scalar)
      if length > 128 { break }
      text.unicodeScalars.append(scalar)
    }
    return text.isEmpty ? "unnamed device" : text
  }
}
