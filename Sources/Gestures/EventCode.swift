/// The kernel's numbers that the recognisers look for, by their names in `linux/input-event-codes.h` and
/// `linux/input.h`; spelt out here so that this module stands on nothing.
package enum EventCode {
  package static let synchronisation: UInt16 = 0x00  // EV_SYN
  package static let key: UInt16 = 0x01  // EV_KEY
  package static let relative: UInt16 = 0x02  // EV_REL
  package static let absolute: UInt16 = 0x03  // EV_ABS
  package static let miscellaneous: UInt16 = 0x04  // EV_MSC
  package static let toggle: UInt16 = 0x05  // EV_SW

  package static let report: UInt16 = 0  // SYN_REPORT
  package static let contactReport: UInt16 = 2  // SYN_MT_REPORT
  package static let dropped: UInt16 = 3  // SYN_DROPPED

  package static let scan: UInt16 = 0x04  // MSC_SCAN

  package static let horizontalWheel: UInt16 = 0x06  // REL_HWHEEL
  package static let dial: UInt16 = 0x07  // REL_DIAL
  package static let wheel: UInt16 = 0x08  // REL_WHEEL
  package static let fineWheel: UInt16 = 0x0b  // REL_WHEEL_HI_RES
  package static let fineHorizontalWheel: UInt16 = 0x0c  // REL_HWHEEL_HI_RES

  package static let x: UInt16 = 0x00  // ABS_X
  package static let y: UInt16 = 0x01  // ABS_Y
  package static let firstHat: UInt16 = 0x10  // ABS_HAT0X
  package static let lastHat: UInt16 = 0x17  // ABS_HAT3Y
  package static let distance: UInt16 = 0x19  // ABS_DISTANCE
  package static let slot: UInt16 = 0x2f  // ABS_MT_SLOT
  package static let contactSize: UInt16 = 0x30  // ABS_MT_TOUCH_MAJOR
  package static let contactX: UInt16 = 0x35  // ABS_MT_POSITION_X
  package static let contactY: UInt16 = 0x36  // ABS_MT_POSITION_Y
  package static let tool: UInt16 = 0x37  // ABS_MT_TOOL_TYPE
  package static let tracking: UInt16 = 0x39  // ABS_MT_TRACKING_ID
  package static let contactDistance: UInt16 = 0x3b  // ABS_MT_DISTANCE

  package static let palm: Int32 = 2  // MT_TOOL_PALM

  package static let toolPen: UInt16 = 0x140  // BTN_TOOL_PEN
  package static let toolFinger: UInt16 = 0x145  // BTN_TOOL_FINGER
  package static let fiveFingers: UInt16 = 0x148  // BTN_TOOL_QUINTTAP
  package static let touch: UInt16 = 0x14a  // BTN_TOUCH
  package static let stylus: UInt16 = 0x14b  // BTN_STYLUS

  package static let twoFingers: UInt16 = 0x14d  // BTN_TOOL_DOUBLETAP
  package static let fourFingers: UInt16 = 0x14f  // BTN_TOOL_QUADTAP

  package static let direct: UInt16 = 0x01  // INPUT_PROP_DIRECT
  package static let box: UInt16 = 0x03  // INPUT_PROP_SEMI_MT
  package static let accelerometer: UInt16 = 0x06  // INPUT_PROP_ACCELEROMETER

  /// Whether a key code only says what touches a surface (BTN_TOUCH, BTN_TOOL_…), so that it cannot be pressed.
  /// The buttons of a pen lie among these codes and can be.
  package static func isTouchState(_ code: UInt16) -> Bool {
    switch code {
    case 0x149, 0x14b, 0x14c: false  // BTN_STYLUS3, BTN_STYLUS, BTN_STYLUS2
    case 0x140...0x14f: true
    default: false
    }
  }
}
