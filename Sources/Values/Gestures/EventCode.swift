// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Numbers of the kernel that recognisers use, under their names in `linux/input-event-codes.h` and `linux/input.h`.
/// Copied here so that this module needs no C header.
package enum EventCode {
  package static let EV_SYN: UInt16 = 0x00
  package static let EV_KEY: UInt16 = 0x01
  package static let EV_REL: UInt16 = 0x02
  package static let EV_ABS: UInt16 = 0x03
  package static let EV_MSC: UInt16 = 0x04
  package static let EV_SW: UInt16 = 0x05

  package static let SYN_REPORT: UInt16 = 0
  package static let SYN_MT_REPORT: UInt16 = 2
  package static let SYN_DROPPED: UInt16 = 3

  package static let MSC_SCAN: UInt16 = 0x04
  package static let MSC_TIMESTAMP: UInt16 = 0x05

  package static let REL_HWHEEL: UInt16 = 0x06
  package static let REL_DIAL: UInt16 = 0x07
  package static let REL_WHEEL: UInt16 = 0x08
  package static let REL_WHEEL_HI_RES: UInt16 = 0x0b
  package static let REL_HWHEEL_HI_RES: UInt16 = 0x0c

  package static let ABS_X: UInt16 = 0x00
  package static let ABS_Y: UInt16 = 0x01
  package static let ABS_HAT0X: UInt16 = 0x10
  package static let ABS_HAT3Y: UInt16 = 0x17
  package static let ABS_PRESSURE: UInt16 = 0x18
  package static let ABS_DISTANCE: UInt16 = 0x19
  package static let ABS_MT_SLOT: UInt16 = 0x2f
  package static let ABS_MT_TOUCH_MAJOR: UInt16 = 0x30
  package static let ABS_MT_POSITION_X: UInt16 = 0x35
  package static let ABS_MT_POSITION_Y: UInt16 = 0x36
  package static let ABS_MT_TOOL_TYPE: UInt16 = 0x37
  package static let ABS_MT_TRACKING_ID: UInt16 = 0x39
  package static let ABS_MT_PRESSURE: UInt16 = 0x3a
  package static let ABS_MT_DISTANCE: UInt16 = 0x3b

  package static let MT_TOOL_PALM: Int32 = 2

  package static let BTN_TOOL_PEN: UInt16 = 0x140
  package static let BTN_TOOL_FINGER: UInt16 = 0x145
  package static let BTN_TOOL_QUINTTAP: UInt16 = 0x148
  package static let BTN_TOUCH: UInt16 = 0x14a
  package static let BTN_STYLUS: UInt16 = 0x14b

  package static let BTN_TOOL_DOUBLETAP: UInt16 = 0x14d
  package static let BTN_TOOL_QUADTAP: UInt16 = 0x14f

  package static let INPUT_PROP_POINTER: UInt16 = 0x00
  package static let INPUT_PROP_DIRECT: UInt16 = 0x01
  package static let INPUT_PROP_SEMI_MT: UInt16 = 0x03
  package static let INPUT_PROP_ACCELEROMETER: UInt16 = 0x06

  /// Whether a key code cannot be pressed and only states the kind of a touch (BTN_TOUCH, BTN_TOOL_…). A pen's buttons
  /// have codes in the same range and can be pressed.
  package static func isTouchState(_ code: UInt16) -> Bool {
    switch code {
    case 0x149, 0x14b, 0x14c: false  // BTN_STYLUS3, BTN_STYLUS, BTN_STYLUS2
    case 0x140...0x14f: true
    default: false
    }
  }
}
