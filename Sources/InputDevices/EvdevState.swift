import Clibevdev
import Gestures
import Glibc
import Platform

/// What an input device is and how it stands, as libevdev knows it from asking the kernel once and from the events since.
@safe
final class EvdevState {
  private let handle: OpaquePointer

  /// Asks the kernel, through an opening that nothing waits in: the kernel would drop it as known.
  init(asking opening: Descriptor) throws(DeviceError) {
    EvdevLog.redirect()
    var made: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(opening.number, &made)
    guard result == 0, let made = unsafe made else { throw DeviceError(SystemError("read the device", code: result)) }
    unsafe handle = made
    unsafe description = DeviceDescription(evdev: made)
  }

  deinit { unsafe libevdev_free(handle) }

  /// What the device says of itself, axes included.
  let description: DeviceDescription

  /// What would bring a device nobody has seen yet to where this one is.
  var events: [InputEvent] { unsafe description.state(of: handle) }

  /// Whether any key or button (a touch counts as one) is held.
  var hasKeysDown: Bool {
    let keys = description.codes[UInt16(EV_KEY)] ?? []
    return keys.contains { code in unsafe libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(code)) != 0 }
  }

  /// Whether any contact is on the surface (or hovers above it).
  var hasContacts: Bool {
    slots.contains { unsafe libevdev_get_slot_value(handle, $0, UInt32(ABS_MT_TRACKING_ID)) >= 0 }
  }

  private var slots: Range<UInt32> { unsafe 0..<UInt32(max(0, libevdev_get_num_slots(handle))) }

  /// Takes an event in.
  ///
  /// - Returns: false where it is none that this device could report, or says what cannot be: a contact that comes twice.
  func apply(_ event: InputEvent) -> Bool {
    let (type, code) = (UInt32(event.type), UInt32(event.code))
    return switch Int32(event.type) {
    case EV_KEY, EV_ABS, EV_SW, EV_LED: unsafe libevdev_set_event_value(handle, type, code, event.value) == 0
    default: unsafe libevdev_has_event_code(handle, type, code) == 1
    }
  }

  /// Makes it what `events` say that it was.
  func go(to events: [InputEvent]) {
    for code in description.codes[UInt16(EV_KEY)] ?? [] {
      unsafe libevdev_set_event_value(handle, UInt32(EV_KEY), UInt32(code), 0)
    }
    for slot in slots { unsafe libevdev_set_slot_value(handle, slot, UInt32(ABS_MT_TRACKING_ID), -1) }
    for event in events { _ = apply(event) }
  }

  // MARK: After a loss

  /// What ``catchUp(with:_:)`` finds.
  enum Finding {
    /// A difference between how it stood and how it stands.
    case difference(InputEvent)
    /// The end of those; what is found behind it was reported after.
    case caughtUp
    case event(input_event)
  }

  /// More than the state of any device takes; a resynchronisation that goes on longer will never end.
  private static let longest = 65_536

  /// Finds out what has changed although its report was lost, and reads what `opening` has until nothing is left.
  func catchUp(with opening: Descriptor, _ handleFinding: (Finding) -> Void) throws(DeviceError) {
    unsafe libevdev_change_fd(handle, opening.number)
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
    throw .failed(SystemError("find out how the device stands", code: EOVERFLOW))
  }

  private func read(_ flag: libevdev_read_flag) -> (input_event, Int32) {
    var event = input_event()
    let result = unsafe libevdev_next_event(handle, UInt32(flag.rawValue), &event)
    return (event, result)
  }
}
