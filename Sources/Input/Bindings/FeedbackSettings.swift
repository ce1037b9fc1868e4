public import Feedback
public import Gestures

/// The feedback settings of a configuration: the signals, and the motor, light and buzzer for gestures of a device
/// without these outputs.
public struct FeedbackSettings: Equatable, Sendable {
  public let rules: [FeedbackRule]
  /// A pattern for the name of an input device that vibrates; nil for none.
  public let motor: String?
  /// The light for the gestures of all devices; nil for the device's light.
  public let light: Light?
  /// A pattern for the name of an input device that buzzes.
  public let speaker: String

  /// A light of the kernel.
  public enum Light: Equatable, Sendable {
    /// A light of the input device that made the gesture, by its code: `LED_SCROLLL` is 2.
    case own(UInt16)
    /// A pattern for a name in `/sys/class/leds`.
    case system(String)
  }

  /// The kernel's name of a computer's built-in speaker.
  public static let standardSpeaker = "PC Speaker"

  public static let standard = FeedbackSettings(rules: [], motor: nil, light: nil, speaker: standardSpeaker)

  /// The signals to play, with their conditions.
  public var decisions: FeedbackRules { FeedbackRules(rules, hasLight: light != nil) }

  public func isMotor(_ device: DeviceDescription) -> Bool { motor.map { Glob.matches($0, device.name) } ?? false }

  public func isSpeaker(_ device: DeviceDescription) -> Bool { Glob.matches(speaker, device.name) }

  /// The configured light among `names` of `/sys/class/leds`; of several that match, the first by name.
  public func systemLight(among names: [String]) -> String? {
    guard case .system(let pattern) = light else { return nil }
    return names.sorted().first { Glob.matches(pattern, $0) }
  }
}
