package import Bindings
package import Gestures
package import InputDevices

/// The recogniser of one device, with the actions that are bound to its gestures.
package struct BoundDevice {
  /// The device's name in the history.
  package let name: String
  private let description: DeviceDescription
  private var recognizer: DeviceRecognizer
  private var rule: AppliedRule
  /// Whether the recogniser still uses an earlier rule.
  package private(set) var isOutdated = false

  package init(_ description: DeviceDescription, rule: AppliedRule) {
    name = CauseLabel.device(description.name)
    self.description = description
    recognizer = rule.recognizer(for: description)
    self.rule = rule
  }

  /// Handles a frame; returns the bound gestures that it completes, in order.
  package mutating func handle(_ frame: Frame) -> [BoundGesture] { bound(recognizer.handle(frame)) }

  /// Advances to `time` without reports; returns the bound gestures that this completes.
  package mutating func advance(to time: Int64) -> [BoundGesture] { bound(recognizer.advance(to: time)) }

  /// The press that made the device connect; nil if no press is bound.
  ///
  /// - Parameter held: the key that is down; nil counts the first bound key.
  package func connectingPress(at time: Int64, held: UInt16?) -> BoundGesture? {
    let keys = (description.codes[EventCode.EV_KEY] ?? []).filter { !EventCode.isTouchState($0) }.sorted()
    return ([held].compactMap(\.self) + keys).lazy.compactMap { key in
      bound([Gesture(kind: .press, time: time, key: key)]).first
    }.first
  }

  /// Whether no gesture is in progress that a restart of the recogniser would lose.
  package var isIdle: Bool { recognizer.nextDeadline == nil && recognizer.isStill && !recognizer.isTouched }

  /// The faults of the device since the last call of ``handle(_:)`` or ``advance(to:)``: contacts that never move or
  /// never lift, contacts and presses that no finger made and that do not count, and keys that only a binding of their
  /// name counts.
  package var faults: [InputReport] {
    recognizer.reports.filter { report in
      switch report {
      case .stuck, .neverLifts, .outside, .typed, .bounced, .overturned, .loneModifier, .loneScan: true
      case .nothing(.withinReport, _), .nothing(.jumped, _), .nothing(.palm, _): true
      case .nothing: false
      }
    }
  }

  /// See ``DeviceRecognizer/bouncing``.
  var bouncing: Int { recognizer.bouncing }

  /// The reasons why touches made no gesture, since the last call of ``handle(_:)`` or ``advance(to:)``.
  var flaws: [InputReport.Reason] {
    recognizer.reports.compactMap { if case .nothing(let reason, _) = $0 { reason } else { nil } }
  }

  /// See ``DeviceRecognizer/quietAfter``.
  package var quietAfter: Int64 { recognizer.quietAfter }

  /// The factor that corrects the accelerometer's scale; 1 for a correct one.
  package var gravityFactor: Double { recognizer.gravityFactor }

  /// The time at which ``advance(to:)`` must be called if no frame comes before.
  package var nextDeadline: Int64? { recognizer.nextDeadline }

  /// Drops all gestures in progress; see ``DeviceRecognizer/cancel(at:)``.
  ///
  /// - Parameter time: the present time; nil for the time of the last frame.
  package mutating func cancel(at time: Int64? = nil) -> [BoundGesture] { bound(recognizer.cancel(at: time)) }

  /// Ignores motion until `time`, because the device's own motor runs.
  package mutating func ignoreMotion(until time: Int64) { recognizer.ignoreMotion(until: time) }

  /// Applies the actions of another rule at once, and its recognition from ``renew(from:)`` on.
  package mutating func rebind(_ rule: AppliedRule) {
    guard rule != self.rule else { return }
    self.rule = rule
    isOutdated = true
  }

  /// Replaces the recogniser by one for the present rule. Must be called only while no gesture is in progress.
  ///
  /// - Parameter state: the device's present state.
  package mutating func renew(from state: Frame) {
    let former = recognizer
    recognizer = rule.recognizer(for: description)
    recognizer.inheritState(from: former)
    isOutdated = false
    _ = recognizer.handle(state)
  }

  /// Drops unbound gestures, which reach neither a log nor the core, except those that take back another gesture.
  private func bound(_ gestures: [Gesture]) -> [BoundGesture] {
    gestures.compactMap { gesture in
      let action = rule.action(for: gesture)
      guard action != nil || !gesture.takesBack.isEmpty else { return nil }
      return BoundGesture(gesture: gesture, action: action, device: name)
    }
  }
}

extension InputReport {
  /// The report for a person, with the names of keys.
  package var sentence: String { sentence { EvdevKeys.name(of: $0) ?? "key \($0)" } }
}

/// A gesture with its action and its device.
package struct BoundGesture: Equatable {
  package let gesture: Gesture
  /// The action; nil for a gesture that only takes back others.
  package let action: Action?
  package let device: String

  package init(gesture: Gesture, action: Action?, device: String) {
    self.gesture = gesture
    self.action = action
    self.device = device
  }
}

/// The core's rule for the texts of a cause: 1 to 128 bytes without control characters.
public enum CauseLabel {
  /// Whether the core accepts a text unchanged.
  public static func isSound(_ text: String) -> Bool {
    1...128 ~= text.utf8.count && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// A device's name in a form that the core accepts. Devices choose their names, which may be invalid.
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

extension DeviceNode {
  /// The device's name in the history. Devices choose their names, which must not control a terminal.
  package var name: String { CauseLabel.device(description.name) }
  /// The node in a sentence: `/dev/input/event5 (RDing FootSwitch1F1.)`.
  package var title: String { "\(path) (\(name))" }
  /// The node in a line of a list: `event5`.
  package var label: String { String(path.split(separator: "/").last ?? "") }
}
