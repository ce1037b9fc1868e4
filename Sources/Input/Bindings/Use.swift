public import Gestures

/// Whether a device is used, and the reason.
public enum Use: Equatable, Sendable, CustomStringConvertible {
  case used(AppliedRule)
  case unused(Unused)

  /// The reason, as a sentence without the full stop: "named by input.toml, line 5".
  public var description: String {
    switch self {
    case .used(let rule): rule.source.description
    case .unused(let reason): reason.description
    }
  }
}

/// The rule by which a device is used, with all its bindings.
public struct AppliedRule: Equatable, Sendable {
  /// The origin of the rule.
  public enum Source: Equatable, Sendable, CustomStringConvertible {
    /// A `[[device]]` of the configuration, which begins on this line.
    case configuration(file: String, line: Int)
    /// The list of known devices.
    case known(title: String, kind: KnownDevice.Kind)
    /// A touchscreen according to the codes that it can send.
    case touchscreen
    /// A shake is bound for every device, and this is a motion sensor of the machine.
    case sensor
    /// Only the bindings for every device, for a device that is not used.
    case everyDevice

    public var description: String {
      switch self {
      case .configuration(let file, let line): "named by \(file), line \(line)"
      case .known(let title, let kind): "known as \(title), a \(kind.rawValue)"
      case .touchscreen: "it is a touchscreen, and [touchscreens] says that they count"
      case .sensor: "it is a motion sensor, and a shake is bound for every device"
      case .everyDevice: "not in use"
      }
    }
  }

  public let source: Source
  public let grab: Bool

  /// Whether the connection of the device is a press.
  public let countsConnecting: Bool

  /// The bindings in force, by descending priority.
  public let bindings: [Binding]

  /// The times and distances for bindings without timing settings.
  public let timing: Timing

  public let shake: ShakeParameters

  /// The mounting of the device's surface.
  public let calibration: Calibration

  /// The size of the device's surface along its axes; nil for the size that the device states.
  public let size: PhysicalSize?

  /// Faults of the device that do not prevent its use; sentences without a full stop.
  public let warnings: [String]

  /// The action of a gesture of the device; nil for an unbound one.
  public func action(for gesture: Gesture) -> Action? {
    guard let binding = binding(for: gesture) else { return nil }
    let action = gesture.isOn == false ? binding.ending : binding.action
    return action?.verb == .nothing ? nil : action
  }

  /// The first binding that matches a gesture of the device; nil for an unbound gesture.
  public func binding(for gesture: Gesture) -> Binding? {
    interests.firstIndex { $0.matches(gesture) }.map { bindings[$0] }
  }

  /// The bindings as the recogniser's interests, in the same order.
  public let interests: [Interest]

  /// A recogniser for the device that has this rule.
  public func recognizer(for device: DeviceDescription) -> DeviceRecognizer {
    DeviceRecognizer(
      description: device, interests: interests, timing: timing, calibration: calibration, size: size, shake: shake)
  }

  /// Whether a binding gives a shake an action.
  public var bindsShake: Bool { bindings.contains { $0.gesture == .shake && !$0.doesNothing } }

  init(
    source: Source, grab: Bool, countsConnecting: Bool = false, bindings: [Binding], timing: Timing,
    shake: ShakeParameters, calibration: Calibration, size: PhysicalSize?, warnings: [String]
  ) {
    self.size = size
    self.source = source
    self.grab = grab
    self.countsConnecting = countsConnecting
    self.bindings = bindings
    self.timing = timing
    self.shake = shake
    self.calibration = calibration
    self.warnings = warnings
    interests = bindings.map { Interest($0.gesture, $0.target, timing: $0.timing.applied(to: timing)) }
  }
}

/// The reason why a device is not used.
public enum Unused: Error, Equatable, Sendable, CustomStringConvertible {
  /// No rule names the device, and its class is not used by default. The file is nil without a configuration.
  case notNamed(DeviceClass, file: String?)
  /// A `[[device]]` ignores the device.
  case ignored(file: String, line: Int)
  /// A `[[device]]` with `grab = true` matches the device by a pattern only, and a person operates the machine with it.
  case grabbedByPattern(String, file: String, line: Int)
  /// A known device that can type letters; its identity may also belong to a keyboard.
  case typesLetters(title: String)
  /// The device has the identity of a known device, but not its keys.
  case otherLayout(title: String, kind: KnownDevice.Kind)
  /// A touchscreen, and the configuration does not enable touchscreens.
  case touchscreen
  /// The node of a known presenter that is a mouse, and has only a mouse's buttons.
  case pointer(title: String)
  /// Another sensor of the machine, with this file, measures the same shakes and is used.
  case otherSensor(String)
  /// The device is named or known, but has nothing that can be pressed or touched.
  case nothingToPress
  /// The device measures motion only, and no shake is bound to it.
  case noShakeBound
  /// The device has only a touch surface, which is unusable for this reason.
  case unusableTouch(reason: String)

  public var description: String {
    switch self {
    case .notNamed(let device, let file):
      "\(device.noun), which is used only if a [[device]] in \(file ?? "input.toml") names it"
    case .ignored(let file, let line): "ignored by \(file), line \(line)"
    case .grabbedByPattern(let noun, let file, let line):
      "\(noun), and \(file), line \(line), would take it from all other programs by a pattern; with grab = true its id or its full name must be given"
    case .typesLetters(let title):
      "known as \(title), but it can type letters as a keyboard can, so it is used only once you name it"
    case .otherLayout(let title, let kind): "it has the id of \(title), but not the keys of a \(kind.rawValue)"
    case .touchscreen:
      "a touchscreen, on which every tap of daily work would count; to use it: tally-input use touchscreens"
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
