public import Gestures

/// Timing settings of a configuration, for all devices, for one or for one binding; absent ones keep their value.
public struct TimingChanges: Equatable, Sendable {
  public internal(set) var values: [Timing.Setting: Double] = [:]
  public internal(set) var mode: Timing.Mode?

  /// No changes.
  public init() {}

  public var isEmpty: Bool { values.isEmpty && mode == nil }

  /// Returns the timing with these changes.
  public func applied(to timing: Timing) -> Timing {
    var timing = timing
    for (setting, value) in values { timing[setting] = value }
    if let mode { timing.mode = mode }
    return timing
  }
}
