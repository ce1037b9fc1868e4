/// The codes of keys: the kernel's codes of keys and buttons (`EV_KEY`); above them, the codes of switches and
/// directions, which are keys for a person but not for the kernel.
public enum KeyCode {
  /// The first code of a switch (`EV_SW`), to which the kernel's code is added.
  public static let firstSwitch: UInt16 = 0x400

  /// The directions of `ABS_HAT0X` to `ABS_HAT3Y`: up, down, left and right of each of the four.
  static let firstDirection: UInt16 = 0x500

  /// The directions of a gamepad's first stick (`ABS_X`, `ABS_Y`). Some gamepads report their cross as this stick.
  static let firstStick: UInt16 = 0x540

  private static let directions = ["UP", "DOWN", "LEFT", "RIGHT"]

  /// The names of directions: `HAT_UP`, … for the first hat, `HAT1_UP` to `HAT3_RIGHT` for the others, `STICK_UP`, …
  /// for the stick.
  public static let directionNames: [String] = directionCodes.keys.sorted()

  /// The code of a direction's name.
  public static func direction(named name: String) -> UInt16? { directionCodes[name] }

  public static func directionName(of code: UInt16) -> String? {
    directionCodes.first { $0.value == code }?.key
  }

  private static let directionCodes: [String: UInt16] = {
    var codes: [String: UInt16] = [:]
    for (place, direction) in directions.enumerated() {
      for hat in 0..<4 {
        codes["HAT\(hat == 0 ? "" : String(hat))_\(direction)"] = firstDirection + UInt16(hat * 4 + place)
      }
      codes["STICK_\(direction)"] = firstStick + UInt16(place)
    }
    return codes
  }()

  /// KEY_UNKNOWN: the key of a scan code to which the system gives none.
  package static let unknown: UInt16 = 240

  /// Whether two keys are the two directions of one control: volume, arrows, pages.
  static func areOpposite(_ keys: Set<UInt16>) -> Bool {
    [[114, 115], [103, 108], [105, 106], [104, 109]].contains(keys)
  }

  /// Whether a binding without a key includes the code. Modifiers are not included (KEY_LEFTCTRL, KEY_LEFTSHIFT,
  /// KEY_RIGHTSHIFT, KEY_LEFTALT, KEY_RIGHTCTRL, KEY_RIGHTALT, KEY_LEFTMETA, KEY_RIGHTMETA, KEY_FN), because they only
  /// change the meaning of other keys: a remote that sends Shift+F5 is pressed once, not twice. Lock keys are not
  /// included either (KEY_CAPSLOCK, KEY_NUMLOCK, KEY_SCROLLLOCK), because number pads send NumLock before and after
  /// each key; nor are sticks, which mostly move without being pressed.
  static func isMeantByAny(_ code: UInt16) -> Bool {
    switch code {
    case 29, 42, 54, 56, 58, 69, 70, 97, 100, 125, 126, 0x1d0: false
    default: code < firstStick
    }
  }
}
