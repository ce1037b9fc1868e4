import Clibevdev
import Gestures

/// The names of everything that can be pressed: the kernel's keys, buttons and switches, such as `KEY_B`, `BTN_LEFT` or
/// `SW_LID`, from libevdev, and the directions that ``KeyCode`` includes among keys.
public enum EvdevKeys {
  /// The code (``KeyCode``) with this name; `nil` for an unknown name.
  public static func code(of name: String) -> UInt16? {
    let key = unsafe libevdev_event_code_from_name(UInt32(EV_KEY), name)
    if let code = UInt16(exactly: key) { return code }
    let position = unsafe libevdev_event_code_from_name(UInt32(EV_SW), name)
    if let position = UInt16(exactly: position) { return KeyCode.firstSwitch + position }
    return KeyCode.direction(named: name)
  }

  /// The name of a code; `nil` if it has none.
  public static func name(of code: UInt16) -> String? {
    if code > KEY_MAX {
      let position = code >= KeyCode.firstSwitch ? UInt32(code - KeyCode.firstSwitch) : UInt32.max
      if let name = unsafe libevdev_event_code_get_name(UInt32(EV_SW), position) {
        return unsafe String(cString: name)
      }
      return KeyCode.directionName(of: code)
    }
    guard let name = unsafe libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)) else { return nil }
    return unsafe String(cString: name)
  }

  public static var names: [String] {
    (0...KeyCode.firstSwitch + UInt16(SW_MAX)).compactMap(name(of:)) + KeyCode.directionNames
  }
}
