import Clibevdev
import Gestures

/// The types of event whose codes a description lists, each with its attribute in sysfs.
let describedTypes: [(type: UInt16, file: String)] = [
  (0x01, "key"), (0x02, "rel"), (0x03, "abs"), (0x04, "msc"), (0x05, "sw"), (0x11, "led"), (0x12, "snd"), (0x15, "ff"),
]

extension DeviceDescription {
  /// Reads the description of an open device.
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

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }

  private static func number(_ value: Int32) -> UInt16 { UInt16(truncatingIfNeeded: value) }
}
