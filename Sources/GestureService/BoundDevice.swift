package import Bindings
package import Gestures

/// One device as this service sees it: what it recognises together with what that is bound to.
package struct BoundDevice {
  /// The device's name as it stands in the history.
  package let name: String
  private var recognizer: DeviceRecognizer
  private var rule: AppliedRule

  package init(_ description: DeviceDescription, rule: AppliedRule) {
    name = CauseText.device(description.name)
    recognizer = DeviceRecognizer(description: description)
    self.rule = rule
  }

  /// Takes one frame in; gives what was done that is bound to something, in order.
  package mutating func handle(_ frame: Frame) -> [BoundGesture] { bound(recognizer.handle(frame)) }

  /// Nothing was reported until `time`; gives what that completed.
  package mutating func advance(to time: Int64) -> [BoundGesture] { bound(recognizer.advance(to: time)) }

  /// When ``advance(to:)`` must be called if no frame comes before.
  package var nextDeadline: Int64? { recognizer.nextDeadline }

  /// The device is gone: nothing stays pressed.
  package mutating func cancel() { recognizer.cancel() }

  /// Binds what is recognised from now on otherwise; what is under way stays so.
  package mutating func rebind(_ rule: AppliedRule) { self.rule = rule }

  /// What is bound to nothing goes no further: not into a log, not to the core.
  private func bound(_ gestures: [Gesture]) -> [BoundGesture] {
    gestures.compactMap { gesture in
      rule.action(for: gesture).map { BoundGesture(gesture: gesture, action: $0, device: name) }
    }
  }
}

/// Something a person did, what it is to do, and on which device.
package struct BoundGesture: Equatable {
  package let gesture: Gesture
  package let action: Action
  package let device: String

  /// The delivery for it. The history wants the time of day at which it was done: that is as long ago as its stamp.
  ///
  /// - Parameters:
  ///   - monotonic: what the monotonic clock says now, in nanoseconds.
  ///   - wall: what the clock on the wall says now, in microseconds since 1970.
  package func delivery(monotonic: Int64, wall: Int64) -> Delivery {
    Delivery([
      Change(
        verb: action.verb.rawValue, counter: action.counter, amount: action.amount,
        time: wall &- (monotonic &- gesture.time) / 1000, device: device, gesture: gesture.kind.rawValue)
    ])
  }
}

/// The rule of the core for texts that say what caused something: 1 to 128 bytes without control characters.
package enum CauseText {
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
