import Bindings
import Gestures
import InputDevices
import Platform

/// A device in use, from being opened until it is gone: its frames in, bound gestures out.
final class DeviceSession {
  private let device: EvdevDevice
  private let path: String
  private let onGestures: ([BoundGesture]) -> Void
  private let onEnd: (DeviceError) -> Void
  private var bound: BoundDevice
  private var grab: DeviceGrab?
  private var source: DescriptorSource?
  private var deadline: TimerSource?
  private var hasReportedLoss = false
  private var hasReportedScale = false
  /// What another process would need to know if this one died now.
  private let memory: EventMemory?
  /// Up to when the memory of an earlier process has told what was reported.
  private var remembered = Int64.min
  /// The time of the last frame that was handled.
  private var handled = Int64.min

  /// - Parameters:
  ///   - path: the device's node, for messages.
  ///   - memory: what an earlier process left of the device comes first.
  ///   - onEnd: runs once when the device cannot be read any more.
  init(
    loop: EventLoop, device: EvdevDevice, path: String, rule: AppliedRule, memory: EventMemory?,
    onGestures: @escaping ([BoundGesture]) -> Void, onEnd: @escaping (DeviceError) -> Void
  ) throws(SystemError) {
    self.device = device
    self.path = path
    self.memory = memory
    self.onGestures = onGestures
    self.onEnd = onEnd
    bound = BoundDevice(device.description, rule: rule)
    grab = rule.grab ? DeviceGrab() : nil
    begin()
    deadline = try loop.timer { [unowned self] in waited() }
    source = try loop.watch(device.readiness, for: .readable, priority: .input) { [unowned self] _ in read() }
    takeForOneself()
    arm()
  }

  /// Goes on where an earlier process had taken care of everything; without one, with how the device stands.
  private func begin() {
    let state = device.state()
    let past = memory?.content() ?? .init()
    if past.isIncomplete { reportLoss() }
    guard !past.isIncomplete, let first = past.frames.first, let last = past.frames.last else {
      return emit(bound.handle(state))
    }
    emit(bound.handle(EventMemory.quiet(state, at: first.time - 1)))
    for frame in past.frames { emit(bound.handle(frame)) }
    (remembered, handled) = (last.time, last.time)
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
      if former.isTaken { try? device.setGrabbed(false) }
      grab = nil
    }
    arm()
  }

  private func read() {
    do throws(DeviceError) {
      try device.drain { take($0) }
    } catch {
      source = nil
      deadline = nil
      emit(bound.cancel(at: Clock.monotonic()))
      return onEnd(error)
    }
    takeForOneself()
    arm()
  }

  private func take(_ frame: Frame) {
    if device.hasLostEvents { reportLoss() }
    guard frame.isResync || frame.time > remembered else { return }
    handled = frame.time
    emit(bound.handle(frame))
    if bound.gravityFactor != 1 { reportScale() }
    if grab?.step(after: frame) == .letGo {
      try? device.setGrabbed(false)
      grab?.released()
    }
  }

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
    let now = Clock.monotonic()
    read()
    guard source != nil else { return }
    emit(bound.advance(to: now))
    arm()
  }

  private func arm() {
    // What is in progress ends as it began; then nothing is lost by beginning anew.
    if bound.isOutdated, bound.isIdle, !device.hasKeysDown, !device.hasContacts {
      bound.renew(from: device.state())
    }
    // All of it is with the core or in the spool.
    if let memory, bound.isIdle, !device.hasKeysDown, !device.hasContacts { memory.release(upTo: handled) }
    if let time = bound.nextDeadline { deadline?.arm(at: time) } else { deadline?.disarm() }
  }

  private func takeForOneself() {
    guard let grab, !grab.isTaken, grab.step(hasKeysDown: device.hasKeysDown) == .take else { return }
    do {
      try device.setGrabbed(true)
      self.grab?.taken(at: Clock.monotonic())
    } catch {
      ServiceProcess.log(.warning, "\(path) cannot be taken for counting alone yet: \(error).")
    }
  }
}
