public import Feedback
public import Gestures

/// The feedback settings of a configuration: what is played, and on which motor, light and buzzer where the device that
/// made the gesture has none of its own.
public struct FeedbackSettings: Equatable, Sendable {
  public let rules: [FeedbackRule]
  /// A pattern for the name of an input device that vibrates; nil where none is named.
  public let motor: String?
  /// The light that is meant, whoever made the gesture; nil for the device's own.
  public let light: Light?
  /// A pattern for the name of an input device that buzzes.
  public let speaker: String

  /// A light of the kernel.
  public enum Light: Equatable, Sendable {
    /// One of the input device that made the gesture, by its code: `LED_SCROLLL` is 2.
    case own(UInt16)
    /// A pattern for a name in `/sys/class/leds`.
    case system(String)
  }

  /// A computer's own speaker, as the kernel calls it.
  public static let standardSpeaker = "PC Speaker"

  /// The defaults.
  public static let standard = FeedbackSettings(rules: [], motor: nil, light: nil, speaker: standardSpeaker)

  init(rules: [FeedbackRule], motor: String?, light: Light?, speaker: String) {
    self.rules = rules
    self.motor = motor
    self.light = light
    self.speaker = speaker
  }

  /// The signals to play, with their conditions.
  public var decisions: FeedbackRules { FeedbackRules(rules, hasLight: light != nil) }

  /// Whether a device is the motor that is named.
  public func isMotor(_ device: DeviceDescription) -> Bool { motor.map { Glob.matches($0, device.name) } ?? false }

  /// Whether a device is the speaker that is named.
  public func isSpeaker(_ device: DeviceDescription) -> Bool { Glob.matches(speaker, device.name) }

  /// The light of `/sys/class/leds` that is meant among those that there are, the first by name.
  public func systemLight(among names: [String]) -> String? {
    guard case .system(let pattern) = light else { return nil }
    return names.sorted().first { Glob.matches(pattern, $0) }
  }
}
