public import Gestures

/// Whether a device is used, and why.
public enum Use: Equatable, Sendable, CustomStringConvertible {
  case used(AppliedRule)
  case unused(Unused)

  /// A sentence's worth of why, without the full stop: "named by input.toml, line 5".
  public var description: String {
    switch self {
    case .used(let rule): rule.source.description
    case .unused(let reason): reason.description
    }
  }
}

/// The rule that a device is used by, with everything its gestures are bound to.
public struct AppliedRule: Equatable, Sendable {
  /// Where the rule comes from.
  public enum Source: Equatable, Sendable, CustomStringConvertible {
    /// A `[[device]]` of the configuration, which begins on this line.
    case configuration(file: String, line: Int)
    /// The list of known devices.
    case known(title: String, kind: KnownDevice.Kind)
    /// What the device can send.
    case touchscreen
    /// A shake is bound for every device, and this is a motion sensor of the machine.
    case sensor
    /// Nothing but the bindings for every device, for one that is not used.
    case everyDevice

    public var description: String {
      switch self {
      case .configuration(let file, let line): "named by \(file), line \(line)"
      case .known(let title, let kind): "known as \(title), a \(kind.rawValue)"
      case .touchscreen: "it is a touchscreen"
      case .sensor: "it is a motion sensor, and a shake is bound for every device"
      case .everyDevice: "not in use"
      }
    }
  }

  public let source: Source
  public let grab: Bool

  /// The bindings that apply, those that are asked first before the others.
  public let bindings: [Binding]

  /// The times and distances that apply where a binding sets none of its own.
  public let timing: Timing

  /// What a shake of the device must be like.
  public let shake: ShakeParameters

  /// How the device's surface is mounted.
  public let calibration: Calibration

  /// What is odd about the device and does not keep it from being used; sentences without a full stop.
  public let warnings: [String]

  /// What a gesture of the device does; nil where it is bound to nothing.
  public func action(for gesture: Gesture) -> Action? {
    guard let binding = binding(for: gesture) else { return nil }
    return gesture.isOn == false ? binding.ending : binding.action
  }

  /// The binding that a gesture of the device is meant by; nil where there is none.
  public func binding(for gesture: Gesture) -> Binding? {
    wishes.firstIndex { $0.matches(gesture) }.map { bindings[$0] }
  }

  /// The bindings as the recogniser wants to know them, in the same order.
  public let wishes: [Wish]

  /// A recogniser for the device that has this rule.
  public func recognizer(for device: DeviceDescription) -> DeviceRecognizer {
    DeviceRecognizer(
      description: device, wishes: wishes, timing: timing, calibration: calibration, shake: shake)
  }

  /// Whether it says what a shake does.
  public var bindsShake: Bool { bindings.contains { $0.gesture == .shake } }

  init(
    source: Source, grab: Bool, bindings: [Binding], timing: Timing, shake: ShakeParameters,
    calibration: Calibration, warnings: [String]
  ) {
    self.source = source
    self.grab = grab
    self.bindings = bindings
    self.timing = timing
    self.shake = shake
    self.calibration = calibration
    self.warnings = warnings
    wishes = bindings.map { Wish($0.gesture, $0.target, timing: $0.timing.applied(to: timing)) }
  }
}

/// Why a device is not used.
public enum Unused: Equatable, Sendable, CustomStringConvertible {
  /// Nothing names it, and what it is is not used unasked. The file is nil where there is no configuration.
  case notNamed(DeviceClass, file: String?)
  /// A `[[device]]` says that it is to be ignored.
  case ignored(file: String, line: Int)
  /// The pointing half of a known presenter: its buttons are a mouse's.
  case pointer(title: String)
  /// Another sensor of the machine, with this file, feels the same shakes and is used.
  case otherSensor(String)
  /// It is named or known, but nothing on it can be pressed or touched.
  case nothingToPress
  /// It feels motion and nothing else, and no shake is bound to it.
  case noShakeBound
  /// It has nothing but a touch surface, and that is unusable for this reason.
  case unusableTouch(reason: String)

  public var description: String {
    switch self {
    case .notNamed(let device, let file):
      "\(device.noun), which is used only if a [[device]] in \(file ?? "input.toml") names it"
    case .ignored(let file, let line): "\(file), line \(line), has it ignored"
    case .pointer(let title): "the pointer of \(title), whose buttons are a mouse's"
    case .otherSensor(let path): "\(path) feels the same shakes and is used"
    case .noShakeBound: "a motion sensor, which is used only where gesture = \"shake\" is bound to it"
    case .nothingToPress: "nothing on it can be pressed or touched"
    case .unusableTouch(let reason): "its touch surface cannot be used: \(reason)"
    }
  }
}

extension DeviceClass {
  fileprivate var noun: String {
    switch self {
    case .keyboard, .mouse, .touchpad, .touchscreen, .gamepad: "a \(rawValue)"
    case .tablet: "a pen tablet"
    case .buttons: "a device with keys that is not known as a clicker"
    case .accelerometer: "a motion sensor"
    case .other: "a device without keys"
    }
  }
}
