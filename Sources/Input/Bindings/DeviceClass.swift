public import Gestures

/// The class of an input device by the codes that it can send; the same criteria as udev's `input_id` builtin.
public enum DeviceClass: String, Equatable, Sendable {
  case keyboard, mouse, touchpad, touchscreen, tablet, gamepad
  /// Has keys or buttons, and is none of the above.
  case buttons
  /// Measures motion only.
  case accelerometer
  /// Has nothing that can be pressed or touched.
  case other
}

extension DeviceDescription {
  /// Whether the device can send KEY_Q, KEY_W, KEY_E and KEY_R. Keyboards state their letters as one range, so these four
  /// stand for all of them; udev's rules ask for the same four (70-tallymark.rules).
  public var typesLetters: Bool { (16...19).allSatisfy { sends(EventCode.EV_KEY, $0) } }

  /// The class of the device. A pedal or a clicker usually states the codes of a keyboard.
  public var deviceClass: DeviceClass {
    if isAccelerometer { return .accelerometer }
    let hasKey = { (code: UInt16) in sends(EventCode.EV_KEY, code) }
    let keys = codes[EventCode.EV_KEY] ?? []
    let hasMouseButton = keys.contains { (0x110...0x117).contains($0) }
    if touch != .none {
      if hasKey(EventCode.BTN_TOOL_PEN) || hasKey(EventCode.BTN_STYLUS) { return .tablet }
      let isDirect = properties.contains(EventCode.INPUT_PROP_DIRECT)
      if hasKey(EventCode.BTN_TOOL_FINGER), !isDirect { return .touchpad }
      if !hasMouseButton || isDirect { return .touchscreen }
    }
    // KEY_ESC to KEY_D: the upper rows of a typewriter.
    if (1...31).allSatisfy({ hasKey($0) }) { return .keyboard }
    let moves = sends(EventCode.EV_REL, 0) && sends(EventCode.EV_REL, 1)
    let points = sends(EventCode.EV_ABS, EventCode.ABS_X) && sends(EventCode.EV_ABS, EventCode.ABS_Y)
    if moves || points, hasMouseButton { return .mouse }
    if keys.contains(where: { (0x120...0x13f).contains($0) }) { return .gamepad }
    return keys.contains { !EventCode.isTouchState($0) } ? .buttons : .other
  }
}
