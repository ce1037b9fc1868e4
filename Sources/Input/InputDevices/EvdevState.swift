import Clibevdev
import Gestures
import Glibc
import Linux

/// The description and the state of an input device, kept by libevdev: read from the kernel once, then updated by
/// events.
@safe
final class EvdevState {
  private let handle: OpaquePointer

  /// Reads the state from the kernel. The descriptor must have no queued events, because reading the state drops them.
  init(asking descriptor: FileDescriptor) throws(DeviceError) {
    EvdevLog.redirect()
    var made: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(descriptor.number, &made)
    guard result == 0, let made = unsafe made else { throw DeviceError(SystemError("read the device", code: result)) }
    unsafe handle = made
    let description = unsafe DeviceDescription(evdev: made)
    self.description = description
    func codes(_ type: Int32) -> [UInt16] { (description.codes[UInt16(type)] ?? []).sorted() }
    (keys, switches, axes) = (codes(EV_KEY), codes(EV_SW), codes(EV_ABS))
    touchKeys = keys.filter(EventCode.isTouchState)
    countKeys()
  }

  deinit { unsafe libevdev_free(handle) }

  /// The device's description, including the ranges of its axes.
  let description: DeviceDescription

  /// The description's codes, sorted once, because ``events`` needs them whenever the device comes to rest.
  private let keys, switches, axes: [UInt16]
  /// The codes of the device among BTN_TOUCH and BTN_TOOL_….
  private let touchKeys: [UInt16]

  /// The events that describe this state: the keys that are down, the positions of switches and axes, and all slots,
  /// empty ones too. The kernel does not repeat a position that a new contact shares with the previous one.
  var events: [InputEvent] {
    var events: [InputEvent] = []
    func append(_ type: Int32, _ code: UInt16, _ value: Int32) {
      events.append(InputEvent(type: UInt16(type), code: code, value: value))
    }
    for code in hasKeysDown ? keys : [] {
      let value = unsafe libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(code))
      if value != 0 { append(EV_KEY, code, value) }
    }
    for code in switches {
      append(EV_SW, code, unsafe libevdev_get_event_value(handle, UInt32(EV_SW), UInt32(code)))
    }
    for code in axes where code < ABS_MT_SLOT {
      append(EV_ABS, code, unsafe libevdev_get_event_value(handle, UInt32(EV_ABS), UInt32(code)))
    }
    let current = unsafe libevdev_get_current_slot(handle)
    guard current >= 0 else { return events }
    for slot in slots {
      append(EV_ABS, UInt16(ABS_MT_SLOT), Int32(slot))
      for code in axes where code > ABS_MT_SLOT {
        append(EV_ABS, code, unsafe libevdev_get_slot_value(handle, slot, UInt32(code)))
      }
    }
    append(EV_ABS, UInt16(ABS_MT_SLOT), current)
    return events
  }

  /// Whether any key or button (or BTN_TOUCH) is down.
  var hasKeysDown: Bool { keysDown > 0 }

  /// Whether any key or button is down, without BTN_TOUCH and BTN_TOOL_….
  var hasButtonsDown: Bool { keysDown > 0 && keysDown > touchKeys.count(where: isDown) }

  /// Number of keys that are down. Counted, because asking libevdev for each key of a keyboard takes long.
  private var keysDown = 0

  private func countKeys() { keysDown = keys.count(where: isDown) }

  private func isDown(_ key: UInt16) -> Bool {
    unsafe libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(key)) != 0
  }

  private var slots: Range<UInt32> { unsafe 0..<UInt32(max(0, libevdev_get_num_slots(handle))) }

  /// Applies an event to the state.
  ///
  /// - Returns: false for an event that the device cannot report, or that contradicts the state (a second contact in
  ///   one slot).
  func apply(_ event: InputEvent) -> Bool {
    let (type, code) = (UInt32(event.type), UInt32(event.code))
    return switch Int32(event.type) {
    case EV_KEY: applyKey(code, event.value)
    case EV_ABS, EV_SW, EV_LED: unsafe libevdev_set_event_value(handle, type, code, event.value) == 0
    default: unsafe libevdev_has_event_code(handle, type, code) == 1
    }
  }

  private func applyKey(_ code: UInt32, _ value: Int32) -> Bool {
    let wasDown = isDown(UInt16(truncatingIfNeeded: code))
    guard unsafe libevdev_set_event_value(handle, UInt32(EV_KEY), code, value) == 0 else { return false }
    keysDown += (value != 0 ? 1 : 0) - (wasDown ? 1 : 0)
    return true
  }

  /// Restores the state that `events` describe.
  func restore(_ events: [InputEvent]) {
    for code in keys {
      unsafe libevdev_set_event_value(handle, UInt32(EV_KEY), UInt32(code), 0)
    }
    keysDown = 0
    for slot in slots { unsafe libevdev_set_slot_value(handle, slot, UInt32(ABS_MT_TRACKING_ID), -1) }
    for event in events { _ = apply(event) }
  }

  // MARK: After a loss

  /// A result of ``catchUp(with:_:)``.
  enum Finding {
    /// A difference between the old and the present state.
    case difference(InputEvent)
    /// All differences were returned; later findings are new events.
    case caughtUp
    case event(input_event)
  }

  /// The maximum number of events of a resynchronisation, which no device's state reaches. The bound ends the
  /// resynchronisation of a faulty device.
  private static let longest = 65_536

  /// Finds the changes whose events were lost, then reads `descriptor` until it is empty.
  func catchUp(with descriptor: FileDescriptor, _ handleFinding: (Finding) -> Void) throws(DeviceError) {
    defer { countKeys() }
    unsafe libevdev_change_fd(handle, descriptor.number)
    var flag = LIBEVDEV_READ_FLAG_FORCE_SYNC
    var count = 0
    while count < Self.longest {
      let (event, result) = read(flag)
      switch (flag, result) {
      case (LIBEVDEV_READ_FLAG_SYNC, -EAGAIN):
        handleFinding(.caughtUp)
        (flag, count) = (LIBEVDEV_READ_FLAG_NORMAL, 0)
      case (_, -EAGAIN): return
      case (LIBEVDEV_READ_FLAG_SYNC, Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue)):
        if event.type != EV_SYN { handleFinding(.difference(InputEvent(event))) }
        count += 1
      case (_, Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue)): flag = LIBEVDEV_READ_FLAG_SYNC
      case (_, Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue)): handleFinding(.event(event))
      case (_, -EINTR): continue
      default: throw DeviceError(SystemError("read the device", code: result))
      }
    }
    throw .failed(SystemError("read the state of the device", code: EOVERFLOW))
  }

  private func read(_ flag: libevdev_read_flag) -> (input_event, Int32) {
    var event = input_event()
    let result = unsafe libevdev_next_event(handle, UInt32(flag.rawValue), &event)
    return (event, result)
  }
}
