public import Gestures

/// The conditions of a rule, all of which must hold for a device.
public struct DeviceConditions: Equatable, Sendable {
  /// A vendor and a product number.
  public struct Identity: Equatable, Sendable {
    public let vendor: UInt16
    public let product: UInt16
  }

  /// Patterns for the device's name, one of which must match; empty for any name. `*` stands for any characters, `?`
  /// for one.
  public var names: [String] = []
  /// Identities, one of which must be the device's; empty for any.
  public var identities: [Identity] = []
  /// The bus of the device (`BUS_USB` 3, `BUS_BLUETOOTH` 5); nil for any.
  public var bus: UInt16?
  /// A pattern for the serial number or Bluetooth address, without distinction of upper and lower case.
  public var uniq: String?
  /// A pattern for the port.
  public var phys: String?
  /// Patterns for the udev properties; all must match.
  public var udev: [String: String] = [:]
  /// A pattern for the maker's name of a motion sensor's position.
  public var label: String?
  /// A pattern for one of the device's file names, such as `/dev/input/by-id/usb-RDing*`.
  public var path: String?

  public init() {}

  /// Whether the conditions distinguish devices. The bus alone does not.
  var isTelling: Bool {
    !names.isEmpty || !identities.isEmpty || uniq != nil || phys != nil || !udev.isEmpty || path != nil
      || label != nil
  }

  /// Whether all conditions hold for a device.
  public func match(_ device: DeviceDescription) -> Bool {
    (names.isEmpty || names.contains { Glob.matches($0, device.name) })
      && (identities.isEmpty || identities.contains { $0.vendor == device.vendor && $0.product == device.product })
      && (bus == nil || bus == device.bus)
      && (uniq.map { Glob.matches($0.lowercased(), device.uniq.lowercased()) } ?? true)
      && (phys.map { Glob.matches($0, device.phys) } ?? true)
      && (label.map { Glob.matches($0, device.label) } ?? true)
      && udev.allSatisfy { key, pattern in device.udev[key].map { Glob.matches(pattern, $0) } ?? false }
      && (path.map { path in device.links.contains { Glob.matches(path, $0) } } ?? true)
  }

  /// The rank of the conditions for a device that they match; the rule with the highest rank applies.
  ///
  /// A serial number or address is unique, a file's name (by-id, by-path) is unique on this machine, a port or a
  /// sensor's label stands for one place, udev's properties for the devices of a local rule, an identity for one model,
  /// a name for a family. The ranks of all conditions are added. Between equals the pattern with more literal
  /// characters ranks higher.
  func specificity(for device: DeviceDescription) -> Int {
    func weight(_ pattern: String?) -> Int {
      min(pattern?.filter { $0 != "*" && $0 != "?" }.count ?? 0, 0xff)
    }
    let name = names.filter { Glob.matches($0, device.name) }.map { weight($0) }.max()
    var rank = 0
    if uniq != nil { rank |= 64 }
    if path != nil { rank |= 32 }
    if phys != nil || label != nil { rank |= 16 }
    if !udev.isEmpty { rank |= 8 }
    if !identities.isEmpty { rank |= 4 }
    if !names.isEmpty { rank |= 2 }
    if bus != nil { rank |= 1 }
    return rank << 16 | (weight(uniq) + weight(path) + weight(phys) + weight(label) + (name ?? 0))
  }
}

/// One `[[device]]` of a configuration.
public struct DeviceRule: Equatable, Sendable {
  public let conditions: DeviceConditions
  /// Whether the device is grabbed, so that its keys reach no other program.
  public let grab: Bool
  /// Whether the device is never used, even if another rule would use it.
  public let isIgnored: Bool
  /// Whether the connection of the device is a press, because a press wakes the sleeping device.
  public let countsConnecting: Bool
  /// Timing settings of the device only.
  public let timing: TimingChanges
  public let shake: ShakeChanges
  /// The mounting of the surface; nil if not set, so that udev may state it.
  public let calibration: Calibration?
  /// The size of the surface as the person sees it; nil if not set, so that the device or udev may state it.
  public let size: PhysicalSize?
  public let bindings: [Binding]
  /// The line of the configuration on which the rule begins.
  public let line: Int
}

/// The class of an input device by the codes that it can send; the same criteria as udev's `input_id` builtin.
public enum DeviceClass: String, Equatable, Sendable {
  case keyboard, mouse, touchpad, touchscreen, tablet, gamepad
  /// Has keys or buttons, and does not fit another class.
  case buttons
  /// Measures motion only.
  case accelerometer
  /// Has nothing that can be pressed or touched.
  case other
}

extension DeviceDescription {
  /// Whether the device can send KEY_Q, KEY_W, KEY_E and KEY_R. These four stand for all letters: keyboards declare
  /// their letters as one range, and udev's rules check the same four (70-tallymark.rules).
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

/// Shell patterns for file names: `*` stands for any characters, `?` for one.
enum Glob {
  /// Matches a pattern, in time at most proportional to the product of the lengths.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let pattern = Array(pattern.unicodeScalars)
    let text = Array(text.unicodeScalars)
    var (at, position) = (0, 0)
    // The position at which to resume if the star matches more text.
    var retry: (pattern: Int, text: Int)?
    while position < text.count {
      if at < pattern.count, pattern[at] == "*" {
        retry = (at, position)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[position] {
        at += 1
        position += 1
      } else if let last = retry {
        retry = (last.pattern, last.text + 1)
        (at, position) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}
