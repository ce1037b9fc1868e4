/// Recognises the gestures of one device: of its keys, touch surface, wheels and motion sensor.
///
/// A recogniser reads no clock, only the frames' stamps. A recording therefore gives the same gestures as the live
/// frames, even if it is passed in one burst. The caller passes every frame in order. The first frame must have
/// `isResync` set and state the keys held, the contacts and the last place of each slot, because the kernel never
/// repeats unchanged values.
///
/// Presses, taps, long touches, swipes and turns are recognised with or without an interest, and emitted without a
/// wait. A gesture that contains others, or that only a wait separates from others, is recognised only if an interest
/// exists; only then do other gestures wait for it.
public struct DeviceRecognizer: Sendable {
  private var keys: KeyRecognizer
  private var touch: TouchRecognizer?
  /// The touch recogniser for the other protocol of the device (one contact or several), which may be used instead.
  /// Some devices declare both protocols and report only one contact. Nil once the device has reported several.
  private var otherTouch: TouchRecognizer?
  private var usesSingleTouch = false
  private var wheels: WheelRecognizer?
  private var motion: MotionRecognizer?
  private var output = GestureOutput()
  private let longestRefractory: Int64
  private var now: Int64 = 0

  /// - Parameters:
  ///   - description: the device. If its touch surface is unusable (`description.touch`), only its keys and wheels
  ///     count.
  ///   - interests: the gestures that are bound; of several interests with the same kind and target, the first applies.
  ///   - timing: the times and distances for all gestures that no interest covers.
  ///   - calibration: the mounting of the touch surface.
  ///   - size: the size of the touch surface; nil for the size that the device states.
  ///   - shake: the thresholds of a shake.
  public init(
    description: DeviceDescription, interests: [Interest] = [], timing: Timing = .standard,
    calibration: Calibration = .none,
    size: PhysicalSize? = nil, shake: ShakeParameters = .firm
  ) {
    if case .usable(let surface) = description.touch(calibration, size: size) {
      touch = TouchRecognizer(surface, interests: interests, timing: timing)
    }
    if let surface = description.singleTouch(calibration, size: size) {
      otherTouch = TouchRecognizer(surface, interests: interests, timing: timing)
    }
    keys = KeyRecognizer(description, interests: interests, timing: timing)
    wheels = WheelRecognizer(description, interests: interests, timing: timing)
    motion = MotionRecognizer(description, interests: interests, parameters: shake)
    longestRefractory = interests.reduce(timing.refractory) { max($0, $1.timing.refractory) }
  }

  /// The time until which debounce or a refractory period may still suppress input; a recogniser that starts without
  /// this history could take that input for gestures. Nanoseconds on the frames' clock; `.min` if nothing is
  /// suppressed.
  public var quietAfter: Int64 { max(keys.quietAfter, output.quietAfter(longestRefractory)) }

  /// Copies the debounce and refractory state of the device's former recogniser, which must have no gesture in
  /// progress.
  public mutating func inheritState(from former: DeviceRecognizer) {
    output = former.output
    keys.inheritState(from: former.keys)
  }

  /// Handles one frame and returns the gestures that it completed, in the order in which they became certain. Gestures
  /// that were due before the frame's stamp come first.
  ///
  /// A frame with `isResync` set completes nothing and ends every touch in progress without a gesture. It only ends a
  /// hold whose key is up, and emits a press that waited for a chord.
  public mutating func handle(_ frame: Frame) -> [Gesture] {
    output.forgetReports()
    fire(until: frame.time)
    keys.handle(frame, into: &output)
    chooseTouch(for: frame)
    touch?.handle(frame, into: &output)
    wheels?.handle(frame, into: &output)
    motion?.handle(frame, into: &output)
    return output.drain()
  }

  /// Advances to `time` without events, and returns the gestures that are complete by then.
  public mutating func advance(to time: Int64) -> [Gesture] {
    output.forgetReports()
    fire(until: time)
    return output.drain()
  }

  /// The touches without a gesture, the contacts that never move and the presses that do not count, as found by the
  /// last call of ``handle(_:)`` or ``advance(to:)``.
  public var reports: [InputReport] { output.reports }

  /// The number of presses classified as bouncing and not reported yet; the next press reports them.
  public var bouncing: Int { keys.bouncing }

  /// The positions of the contacts that are down, without palms and hovering ones.
  public var contacts: [Gesture.Position] { touch?.contacts ?? [] }

  /// A contact outside of the surface, which is ignored. Without one, the last contact that lay outside because the
  /// device states its width as height and its height as width.
  public var ghost: InputReport? { touch?.ghost }

  /// Whether a finger is down that has moved within the last minute.
  public var isTouched: Bool { touch?.isTouched ?? false }

  /// Whether no shake is in progress or about to begin.
  public var isStill: Bool { motion?.isAtRest ?? true }

  /// The factor that corrects the accelerometer's scale (``GravityScale``); 1 without an accelerometer.
  public var gravityFactor: Double { motion?.scale.factor ?? 1 }

  /// Ignores motion until `time`, because the device's own motor runs; in nanoseconds on the frames' clock.
  public mutating func ignoreMotion(until time: Int64) { motion?.ignore(until: time) }

  /// The time at which `advance` must be called if no frame comes before; nil while nothing waits.
  public var nextDeadline: Int64? {
    let next = min(keys.deadline, touch?.deadline ?? .max)
    return next == .max ? nil : next
  }

  /// Drops all gestures in progress, because the device was removed or slept. Returns gestures that were waiting only
  /// for a longer one, and the ends of holds.
  ///
  /// - Parameter time: the present time; nil for the time of the last frame.
  @discardableResult
  public mutating func cancel(at time: Int64? = nil) -> [Gesture] {
    output.forgetReports()
    if let time { fire(until: time) }
    keys.cancel(at: now, into: &output)
    touch?.cancel(into: &output)
    wheels?.cancel()
    motion?.cancel()
    return output.drain()
  }

  /// Selects the axes by which the device reports touches.
  private mutating func chooseTouch(for frame: Frame) {
    guard otherTouch != nil else { return }
    if frame.isResync {
      otherTouch?.handle(frame, into: &output)
    } else if frame.events.contains(where: \.isOfSeveralContacts) {
      if usesSingleTouch {
        touch?.cancel(into: &output)
        touch = otherTouch
      }
      otherTouch = nil
    } else if !usesSingleTouch, frame.events.contains(where: \.isTouch) {
      swap(&touch, &otherTouch)
      usesSingleTouch = true
    }
  }

  private mutating func fire(until time: Int64) {
    now = time
    while let due = nextDeadline, due <= time {
      keys.advance(to: due, into: &output)
      touch?.advance(to: due, into: &output)
    }
  }
}
