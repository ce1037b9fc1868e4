import CLinux
import Clibevdev
public import Gestures
import Glibc
public import Platform

/// An input device of the kernel, open for reading: its events become ``Frame``s.
///
/// Stamps are those of `CLOCK_MONOTONIC`. What the kernel had to drop is made good by one frame that says how things
/// stand (``Frame/isResync``). Used by one thread.
@safe
public final class EvdevDevice {
  /// What the device says of itself, axes included.
  public private(set) var description: DeviceDescription

  private let descriptor: Descriptor
  private let handle: OpaquePointer
  private var events: [InputEvent] = []

  /// More events than any frame of the kernel has; a longer one is cut there.
  private static let longestFrame = 4096
  /// More than the state of any device takes; a resynchronisation that goes on longer will never end.
  private static let longestResync = 65_536

  /// Opens the device behind `path`, which is never written to.
  ///
  /// - Throws: `denied` without the right, `gone` where nothing is, `failed` where it is no input device.
  public convenience init(path: String) throws(DeviceError) {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw DeviceError(.current("open \(path)")) }
    try self.init(reading: Descriptor(owning: number))
  }

  /// Opens a device that udev was asked about; what udev knows of it is part of its description then.
  public convenience init(node: DeviceNode) throws(DeviceError) {
    try self.init(path: node.path)
    description.udev = node.properties
    description.links = node.description.links
  }

  /// Reads from a descriptor that is open already.
  public init(reading descriptor: Descriptor) throws(DeviceError) {
    EvdevLog.redirect()
    var made: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(descriptor.number, &made)
    guard result == 0, let made = unsafe made else { throw DeviceError(SystemError("read the device", code: result)) }
    self.descriptor = descriptor
    unsafe handle = made
    unsafe description = DeviceDescription(evdev: made)
    let clock = unsafe libevdev_set_clock_id(made, CLOCK_MONOTONIC)
    guard clock == 0 else { throw DeviceError(SystemError("set the clock of the device", code: clock)) }
  }

  deinit { unsafe libevdev_free(handle) }

  /// Whether the kernel has dropped events because they were not read in time.
  public private(set) var hasLostEvents = false

  /// What a loop waits for: readable when ``drain(_:)`` has something to do.
  public var readiness: Int32 { descriptor.number }

  /// Gives all frames that the kernel has ready to `handle`, oldest first.
  ///
  /// - Throws: `gone` once the device is; frames that were read until then have been handled.
  public func drain(_ handle: (Frame) -> Void) throws(DeviceError) {
    while let status = try next(flag: LIBEVDEV_READ_FLAG_NORMAL) {
      if status.isDrop {
        try resynchronize(since: status.event, handle)
      } else if status.event.type == EV_SYN, status.event.code == SYN_REPORT {
        emit(at: status.event, isResync: Frame.isMadeUp(report: status.event.value, events), handle)
      } else {
        take(status.event)
        if events.count == Self.longestFrame { emit(at: status.event, handle) }
      }
    }
  }

  /// How things stand now, for a recogniser that has seen nothing of the device: keys held, contacts on the glass.
  ///
  /// Its stamp is the time of the call.
  public func state() -> Frame {
    unsafe Frame(time: Clock.monotonic(), events: description.state(of: handle), isResync: true)
  }

  /// Whether any key or button (a touch counts as one) is held, as far as the drained frames tell.
  public var hasKeysDown: Bool {
    let keys = description.codes[UInt16(EV_KEY)] ?? []
    return keys.contains { code in unsafe libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(code)) != 0 }
  }

  /// Whether any contact is on the surface (or hovers above it), as far as the drained frames tell.
  public var hasContacts: Bool {
    (0..<max(0, unsafe libevdev_get_num_slots(handle))).contains { slot in
      unsafe libevdev_get_slot_value(handle, UInt32(slot), UInt32(ABS_MT_TRACKING_ID)) >= 0
    }
  }

  /// Takes the device for this process alone, or lets it go again; closing lets go as well.
  ///
  /// - Throws: `failed` with `EBUSY` where another program has taken it.
  public func setGrabbed(_ grabbed: Bool) throws(DeviceError) {
    let result = unsafe libevdev_grab(handle, grabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    guard result == 0 else {
      throw DeviceError(
        SystemError(grabbed ? "take the device for this program alone" : "let the device go", code: result))
    }
  }

  // MARK: Reading

  private struct Status {
    let event: input_event
    /// In normal reading: the kernel dropped events. In a resynchronisation: there is more to come.
    let isDrop: Bool
  }

  private func next(flag: libevdev_read_flag) throws(DeviceError) -> Status? {
    var event = input_event()
    while true {
      let result = unsafe libevdev_next_event(handle, UInt32(flag.rawValue), &event)
      switch result {
      case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): return Status(event: event, isDrop: false)
      case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue): return Status(event: event, isDrop: true)
      case -EAGAIN: return nil
      case -EINTR: continue
      default: throw DeviceError(SystemError("read the device", code: result))
      }
    }
  }

  /// Events of the frame that the loss cut off stay in it: libevdev has them in its state already and will not
  /// report them as a difference again.
  private func resynchronize(since drop: input_event, _ handle: (Frame) -> Void) throws(DeviceError) {
    hasLostEvents = true
    for _ in 0..<Self.longestResync {
      guard let status = try next(flag: LIBEVDEV_READ_FLAG_SYNC) else {
        emit(at: drop, isResync: true, handle)
        return
      }
      if status.event.type != EV_SYN { take(status.event) }
    }
    throw .failed(SystemError("find out how the device stands", code: EOVERFLOW))
  }

  private func take(_ event: input_event) {
    events.append(InputEvent(type: event.type, code: event.code, value: event.value))
  }

  private func emit(at event: input_event, isResync: Bool = false, _ handle: (Frame) -> Void) {
    guard isResync || !events.isEmpty else { return }
    var event = event
    let frame = Frame(time: unsafe evdev_event_nanoseconds(&event), events: events, isResync: isResync)
    events.removeAll(keepingCapacity: true)
    handle(frame)
  }
}
