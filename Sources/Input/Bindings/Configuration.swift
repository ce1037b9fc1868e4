public import Gestures
public import Toml

/// The content of `input.toml`: the used devices, and the action of each gesture.
///
/// ```toml
/// [timing]                        # for every device: Timing.Setting, in seconds or fractions of the screen; and mode
/// long-press = 0.7
///
/// [shake]                         # for every motion sensor: sensitivity, and ShakeParameters by name
/// sensitivity = "firm"
///
/// [zones]                         # parts of a screen in fractions of it; "left" and "right" are there already
/// door = { left = 0.2, top = 0.5, right = 0.4, bottom = 1.0 }
///
/// [touchscreens]                  # whether touchscreens count without being named; default: false
/// use = true
///
/// [[bind]]                        # for every device that is used
/// gesture = "swipe-down"
/// fingers = 2                     # default: 1
/// do = "subtract"
///
/// [[feedback]]                    # the signal for a recorded gesture
/// on = "boundary"                 # FeedbackEvent
/// every = 10
/// vibrate = "triple"              # or light, tone, sound
///
/// [[device]]                      # a device that is used because this names it
/// name = "FootSwitch*"            # or id, bus, uniq, phys, label, udev, path; all that are given must hold
/// grab = true                     # or ignore = true; rotate, invert-x, invert-y, swap-xy; settings of timing;
///                                 # [device.shake]
///
///   [[device.bind]]
///   gesture = "press"
///   key = "KEY_B"                 # or keys = [...], scan = 0x7004b; without it any key but modifiers and lock keys
///   do = "add people 2"
///
///   [[device.bind]]
///   gesture = "tap"
///   zone = "door"                 # or grid = [columns, rows] and cell = [column, row]
///   do = "add visitors"
///
///   [[device.bind]]
///   gesture = "double-tap"
///   mode = "eager"                # and settings of timing for this binding alone
///   do = "add visitors 10"
/// ```
///
/// The binding of a gesture is searched among the device's bindings, then among those for every device, then among the
/// defaults; in each of these lists, bindings that name the key or a smaller zone come first. A device with bindings
/// has no defaults: its table lists all its actions.
public struct Configuration: Equatable, Sendable {
  /// The path of the configuration file, as it was given; nil where only defaults apply.
  public let file: String?
  public let rules: [DeviceRule]
  public let bindings: [Binding]
  /// Timing settings for all devices.
  public let timing: TimingChanges
  /// Shake settings for all motion sensors.
  public let shake: ShakeChanges
  /// Whether touchscreens are used that no rule names.
  public let usesTouchscreens: Bool
  public let feedback: FeedbackSettings

  /// The defaults, without a file.
  public static let standard = Configuration(
    file: nil, rules: [], bindings: [], timing: .init(), shake: .init(), usesTouchscreens: false,
    feedback: .standard)

  /// The maximum size of a file: 1 MiB.
  public static let sizeLimit = 1 << 20

  /// Parses a configuration.
  ///
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: the file's name for messages.
  ///   - keys: the names of keys.
  /// - Throws: all errors in the configuration.
  public init(_ bytes: [UInt8], file: String, keys: KeyNames) throws(ConfigurationErrors) {
    var reader = ConfigurationReader(file: file, keys: keys)
    let members = try reader.members(of: bytes, known: Self.tables + ConfigurationReader.outputKeys)
    let value = { (key: String) in members.first { $0.key == key }?.value }
    let timing = value("timing").map { reader.timing($0) } ?? TimingChanges()
    let shake = value("shake").map { reader.shake($0, of: "[shake]") } ?? ShakeChanges()
    let screen = reader.screen(members, within: .standard)
    let bindings = value("bind").map { reader.bindings($0, of: "[[bind]]", on: screen) } ?? []
    let rules = value("device").map { reader.rules($0, on: screen) } ?? []
    let usesTouchscreens = value("touchscreens").map { reader.touchscreens($0) } ?? false
    let feedback = reader.feedback(members)
    reader.checkEager(rules, bindings, timing)
    try reader.finish()
    self.init(
      file: file, rules: rules, bindings: bindings, timing: timing, shake: shake, usesTouchscreens: usesTouchscreens,
      feedback: feedback)
  }

  private static let tables = [
    "timing", "shake", "zones", "grid", "device", "bind", "feedback", "touchscreens",
  ]

  private init(
    file: String?, rules: [DeviceRule], bindings: [Binding], timing: TimingChanges, shake: ShakeChanges,
    usesTouchscreens: Bool, feedback: FeedbackSettings
  ) {
    self.file = file
    self.rules = rules
    self.bindings = bindings
    self.timing = timing
    self.shake = shake
    self.usesTouchscreens = usesTouchscreens
    self.feedback = feedback
  }

  /// The paths of a configuration, in the order in which they are tried; the first existing file applies.
  ///
  /// - Parameters:
  ///   - option: the value of `--config`, which excludes all other paths.
  ///   - configHome: `$XDG_CONFIG_HOME`; ignored unless absolute, as its specification requires.
  ///   - home: `$HOME`.
  public static func places(option: String?, configHome: String?, home: String?) -> [String] {
    if let option { return [option] }
    let absolute = { (path: String?) in path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let folder = absolute(configHome) ?? absolute(home).map { $0 + "/.config" }
    return [folder.map { $0 + "/tallymark/input.toml" }, "/etc/tallymark/input.toml"].compactMap(\.self)
  }
}

/// Timing settings of a configuration, for all devices, for one or for one binding; absent settings keep their value.
public struct TimingChanges: Equatable, Sendable {
  public internal(set) var values: [Timing.Setting: Double] = [:]
  public internal(set) var mode: Timing.Mode?

  public init() {}

  /// Returns the timing with these changes.
  public func applied(to timing: Timing) -> Timing {
    var timing = timing
    for (setting, value) in values { timing[setting] = value }
    if let mode { timing.mode = mode }
    return timing
  }
}

/// Shake settings of a configuration, for all motion sensors or for one; absent settings keep their value.
public struct ShakeChanges: Equatable, Sendable {
  public internal(set) var sensitivity: ShakeParameters.Sensitivity?
  /// The parameters that were set, by name (`ShakeParameters.names`).
  public internal(set) var values: [String: Double] = [:]

  public init() {}

  /// Returns the parameters with these changes. Values that are set by name override the sensitivity.
  public func applied(to parameters: ShakeParameters) -> ShakeParameters {
    var parameters = parameters
    if let sensitivity { parameters.set(sensitivity) }
    // Invalid values were refused when the file was read.
    for (name, value) in values { try? parameters.set(name, to: value) }
    return parameters
  }
}
