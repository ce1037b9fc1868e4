import Clibevdev

/// The kernel's names of everything that an event can speak of, such as `REL_WHEEL` or `SW_LID`, as libevdev knows them.
public enum EvdevNames {
  /// The name of a code of a type of event; both numbers where the kernel has given it none.
  public static func name(type: UInt16, code: UInt16) -> String {
    guard let name = unsafe libevdev_event_code_get_name(UInt32(type), UInt32(code)) else {
      return "type \(type) code \(code)"
    }
    return unsafe String(cString: name)
  }
}
