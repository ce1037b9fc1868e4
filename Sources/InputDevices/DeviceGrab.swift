public import Gestures

/// When a device that is to be taken for this program alone may be taken: only while all its keys are up, so that no
/// other program is left with a key that never comes up again.
///
/// A value that is told what happens; whoever drives it does what it answers.
///
/// | state   | event                                                  | answer  | next    |
/// |---------|--------------------------------------------------------|---------|---------|
/// | waiting | nothing is held                                        | take    | taken   |
/// | waiting | something is held                                      |         | waiting |
/// | taken   | a key went down before the taking, others have seen it | let go  | waiting |
/// | taken   | anything else                                          |         | taken   |
/// | any     | another program has the device                         |         | waiting |
public struct DeviceGrab: Equatable, Sendable {
  /// What is to be done with the device.
  public enum Step: Equatable, Sendable { case take, letGo }

  private enum State: Equatable {
    case waiting
    case taken(at: Int64)
  }
  private var state = State.waiting

  public init() {}

  /// After the device's frames were drained: whether it is to be taken now.
  public func step(hasKeysDown: Bool) -> Step? {
    state == .waiting && !hasKeysDown ? .take : nil
  }

  /// A frame arrived: whether the device is to be let go, because of a press that the taking came too late for.
  public func step(after frame: Frame) -> Step? {
    guard case .taken(let time) = state, frame.time <= time else { return nil }
    return frame.events.contains { $0.type == 1 && $0.value == 1 } ? .letGo : nil
  }

  /// The device was taken; `time` is the ``Clock/boottime()`` after the kernel said so.
  public mutating func taken(at time: Int64) { state = .taken(at: time) }

  /// The device was let go, or could not be taken because another program has it. The next frame that reaches this
  /// program at all is the sign to try again.
  public mutating func released() { state = .waiting }

  /// Whether the device is this program's alone.
  public var isTaken: Bool { state != .waiting }
}
