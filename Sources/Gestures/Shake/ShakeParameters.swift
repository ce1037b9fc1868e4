/// What a shake must be like, each number under the name that configurations use, with the reason for its default.
public struct ShakeParameters: Equatable, Sendable {
  /// How strong the strokes must be, on average over the last `strokes`, without gravity, in m/s².
  public var strength: Double = 12

  /// How strong each of them must be: the first and the last stroke of a shake are the weak ones. In m/s².
  public var weakest: Double = 7

  /// How many strokes it takes, each opposite to the one before. A single jerk has three: off, stop and recoil.
  public var strokes: Int = 4

  /// The shortest and the longest time from one stroke's peak to the next one's, in seconds: 2 to 7 Hz with room for
  /// uneven hands.
  public var shortestStroke: Double = 0.045
  public var longestStroke: Double = 0.36

  /// How nearly opposite two strokes in turn must be: the cosine of the angle between them is at most minus this.
  public var opposition: Double = 0.6

  /// How much of the motion's energy may lie across the strokes' axis, as a part of that along it. Gait and tumbling go
  /// all ways, a shake goes one way.
  public var roundness: Double = 0.5

  /// How much stronger than the motion before it a shake must be. Somebody who runs moves a device as strongly as
  /// somebody who shakes it.
  public var prominence: Double = 1.6

  /// How long it must be quiet after a shake before the next one can begin, in seconds.
  public var rest: Double = 0.3

  /// What counts as quiet, in m/s².
  public var quiet: Double = 5

  /// How long after the device's own vibration its motion is not looked at, in seconds. PebbleOS chose this after its
  /// watches had counted their own motor.
  public var afterVibration: Double = 0.5

  public init() {}

  /// For people who shake gently, where little else moves the device.
  public static let light: ShakeParameters = {
    var parameters = ShakeParameters()
    parameters.strength = 9
    parameters.weakest = 5.5
    return parameters
  }()

  /// The default.
  public static let firm = ShakeParameters()

  /// For a device that is much knocked about.
  public static let hard: ShakeParameters = {
    var parameters = ShakeParameters()
    parameters.strength = 18
    parameters.weakest = 10
    return parameters
  }()
}
