public import Gestures

/// Decides when a device may be grabbed (EVIOCGRAB): only while all its keys are up, so that no other program waits for the
/// release of a key for ever.
///
/// A value without a descriptor: the caller performs the steps that it returns, and reports their results.
///
/// | state   | event                                                  | step    | next    |
/// |---------|--------------------------------------------------------|---------|---------|
/// | waiting | no key is down                                         | grab    | grabbed |
/// | waiting | a key is down                                          |         | waiting |
/// | grabbed | a key went down before the grab; other programs saw it | ungrab  | waiting |
/// | grabbed | any other frame                                        |         | grabbed |
/// | any     | another program has grabbed the device                 |         | waiting |
public struct DeviceGrab: Equatable, Sendable {
  /// The next thing to do with the device.
  public enum Step: Equatable, Sendable { case grab, ungrab }

  private enum State: Equatable {
    case waiting
    case grabbed(at: Int64)
  }
  private var state = State.waiting

  public init() {}

  /// Returns `grab` if the device may be grabbed now. Call it after the device's frames were drained.
  public func step(hasKeysDown: Bool) -> Step? {
    state == .waiting && !hasKeysDown ? .grab : nil
  }

  /// Returns `ungrab` if the frame has a key that went down before the grab: other programs wait for its release.
  public func step(after frame: Frame) -> Step? {
    guard case .grabbed(let time) = state, frame.time <= time else { return nil }
    return frame.events.contains { $0.type == 1 && $0.value == 1 } ? .ungrab : nil
  }

  /// The grab succeeded.
  ///
  /// - Parameter time: ``Clock/boottime()`` after the grab, in nanoseconds.
  public mutating func grabbed(at time: Int64) { state = .grabbed(at: time) }

  /// The device was ungrabbed, or another program has grabbed it. The next frame that reaches this program is the sign to
  /// try again.
  public mutating func ungrabbed() { state = .waiting }

  /// Whether this program has grabbed the device.
  public var isGrabbed: Bool { state != .waiting }
}
