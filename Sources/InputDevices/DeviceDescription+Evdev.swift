import Clibevdev
import Gestures

/// The types of event whose codes a description lists: those that sysfs tells of, too.
let describedTypes: [(type: UInt16, file: String)] = [
  (0x01, "key"), (0x02, "rel"), (0x03, "abs"), (0x04, "msc"), (0x05, "sw"), (0x11, "led"), (0x12, "snd"), (0x15, "ff"),
]

extension DeviceDescription {
  /// What an open device says of itself.
  @unsafe
  init(evdev: OpaquePointer) {
    self.init(
      name: unsafe Self.text(libevdev_get_name(evdev)), bus: unsafe Self.number(libevdev_get_id_bustype(evdev)),
      vendor: unsafe Self.number(libevdev_get_id_vendor(evdev)),
      product: unsafe Self.number(libevdev_get_id_product(evdev)),
      version: unsafe Self.number(libevdev_get_id_version(evdev)), phys: unsafe Self.text(libevdev_get_phys(evdev)),
      uniq: unsafe Self.text(libevdev_get_uniq(evdev)))
    for property in 0...UInt16(INPUT_PROP_MAX) where unsafe libevdev_has_property(evdev, UInt32(property)) == 1 {
      properties.insert(property)
    }
    for (type, _) in describedTypes {
      let last = libevdev_event_type_get_max(UInt32(type))
      guard unsafe libevdev_has_event_type(evdev, UInt32(type)) == 1, let last = UInt16(exactly: last) else { continue }
      codes[type] = Set((0...last).filter { unsafe libevdev_has_event_code(evdev, UInt32(type), UInt32($0)) == 1 })
    }
    for code in codes[UInt16(EV_ABS)] ?? [] {
      guard let axis = unsafe libevdev_get_abs_info(evdev, UInt32(code)) else { continue }
      axes[code] = unsafe Axis(
        minimum: axis.pointee.minimum, maximum: axis.pointee.maximum, resolution: axis.pointee.resolution)
    }
  }

  /// The events that would bring a device nobody has seen yet into the state that `evdev` is in. All slots are told
  /// of, empty ones too: the kernel will not repeat a position that a new contact shares with the one before.
  @unsafe
  func state(of evdev: OpaquePointer) -> [InputEvent] {
    var events: [InputEvent] = []
    for code in (codes[UInt16(EV_KEY)] ?? []).sorted() {
      let value = unsafe libevdev_get_event_value(evdev, UInt32(EV_KEY), UInt32(code))
      if value != 0 { events.append(InputEvent(type: UInt16(EV_KEY), code: code, value: value)) }
    }
    for code in (codes[UInt16(EV_SW)] ?? []).sorted() {
      let value = unsafe libevdev_get_event_value(evdev, UInt32(EV_SW), UInt32(code))
      events.append(InputEvent(type: UInt16(EV_SW), code: code, value: value))
    }
    let axes = (codes[UInt16(EV_ABS)] ?? []).sorted()
    for code in axes where code < ABS_MT_SLOT {
      let value = unsafe libevdev_get_event_value(evdev, UInt32(EV_ABS), UInt32(code))
      events.append(InputEvent(type: UInt16(EV_ABS), code: code, value: value))
    }
    let current = unsafe libevdev_get_current_slot(evdev)
    guard current >= 0 else { return events }
    for slot in 0..<max(0, unsafe libevdev_get_num_slots(evdev)) {
      events.append(InputEvent(type: UInt16(EV_ABS), code: UInt16(ABS_MT_SLOT), value: slot))
      for code in axes where code > ABS_MT_SLOT {
        let value = unsafe libevdev_get_slot_value(evdev, UInt32(slot), UInt32(code))
        events.append(InputEvent(type: UInt16(EV_ABS), code: code, value: value))
      }
    }
    events.append(InputEvent(type: UInt16(EV_ABS), code: UInt16(ABS_MT_SLOT), value: current))
    return events
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }

  private static func number(_ value: Int32) -> UInt16 { UInt16(truncatingIfNeeded: value) }
}
