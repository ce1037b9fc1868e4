public import Gestures

/// Decides when a device may be grabbed (EVIOCGRAB): only while all its keys are up, so that no other program waits
/// endlessly for the release of a key.
///
/// This value has no descriptor: the caller performs the steps that its methods return, and reports their results.
public struct DeviceGrab: Equatable, Sendable {
  /// The next step for the caller.
  public enum Step: Equatable, Sendable { case grab, ungrab }

  private enum State: Equatable {
    case waiting
    case grabbed(at: Int64)
  }
  private var state = State.waiting

  public init() {}

  /// Returns `grab` if the device may be grabbed now. Must be called after the device's frames were drained.
  public func step(hasKeysDown: Bool) -> Step? {
    state == .waiting && !hasKeysDown ? .grab : nil
  }

  /// Returns `ungrab` if a key of the frame went down before the grab: other programs wait for its release.
  public func step(after frame: Frame) -> Step? {
    guard case .grabbed(let time) = state, frame.time <= time else { return nil }
    return frame.events.contains { $0.type == 1 && $0.value == 1 } ? .ungrab : nil
  }

  /// Records a successful grab.
  ///
  /// - Parameter time: ``Clock/boottime()`` after the grab, in nanoseconds.
  public mutating func grabbed(at time: Int64) { state = .grabbed(at: time) }

  /// Records that the device was ungrabbed, or that another program has grabbed it. Its next frame in this program
  /// allows another attempt.
  public mutating func ungrabbed() { state = .waiting }

  /// Whether this program has grabbed the device.
  public var isGrabbed: Bool { state != .waiting }
}
