public import Gestures

/// What a motion sensor gave at once.
public struct SensorReading: Equatable, Sendable {
  /// Oldest first.
  public var samples: [AccelerationSample] = []
  /// Whether more waits.
  public var isCutOff = false
}
