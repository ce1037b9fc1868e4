/// Thresholds of the shake recogniser. Configurations set each of them by its name.
///
/// The defaults were chosen on recordings of people who shake, walk, run, climb stairs, tap and gesture. Changes by a
/// fifth have little effect there, except for a smaller `prominence` (runners count). `shake-score` prints the effect
/// of each stage.
public struct ShakeParameters: Equatable, Sendable {
  /// The smallest mean strength of the strokes, without gravity, in m/s². Less than the strength of a whole stroke,
  /// because the last stroke has only begun when a shake becomes certain.
  public package(set) var strength = 10.0

  /// The smallest strength of the weakest stroke, in m/s².
  public package(set) var weakest = 8.0

  /// The number of strokes, each opposite to the one before. A single jerk has three: acceleration, stop and recoil.
  public package(set) var strokes = 4

  /// The shortest time from one stroke to the next, in seconds: a shake of 12 Hz, which has two strokes to and fro.
  public package(set) var shortestStroke = 0.04
  /// The longest time from one stroke to the next, in seconds: a shake of about 1 Hz.
  public package(set) var longestStroke = 0.55

  /// The largest energy across the strokes' axis, relative to the energy along it, for strokes of `quickStroke` or
  /// longer. Gait and circles have several directions, a shake has one.
  public package(set) var roundness = 0.25

  /// The time between strokes, in seconds, that no gait and no other gesture goes below. For faster strokes, the limit
  /// ``roundness`` is multiplied by the square of the ratio of the two times.
  package var quickStroke = 0.19

  /// The smallest ratio of a shake's strength to that of the motion before it. A runner's device moves as strongly as a
  /// shaken one.
  public package(set) var prominence = 1.6

  /// The factor of `prominence` for a shake whose strokes could be the free falls of a runner.
  package var fallFactor = 2.0

  /// The strength of strokes that is assumed before any motion is known, as a part of `strength`.
  package var unknownPart = 0.8

  /// The pause between one shake and the next, in seconds.
  public package(set) var rest = 0.35

  /// The time after the device's own vibration in which its motion is ignored, in seconds. A motor takes 0.1 s to stop,
  /// and a command to the motor some time to arrive. PebbleOS, whose watches had counted their own motor, waits for 0.5
  /// s; but a person who felt one count may well shake for the next.
  public package(set) var afterVibration = 0.25

  /// The firmness with which a device must be shaken; each level is a `strength` and a `weakest` stroke.
  public enum Sensitivity: String, CaseIterable, Sendable {
    /// For people who shake gently, where little else moves the device.
    case light
    /// The default.
    case firm
    /// For a device that is often hit or moved.
    case hard
  }

  public static let light = ShakeParameters(.light)
  public static let firm = ShakeParameters(.firm)
  public static let hard = ShakeParameters(.hard)

  public init(_ sensitivity: Sensitivity) { set(sensitivity) }

  /// Sets the firmness of a shake; all other parameters keep their values.
  public mutating func set(_ sensitivity: Sensitivity) {
    (strength, weakest) =
      switch sensitivity {
      case .light: (7, 5.5)
      case .firm: (10, 8)
      case .hard: (16, 12)
      }
  }
}
