public import Gestures

/// The times and distances that somebody set, for all devices, for one or for one binding; all others stay as they are.
public struct TimingChanges: Equatable, Sendable {
  public internal(set) var values: [Timing.Setting: Double] = [:]
  public internal(set) var mode: Timing.Mode?

  /// Nothing is set.
  public init() {}

  public var isEmpty: Bool { values.isEmpty && mode == nil }

  /// A timing with these changes made.
  public func applied(to timing: Timing) -> Timing {
    var timing = timing
    for (setting, value) in values { timing[setting] = value }
    if let mode { timing.mode = mode }
    return timing
  }
}
