public import Gestures

/// What sort of input device this is, by what it can send; the same marks that udev goes by (its `input_id` builtin).
public enum DeviceClass: String, Equatable, Sendable {
  case keyboard, mouse, touchpad, touchscreen, tablet, gamepad
  /// Has keys or buttons, and is none of the above.
  case buttons
  /// Feels how it is moved, and nothing else.
  case accelerometer
  /// Nothing on it can be pressed or touched.
  case other
}

extension DeviceDescription {
  /// What sort of device this is. A pedal or a clicker is a keyboard by its own account.
  public var deviceClass: DeviceClass {
    if isAccelerometer { return .accelerometer }
    let hasKey = { (code: UInt16) in sends(EventCode.key, code) }
    let keys = codes[EventCode.key] ?? []
    let hasMouseButton = keys.contains { (0x110...0x117).contains($0) }
    if touch != .none {
      if hasKey(EventCode.toolPen) || hasKey(EventCode.stylus) { return .tablet }
      let isDirect = properties.contains(EventCode.direct)
      if hasKey(EventCode.toolFinger), !isDirect { return .touchpad }
      if !hasMouseButton || isDirect { return .touchscreen }
    }
    // KEY_ESC to KEY_D: the upper rows of a typewriter.
    if (1...31).allSatisfy({ hasKey($0) }) { return .keyboard }
    let moves = sends(EventCode.relative, 0) && sends(EventCode.relative, 1)
    let points = sends(EventCode.absolute, EventCode.x) && sends(EventCode.absolute, EventCode.y)
    if moves || points, hasMouseButton { return .mouse }
    if keys.contains(where: { (0x120...0x13f).contains($0) }) { return .gamepad }
    return keys.contains { !EventCode.isTouchState($0) } ? .buttons : .other
  }
}
