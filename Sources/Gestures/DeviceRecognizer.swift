/// Recognises the gestures that a person makes with one device, whatever it has: keys, a touch surface, or both.
///
/// A value without a clock: it is driven by the frames' own stamps alone, so a recording gives the same gestures in one
/// burst as it did live. Whoever drives it hands over every frame in order, first of all one with `isResync` set that
/// says how things stand when the device is opened (keys held, contacts and where each slot last was), for the kernel
/// never repeats what does not change.
public struct DeviceRecognizer: Sendable {
  private var keys = KeyRecognizer()
  private var touch: TouchRecognizer?

  /// - Parameters:
  ///   - description: what the device says of itself. Where its touch surface is unusable (`description.touch`), only
  ///     its keys are listened to.
  ///   - timing: the times and distances by which gestures are told apart.
  public init(description: DeviceDescription, timing: Timing = .standard) {
    if case .usable(let surface) = description.touch { touch = TouchRecognizer(surface, timing: timing) }
  }

  /// Takes one frame in and returns the gestures that it completed, in the order in which they happened.
  ///
  /// A frame with `isResync` set completes nothing and ends every touch in progress without a gesture.
  public mutating func handle(_ frame: Frame) -> [Gesture] {
    var gestures = advance(to: frame.time)
    keys.handle(frame, into: &gestures)
    if let gesture = touch?.handle(frame) { gestures.append(gesture) }
    return gestures
  }

  /// Tells the recogniser that the device reported nothing until `time`, and returns what that completed. Nothing
  /// that is recognised so far waits, so it is nothing.
  public mutating func advance(to time: Int64) -> [Gesture] { [] }

  /// When `advance` must be called if no frame comes before; nil while nothing waits.
  public var nextDeadline: Int64? { nil }

  /// The device is gone or was asleep: nothing stays pressed, and the touch in progress was nothing.
  public mutating func cancel() {
    keys.cancel()
    touch?.cancel()
  }
}
