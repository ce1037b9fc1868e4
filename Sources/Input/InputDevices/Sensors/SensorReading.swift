public import Gestures

/// The samples of one read of a motion sensor.
public struct SensorReading: Equatable, Sendable {
  /// The samples, oldest first.
  public var samples: [AccelerationSample] = []
  /// Whether more samples wait.
  public var isCutOff = false
}
