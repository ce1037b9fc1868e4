import CLinux
import Clibevdev
public import Gestures
import Glibc
public import Linux

/// An input device of the kernel, open for reading: its events become ``Frame``s.
///
/// Frames have `CLOCK_BOOTTIME` stamps. After SYN_DROPPED one frame states the present state (``Frame/isResync``). The
/// descriptor and the event log can outlive the process (``descriptors``); the next process then continues at the same
/// position. Used by one thread.
@safe
public final class EvdevDevice {
  /// The device's description, including the ranges of its axes.
  public private(set) var description: DeviceDescription
  /// The state before the first frame of ``drain(_:)``: keys held, contacts on the surface.
  public let beginning: Frame
  /// Whether the descriptor comes from an earlier process.
  public let isContinued: Bool
  /// Whether the kernel's buffer overflowed, so that events were lost.
  public private(set) var didOverflow = false

  private let descriptor: FileDescriptor
  private let log: EventLog
  /// The state after the drained frames.
  private let current: EvdevState
  private var events: [InputEvent] = []
  private var synthesized = SynthesizedReports()
  /// The time at which the initial state had been read. The state includes the events that the kernel dropped before
  /// that time.
  private let asked: Int64

  /// The maximum number of events of a frame, which no device reaches; a longer frame is split.
  private static let longestFrame = 4096

