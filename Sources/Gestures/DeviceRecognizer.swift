/// Recognises the gestures that a person makes with one device, whatever it has: keys, a touch surface, wheels, a
/// motion sensor.
///
/// A value without a clock: it is driven by the frames' own stamps alone, so a recording gives the same gestures in one
/// burst as it did live. Whoever drives it hands over every frame in order, first of all one with `isResync` set that
/// says how things stand when the device is opened (keys held, contacts and where each slot last was), for the kernel
/// never repeats what does not change.
///
/// Presses, taps, long touches, swipes and turns are recognised whether or not anybody has an interest in them, and
/// none of them waits. What can only be told from another gesture by waiting, or is part of another one, is recognised
/// where it is wished for, and only there does anything wait.
public struct DeviceRecognizer: Sendable {
  private var keys: KeyRecognizer
  private var touch: TouchRecognizer?
  private var wheels: WheelRecognizer?
  private var motion: MotionRecognizer?
  private var output = GestureOutput()
  private let longestRefractory: Int64
  private var now: Int64 = 0

  /// - Parameters:
  ///   - description: what the device says of itself. Where its touch surface is unusable (`description.touch`), only
  ///     its keys and wheels are listened to.
  ///   - wishes: the gestures that somebody has an interest in; of several for the same spot the first one applies.
  ///   - timing: the times and distances by which all else is told apart.
  ///   - calibration: how its touch surface is mounted.
  ///   - shake: what a shake must be like.
  public init(
    description: DeviceDescription, wishes: [Wish] = [], timing: Timing = .standard, calibration: Calibration = .none,
    shake: ShakeParameters = .firm
  ) {
    if case .usable(let surface) = description.touch(calibration) {
      touch = TouchRecognizer(surface, wishes: wishes, timing: timing)
    }
    keys = KeyRecognizer(description, wishes: wishes, timing: timing)
    wheels = WheelRecognizer(description, wishes: wishes, timing: timing)
    motion = MotionRecognizer(description, wishes: wishes, parameters: shake)
    longestRefractory = wishes.reduce(timing.refractory) { max($0, $1.timing.refractory) }
  }

  /// Until when what the device reports may be no gesture only because of what was there before: the bouncing of a key, or
  /// what follows a gesture too closely. Who knew nothing of that would take it for one. In nanoseconds on the frames'
  /// clock; the beginning of time where there is no such thing.
  public var settled: Int64 { max(keys.settled, output.settled(longestRefractory)) }

  /// Goes on from where another recogniser of this device stood, in which nothing was in progress.
  public mutating func follow(_ former: DeviceRecognizer) {
    output = former.output
    keys.follow(former.keys)
  }

  /// Takes one frame in and returns the gestures that it completed, in the order in which they became certain. What was
  /// due before the frame's own stamp comes first.
  ///
  /// A frame with `isResync` set completes nothing and ends every touch in progress without a gesture. It only ends a
  /// hold whose key turns out to be up, and gives a press that waited whether it would become a chord.
  public mutating func handle(_ frame: Frame) -> [Gesture] {
    fire(until: frame.time)
    keys.handle(frame, into: &output)
    touch?.handle(frame, into: &output)
    wheels?.handle(frame, into: &output)
    motion?.handle(frame, into: &output)
    return output.handOver()
  }

  /// Tells the recogniser that the device reported nothing until `time`, and returns what that completed.
  public mutating func advance(to time: Int64) -> [Gesture] {
    fire(until: time)
    return output.handOver()
  }

  /// Whether the device is not being moved in a way that is a shake, or may become one.
  public var isStill: Bool { motion?.isAtRest ?? true }

  /// By how much what its accelerometer says is put right (``GravityScale``); 1 where it has none.
  public var gravityFactor: Double { motion?.scale.factor ?? 1 }

  /// The device itself vibrates until `time`, in nanoseconds on the frames' clock: that is no shake.
  public mutating func ignoreMotion(until time: Int64) { motion?.ignore(until: time) }

  /// When `advance` must be called if no frame comes before; nil while nothing waits.
  public var nextDeadline: Int64? {
    let next = min(keys.deadline, touch?.deadline ?? .max)
    return next == .max ? nil : next
  }

  /// The device is gone or was asleep: nothing stays pressed, and what was in progress was nothing. Returns what had
  /// been done and only waited whether more follows, and the end of what was held.
  ///
  /// - Parameter time: when that became known; without it, when anything was heard of the device last.
  @discardableResult
  public mutating func cancel(at time: Int64? = nil) -> [Gesture] {
    if let time { fire(until: time) }
    keys.cancel(at: now, into: &output)
    touch?.cancel(into: &output)
    wheels?.cancel()
    motion?.cancel()
    return output.handOver()
  }

  private mutating func fire(until time: Int64) {
    now = time
    while let due = nextDeadline, due <= time {
      keys.advance(to: due, into: &output)
      touch?.advance(to: due, into: &output)
    }
  }
}
