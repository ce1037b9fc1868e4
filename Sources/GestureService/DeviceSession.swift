import Bindings
import Gestures
import InputDevices
import Platform

/// A device in use, from being opened until it is gone: its frames in, bound gestures out.
final class DeviceSession {
  private let device: EvdevDevice
  private let path: String
  private let onGestures: ([BoundGesture]) -> Void
  private let onQuiet: () -> Void
  private let onEnd: (DeviceError) -> Void
  private var bound: BoundDevice
  private var grab: DeviceGrab?
  private var grabAgain: TimerSource?
  private var grabWait = DeviceSession.grabPatience
  private var source: DescriptorSource?
  private var deadline: TimerSource?
  private var hasReportedLoss = false
  private var hasReportedScale = false
  private var sleep = SleepWatch()
  /// What the device reported up to then was done before the machine slept; nil where nothing is known of a sleep.
  private var fellAsleep: Int64?

  /// How long to wait before a device that another program has is tried to be taken again, in nanoseconds; nothing tells
  /// when that program lets it go.
  private static let grabPatience = Backoff(shortest: 100_000_000, longest: 30_000_000_000)

  /// - Parameters:
  ///   - path: the device's node, for messages.
  ///   - onGestures: gets what was done, some of it before this returns where an earlier process left it.
  ///   - onQuiet: runs whenever all that was reported is taken care of, and no later process will come to it again.
  ///   - onEnd: runs once when the device cannot be read any more; then it is to be finished.
  init(
    loop: EventLoop, device: EvdevDevice, path: String, rule: AppliedRule,
    onGestures: @escaping ([BoundGesture]) -> Void, onQuiet: @escaping () -> Void,
    onEnd: @escaping (DeviceError) -> Void
  ) throws(SystemError) {
    self.device = device
    self.path = path
    self.onGestures = onGestures
    self.onQuiet = onQuiet
    self.onEnd = onEnd
    bound = BoundDevice(device.description, rule: rule)
    grab = rule.grab ? DeviceGrab() : nil
    if device.isContinued, !rule.grab { letGo() }
    if device.hasLostEvents { reportLoss() }
    emit(bound.handle(device.beginning))
    deadline = try loop.timer { [unowned self] in waited() }
    grabAgain = try loop.timer { [unowned self] in takeForOneself() }
    source = try loop.watch(device.readiness, for: .readable, priority: .input) { [unowned self] _ in read() }
    // One that is gone by now is heard of through the loop.
    try? device.drain { take($0) }
    takeForOneself()
    arm()
  }

  /// What the device says of itself.
  var description: DeviceDescription { device.description }

  /// The device itself vibrates until then, which is no shake.
  func ignoreMotion(until time: Int64) { bound.ignoreMotion(until: time) }

  /// Goes on by another rule: what was reported until now is judged by the former one, and touches and keys that are
  /// down stay down.
  func rebind(_ rule: AppliedRule) {
    read()
    guard source != nil else { return }
    bound.rebind(rule)
    if rule.grab, grab == nil {
      grab = DeviceGrab()
      takeForOneself()
    } else if !rule.grab, let former = grab {
      if former.isTaken { letGo() }
      grab = nil
    }
    arm()
  }

  private func read() {
    // Whatever came before the sleep is older than the whole of it; only what has come since can be younger.
    if let length = sleep.slept() { fellAsleep = Clock.boottime() - length }
    do throws(DeviceError) {
      try device.drain { take($0) }
      wakeUp()
    } catch {
      (source, deadline, grabAgain) = (nil, nil, nil)
      return onEnd(error)
    }
    takeForOneself()
    arm()
  }

  private func take(_ frame: Frame) {
    if device.hasLostEvents { reportLoss() }
    if let fellAsleep, frame.time > fellAsleep { wakeUp() }
    emit(bound.handle(frame))
    if bound.gravityFactor != 1 { reportScale() }
    if grab?.step(after: frame) == .letGo {
      letGo()
      grab?.released()
    }
  }

  /// Nobody goes on after a sleep with what he was doing before it: a finger or a key that was down is nothing, and a tap
  /// that waited whether it is a double-tap was one tap.
  private func wakeUp() {
    guard fellAsleep != nil else { return }
    fellAsleep = nil
    emit(bound.cancel())
  }

  /// Nothing more is read after this: what was reported until now is all there is, and what waited whether more follows was
  /// done.
  func finish() {
    try? device.drain { take($0) }
    emit(bound.cancel(at: Clock.boottime()))
  }

  /// Gives the device back to all programs, which what is kept of it for the next process would not.
  func letGo() { device.letGo() }

  /// What was lost is never guessed; but that it was is said, once for each device.
  private func reportLoss() {
    guard !hasReportedLoss else { return }
    hasReportedLoss = true
    ServiceProcess.log(
      .warning, "The kernel dropped events of \(path) because they were not read in time; presses may be missing.")
  }

  private func reportScale() {
    guard !hasReportedScale else { return }
    hasReportedScale = true
    ServiceProcess.log(
      .warning, "\(path) does not feel 9.8 m/s² at rest: its scale is wrong, and what it says is put right.")
  }

  private func emit(_ gestures: [BoundGesture]) {
    if !gestures.isEmpty { onGestures(gestures) }
  }

  /// What the kernel holds is older than this moment and comes first.
  private func waited() {
    let now = Clock.boottime()
    read()
    guard source != nil else { return }
    emit(bound.advance(to: now))
    arm()
  }

  private func arm() {
    let isIdle = bound.isIdle && !device.hasKeysDown && !device.hasContacts
    // What is in progress ends as it began; then nothing is lost by beginning anew.
    if bound.isOutdated, isIdle { bound.renew(from: device.state()) }
    let settles = bound.settled > Clock.boottime() ? bound.settled : nil
    // All of it is with the core or in the spool, and the next process needs none of it to judge what comes.
    if isIdle, settles == nil, device.release() { onQuiet() }
    if let time = bound.nextDeadline ?? settles { deadline?.arm(at: time) } else { deadline?.disarm() }
  }

  private func takeForOneself() {
    guard let grab, !grab.isTaken, grab.step(hasKeysDown: device.hasKeysDown) == .take else { return }
    do {
      let wasTaken = try device.take()
      self.grab?.taken(at: wasTaken ? .min : Clock.boottime())
      grabWait = Self.grabPatience
    } catch {
      if grabWait == Self.grabPatience {
        ServiceProcess.log(.warning, "\(path) cannot be taken for counting alone yet: \(error).")
      }
      grabAgain?.arm(at: Clock.boottime() + grabWait.next())
    }
  }
}