  /// Opens the device at `path` for reading only.
  ///
  /// - Parameter kept: the ``descriptors`` of an earlier process, in any order; descriptors of anything else are
  ///   closed.
  /// - Throws: `denied` without permission, `gone` if the node does not exist, `failed` if it is no input device.
  public init(path: String, kept: [FileDescriptor] = []) throws(DeviceError) {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path)")) }
    let opened = FileDescriptor(owning: number)
    // The clock is set before the state is read, because setting it makes the kernel drop its queue. The kernel reports
    // that by SYN_DROPPED, but only before the next report.
    let clock = linux_input_use_boottime(number)
    let now = Clock.boottime()
    asked = now
    current = try EvdevState(asking: opened)
    description = current.description
    if let earlier = Self.earlier(kept) {
      (descriptor, log) = earlier
      isContinued = true
    } else {
      descriptor = opened
      do throws(SystemError) { log = try EventLog() } catch { throw DeviceError(error) }
      isContinued = false
      guard clock == 0 else { throw DeviceError(SystemError("set the clock of the device", code: clock)) }
    }
    if let events = log.beginning() {
      current.restore(events)
      var first = log.peek() ?? evdev_event(now, 0, 0, 0)
      beginning = Frame(time: unsafe evdev_event_nanoseconds(&first), events: current.events, isResync: true)
    } else {
      didOverflow = log.isIncomplete
      beginning = Frame(time: now, events: current.events, isResync: true)
      log.begin(with: beginning.events, at: now)
    }
  }

  /// Opens the device of a node, and adds the node's udev properties and links, and the size of the display behind a
  /// touchscreen, to the description.
  public convenience init(node: DeviceNode, kept: [FileDescriptor] = []) throws(DeviceError) {
    try self.init(path: node.path, kept: kept)
    description.udev = node.properties
    description.links = node.description.links
    if description.properties.contains(EventCode.INPUT_PROP_DIRECT) { description.display = ConnectedDisplay.size() }
  }

  /// The descriptor for an event loop: readable when ``drain(_:)`` has events.
  public var readiness: FileDescriptor { descriptor }

  /// The present state for a new recogniser, stamped with the time of the call.
  public func state() -> Frame { Frame(time: Clock.boottime(), events: current.events, isResync: true) }

  /// Whether any key or button (or BTN_TOUCH) is down after the drained frames.
  public var hasKeysDown: Bool { current.hasKeysDown }

  /// Whether any key or button is down, without BTN_TOUCH and BTN_TOOL_…: a broken contact never lifts.
  public var hasButtonsDown: Bool { current.hasButtonsDown }

  /// Grabs the device (EVIOCGRAB) until ``ungrab()``, or until the last copy of the descriptor is closed. The grab of
  /// an earlier process continues without a gap, so that no press reaches another program.
  ///
  /// - Returns: whether the device was grabbed already.
  /// - Throws: `failed` with `EBUSY` if another program has grabbed it.
  public func grab() throws(DeviceError) -> Bool {
    if log.isGrabbed { return true }
    var result = linux_input_grab(descriptor.number, 1)
    if result == -EBUSY, isContinued {
      // An earlier process may have ended between the grab through this descriptor and the entry of the grab in the
      // log.
      _ = linux_input_grab(descriptor.number, 0)
      result = linux_input_grab(descriptor.number, 1)
    }
    guard result == 0 else {
      throw DeviceError(SystemError("take the device for this program alone", code: result))
    }
    log.isGrabbed = true
    return false
  }

  /// Ends the grab; does nothing without one.
  public func ungrab() {
    log.isGrabbed = false
    _ = linux_input_grab(descriptor.number, 0)
  }

  // MARK: Outliving the process

  /// The descriptors to keep for the next process: the device's, and the log of events since the last ``release()``.
  public var descriptors: [FileDescriptor] { [descriptor, log.descriptor] }

  /// Drops the drained events from the log; a later process will begin with the present state. Must be called only
  /// while no gesture is in progress.
  ///
  /// - Returns: whether the log held events.
  public func release() -> Bool {
    guard events.isEmpty, log.holdsEvents else { return false }
    log.begin(with: current.events, at: Clock.boottime())
    return true
  }

  /// Whether the log holds events that ``release()`` would drop.
  public var holdsEvents: Bool { log.holdsEvents }

  private static func earlier(_ kept: [FileDescriptor]) -> (FileDescriptor, EventLog)? {
    guard kept.count == 2 else { return nil }
    for (descriptor, other) in [(kept[0], kept[1]), (kept[1], kept[0])] {
      // The event log is recognised by its content; the other descriptor must be a device, which cannot seek.
      if let log = try? EventLog(other), lseek(descriptor.number, 0, SEEK_CUR) < 0 { return (descriptor, log) }
    }
    return nil
  }

  // MARK: Reading

  /// Passes all frames that are ready to `handle`, oldest first: those in the log of an earlier process, then the
  /// kernel's.
  ///
  /// - Throws: `gone` once the device is removed, after all frames read before were handled.
  public func drain(_ handle: (Frame) -> Void) throws(DeviceError) {
    // A short read means that the kernel's queue is empty.
    var isDrained = false
    while true {
      while let event = log.next() {
        if event.type == EV_SYN, event.code == SYN_DROPPED {
          if !isContinued, isKnown(event) { continue }
          log.skip()
          try catchUp(since: event, handle)
        } else if current.apply(InputEvent(event)) {
          take(event, handle)
        }
      }
      guard !isDrained, try read() else { return }
      isDrained = log.isDrained
    }
  }

  /// Whether the state that was read at the opening includes the events that this SYN_DROPPED reports as dropped. Later
  /// events are not included.
  private func isKnown(_ drop: input_event) -> Bool {
    var drop = drop
    return unsafe evdev_event_nanoseconds(&drop) <= asked
  }

  private func read() throws(DeviceError) -> Bool {
    do throws(SystemError) { return try log.fill(from: descriptor) } catch { throw DeviceError(error) }
  }

  /// Handles a loss of events. Events of the frame from before the loss are kept; the state already includes them.
  private func catchUp(since drop: input_event, _ handle: (Frame) -> Void) throws(DeviceError) {
    didOverflow = true
    try current.catchUp(with: descriptor) { finding in
      switch finding {
      case .difference(let event): events.append(event)
      case .caughtUp: emit(at: drop, isResync: true, handle)
      case .event(let event): take(event, handle)
      }
    }
  }

  private func take(_ event: input_event, _ handle: (Frame) -> Void) {
    guard event.type == EV_SYN, event.code == SYN_REPORT else {
      events.append(InputEvent(event))
      if events.count == Self.longestFrame { emit(at: event, handle) }
      return
    }
    emit(at: event, isResync: synthesized.contain(events, report: event.value), handle)
  }

  private func emit(at event: input_event, isResync: Bool = false, _ handle: (Frame) -> Void) {
    guard isResync || !events.isEmpty else { return }
    var event = event
    let frame = Frame(time: unsafe evdev_event_nanoseconds(&event), events: events, isResync: isResync)
    events.removeAll(keepingCapacity: true)
    handle(frame)
  }
}
