import Clibevdev

/// The kernel's names of keys and buttons, such as `KEY_B` or `BTN_LEFT`, as libevdev knows them.
public enum EvdevKeys {
  /// The code of the key called `name`; `nil` where no key is called that.
  public static func code(of name: String) -> UInt16? {
    let code = unsafe libevdev_event_code_from_name(UInt32(EV_KEY), name)
    return code < 0 ? nil : UInt16(exactly: code)
  }

  /// The name of the key with this code; `nil` where the kernel has given it none.
  public static func name(of code: UInt16) -> String? {
    guard let name = unsafe libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)) else { return nil }
    return unsafe String(cString: name)
  }

  /// The names of all keys.
  public static var names: [String] { (0...UInt16(KEY_MAX)).compactMap(name(of:)) }
}
