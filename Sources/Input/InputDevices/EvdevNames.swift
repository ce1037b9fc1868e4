import CLinux
import Clibevdev
import Gestures
import Linux

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

/// The kernel's names of event codes, such as `REL_WHEEL` or `SW_LID`, from libevdev.
public enum EvdevNames {
  /// The name of a code of a type of event; both numbers if the kernel has no name for it.
  public static func name(type: UInt16, code: UInt16) -> String {
    guard let name = unsafe libevdev_event_code_get_name(UInt32(type), UInt32(code)) else {
      return "type \(type) code \(code)"
    }
    return unsafe String(cString: name)
  }
}

/// Redirects libevdev's messages, such as those about a driver that breaks the protocol, to this program's log.
enum EvdevLog {
  /// Redirects the messages, once per process.
  static func redirect() { _ = once }

  private static let once: Void = unsafe libevdev_set_log_function(
    { _, _, _, _, _, format, arguments in
      guard let format = unsafe format, let arguments = unsafe arguments else { return }
      unsafe linux_log_line(
        { line in
          guard let line = unsafe line else { return }
          ServiceProcess.log(.warning, "libevdev: \(unsafe String(cString: line))")
        }, format, arguments)
    }, nil)
}
