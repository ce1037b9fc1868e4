import Bindings
import Gestures
import InputDevices
import Linux
import Tallymark

/// A device in use, from opening to removal: reads frames and emits bound gestures.
final class DeviceSession {
  private let device: EvdevDevice
  private let path: String
  private let onGestures: ([BoundGesture]) -> Void
  private let onQuiet: () -> Void
  private let onEnd: (DeviceError) -> Void
  private var bound: BoundDevice
  /// Relays the device's events while it is grabbed.
  private let relayed: RelayedDevice?
  private var grab: DeviceGrab?
  private var grabAgain: TimerSource?
  private var grabWait = DeviceSession.grabPatience
  private var source: DescriptorSource?
  private var deadline: TimerSource?
  /// Runs ``releaseEvents()`` while the device holds events for the next process.
  private var release: TimerSource?
  private var isReleaseArmed = false
  /// Gestures before this time belong to the press that made the device connect.
  private var connectingUntil = Int64.min
  private var hasReportedLoss = false
  private var hasReportedScale = false
  private var ignored = IgnoredStrokes()
  /// The kinds of faults that were logged.
  private var reported: Set<InputReport.Kind> = []
  private var sleep = SuspendDetector()
  /// The time of a suspension that has not been handled; nil otherwise.
  private var fellAsleep: Int64?

  /// The pauses between attempts to grab a device that another program has grabbed, in nanoseconds. The kernel does not
  /// report the end of that grab.
  private static let grabPatience = Backoff(shortest: 100_000_000, longest: 30_000_000_000)

  /// The interval at which events that no later process needs are dropped, in nanoseconds. One timer per interval costs
  /// less than a timer per edge.
  private static let releaseInterval: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - path: the device's node, for messages.
  ///   - relayed: the device for programs that do not receive its events while it is grabbed.
  ///   - onGestures: receives the gestures; events in the log of an earlier process can call it before this returns.
  ///   - onQuiet: called when all reports are delivered or spooled, and no later process will read them again.
  ///   - onEnd: called once when the device cannot be read any more; the owner then calls ``finish()``.
  init(
    loop: EventLoop, device: EvdevDevice, path: String, rule: AppliedRule, relayed: RelayedDevice? = nil,
    onGestures: @escaping ([BoundGesture]) -> Void, onQuiet: @escaping () -> Void,
    onEnd: @escaping (DeviceError) -> Void
  ) throws(SystemError) {
    self.device = device
    self.path = path
    self.relayed = relayed
    self.onGestures = onGestures
    self.onQuiet = onQuiet
    self.onEnd = onEnd
    bound = BoundDevice(device.description, rule: rule)
    grab = rule.grab ? DeviceGrab() : nil
    relayed?.used(through: device.readiness)
    relayed?.ignored = { [weak self] in self?.ignoredSoFar ?? IgnoredStrokes() }
    if device.isContinued, !rule.grab { ungrab() }
    if device.didOverflow { reportLoss() }
    emit(bound.handle(device.beginning))
    deadline = try loop.timer { [unowned self] in waited() }
    release = try loop.timer { [unowned self] in
      isReleaseArmed = false
      releaseEvents()
      armRelease()
    }
    grabAgain = try loop.timer { [unowned self] in grabIfIdle() }
    source = try loop.watch(device.readiness, for: .readable, priority: .input) { [unowned self] _ in read() }
    // If the device was removed meanwhile, the loop reports that.
    try? device.drain { take($0) }
    grabIfIdle()
    arm()
  }

  var description: DeviceDescription { device.description }

  /// The time after a connection, in nanoseconds, in which a press is taken for the press that made the device connect.
  /// The firmware of such remotes was observed to deliver that press up to a second late, or not at all.
  static let connectingTime: Int64 = 1_000_000_000

  /// Handles a connection of the device, at `time`, that was caused by a press.
  ///
  /// - Parameter counts: whether this node counts the press: only one of a device's nodes does.
  func connected(at time: Int64, counts: Bool) {
    connectingUntil = time + Self.connectingTime
    let held = device.beginning.events.first { $0.type == EventCode.EV_KEY && $0.value == 1 }?.code
    if counts, let press = bound.connectingPress(at: time, held: held) { onGestures([press]) }
  }

  /// Ignores motion until `time`, because the device's own motor runs.
  func ignoreMotion(until time: Int64) { bound.ignoreMotion(until: time) }

  /// Applies another rule. Earlier events are judged by the former rule; touches and keys that are down stay down.
  func rebind(_ rule: AppliedRule) {
    read()
    guard source != nil else { return }
    bound.rebind(rule)
    if rule.grab, grab == nil {
      grab = DeviceGrab()
      grabIfIdle()
    } else if !rule.grab, let former = grab {
      if former.isGrabbed { ungrab() }
      grab = nil
    }
    arm()
  }

  private func read() {
    // Events from before the suspension have earlier times than this.
    if let length = sleep.suspendedTimeSinceLastCheck() { fellAsleep = Clock.boottime() - length }
    do throws(DeviceError) {
      try device.drain { take($0) }
      wakeUp()
    } catch {
      (source, deadline, release, grabAgain) = (nil, nil, nil, nil)
      return onEnd(error)
    }
    grabIfIdle()
    arm()
  }

