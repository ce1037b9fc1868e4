import Clibevdev

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
