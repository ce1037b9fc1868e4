/// What a shake must be like: each number has a name, by which configurations set it, and a reason for its default.
///
/// The defaults were chosen on generated motion and on recordings of walking, running, driving, punching and continuous
/// shaking; `make bench` prints how they do.
public struct ShakeParameters: Equatable, Sendable {
  /// How strong the strokes must be, on average over `strokes`, without gravity, in m/s². The first and the last stroke
  /// of a shake are weak ones, so this is less than what a hand reaches in between: about 12 m/s².
  public package(set) var strength = 9.5

  /// How strong each of them must be, in m/s².
  public package(set) var weakest = 5.5

  /// How many strokes it takes, each opposite to the one before. A single jerk has three: off, stop and recoil.
  public package(set) var strokes = 4

  /// How many times stronger the strokes of an emphatic shake are: where the device was at rest before and all strokes
  /// are about as strong, one stroke fewer is then enough.
  public package(set) var emphasis = 2.5

  /// The shortest and the longest time from one stroke's peak to the next one's, in seconds: 7 Hz to 2 Hz, with room for
  /// uneven hands.
  public package(set) var shortestStroke = 0.045
  public package(set) var longestStroke = 0.36

  /// Strokes that take longer than this on average, in seconds, must be stronger in the same measure: slow is how things
  /// are picked up, put away and carried about.
  public package(set) var unhurried = 0.18

  /// How nearly opposite two strokes in turn must be: the cosine of the angle between them is at most minus this.
  public package(set) var opposition = 0.55

  /// How much of the motion's energy may lie across the strokes' axis, as a part of that along it. Gait and tumbling go
  /// all ways and a circle goes two, a shake goes one way.
  public package(set) var roundness = 0.6

  /// How many times stronger than the motion before it a shake must be. Somebody who runs moves a device as strongly as
  /// somebody who shakes it.
  public package(set) var prominence = 1.6

  /// How long it must be calm after a shake before the next one can begin, in seconds.
  public package(set) var rest = 0.35

  /// Up to this much, in m/s², a device is at rest.
  public package(set) var quiet = 4.0

  /// How long after the device's own vibration its motion is not looked at, in seconds: a motor takes 0.1 s to come to
  /// rest, and an order to one some time to get there. PebbleOS, whose watches had counted their own motor, waits for
  /// 0.5 s; but a person who felt one count may well shake for the next.
  public package(set) var afterVibration = 0.25

  /// How firmly a device must be shaken; each is a `strength` and a `weakest` stroke.
  public enum Sensitivity: String, CaseIterable, Sendable {
    /// For people who shake gently, where little else moves the device.
    case light
    /// The default.
    case firm
    /// For a device that is much knocked about.
    case hard
  }

  public static let light = ShakeParameters(.light)
  public static let firm = ShakeParameters(.firm)
  public static let hard = ShakeParameters(.hard)

  public init(_ sensitivity: Sensitivity) { set(sensitivity) }

  /// Sets how firm a shake must be; all other parameters stay as they are.
  public mutating func set(_ sensitivity: Sensitivity) {
    (strength, weakest) =
      switch sensitivity {
      case .light: (7.5, 4.5)
      case .firm: (9.5, 5.5)
      case .hard: (15, 8)
      }
  }
}
