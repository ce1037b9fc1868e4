public import Gestures

/// The samples of one read of a motion sensor.
public struct SensorReading: Equatable, Sendable {
  /// Oldest first.
  public var samples: [AccelerationSample] = []
  /// Whether more waits.
  public var isCutOff = false
}