  private func take(_ frame: Frame) {
    if device.didOverflow { reportLoss() }
    relayed?.pass(frame)
    if let fellAsleep, frame.time > fellAsleep { wakeUp() }
    emit(bound.handle(frame))
    reportTouches()
    if bound.gravityFactor != 1 { reportScale() }
    if grab?.step(after: frame) == .ungrab {
      ungrab()
      grab?.ungrabbed()
    }
  }

  /// Ends gestures in progress after a suspension: a finger or key that was down makes no gesture, and a tap that
  /// waited for a second one is a single tap.
  private func wakeUp() {
    guard fellAsleep != nil else { return }
    fellAsleep = nil
    emit(bound.cancel())
  }

  /// Reads the remaining events and emits the gestures that only waited for a longer one. Nothing is read after this.
  func finish() {
    try? device.drain { take($0) }
    emit(bound.cancel(at: Clock.boottime()))
  }

  /// Ends the grab, which would otherwise last until the descriptor kept for the next process is closed.
  func ungrab() {
    device.ungrab()
    relayed?.released()
  }

  /// Logs an overflow once per device. Lost events are never guessed.
  private func reportLoss() {
    guard !hasReportedLoss else { return }
    hasReportedLoss = true
    ServiceProcess.log(
      .warning, "The kernel dropped events of \(path) because they were not read in time; presses may be missing.")
  }

  private var ignoredSoFar: IgnoredStrokes {
    IgnoredStrokes(bounced: ignored.bounced + bound.bouncing, typed: ignored.typed)
  }

  private func reportTouches() {
    for fault in bound.faults {
      ignored.add(fault)
      switch fault {
      case .stuck, .neverLifts, .typed: break
      case .outside, .bounced, .overturned, .nothing, .loneModifier, .loneScan:
        // One line per kind is enough, because such a fault is permanent.
        guard reported.insert(fault.kind).inserted else { continue }
      }
      let sentence =
        if case .nothing(let reason, _) = fault { "a touch was no gesture: \(reason)" } else { fault.sentence }
      ServiceProcess.log(.notice, "\(path): \(sentence).")
    }
    guard Self.isDebugging else { return }
    // The line omits the position, which could be a key of a PIN.
    for flaw in bound.flaws { ServiceProcess.log(.info, "\(path): a touch was no gesture: \(flaw).") }
  }

  /// Whether each touch without a gesture is logged, as with `SYSTEMD_LOG_LEVEL=debug`.
  private static let isDebugging = ServiceProcess.environment("SYSTEMD_LOG_LEVEL") == "debug"

  private func reportScale() {
    guard !hasReportedScale else { return }
    hasReportedScale = true
    ServiceProcess.log(
      .warning, "\(path) does not measure 9.8 m/s² at rest: its scale is wrong, and its readings are corrected.")
  }

  private func emit(_ gestures: [BoundGesture]) {
    let gestures = connectingUntil == .min ? gestures : gestures.filter { $0.gesture.time >= connectingUntil }
    if !gestures.isEmpty { onGestures(gestures) }
  }

  /// Handles a deadline. Queued events are older and are read first.
  private func waited() {
    let now = Clock.boottime()
    read()
    guard source != nil else { return }
    emit(bound.advance(to: now))
    reportTouches()
    arm()
  }

  private var isIdle: Bool { bound.isIdle && !device.hasButtonsDown }

  private func arm() {
    // A gesture in progress is judged to its end by the rule with which it began.
    if bound.isOutdated, isIdle { bound.renew(from: device.state()) }
    if let time = bound.nextDeadline { deadline?.arm(at: time) } else { deadline?.disarm() }
    armRelease()
  }

  private func armRelease() {
    guard !isReleaseArmed, device.holdsEvents else { return }
    isReleaseArmed = true
    release?.arm(at: Clock.boottime() + Self.releaseInterval)
  }

  /// Drops the events that are kept for the next process, if it does not need them: every gesture is recorded in the
  /// core or the spool, and neither debounce nor a refractory period is in progress.
  func releaseEvents() {
    guard device.holdsEvents, isIdle, bound.quietAfter <= Clock.boottime(), device.release() else { return }
    onQuiet()
  }

  private func grabIfIdle() {
    guard let grab, !grab.isGrabbed, grab.step(hasKeysDown: device.hasKeysDown) == .grab else { return }
    do {
      let wasGrabbed = try device.grab()
      let time = wasGrabbed ? .min : Clock.boottime()
      self.grab?.grabbed(at: time)
      relayed?.held(since: time)
      grabWait = Self.grabPatience
    } catch {
      if grabWait == Self.grabPatience {
        ServiceProcess.log(.warning, "\(path) cannot be grabbed yet; other programs get its events, too: \(error).")
      }
      grabAgain?.arm(at: Clock.boottime() + grabWait.next())
    }
  }
}
