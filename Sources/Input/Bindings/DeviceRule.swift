public import Gestures

/// Which devices a rule speaks of: all conditions that are given must hold.
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
  /// The bus it must be on (`BUS_USB` 3, `BUS_BLUETOOTH` 5).
  public var bus: UInt16?
  /// A pattern for its serial number or Bluetooth address, in which the case of letters does not matter.
  public var uniq: String?
  /// A pattern for the place where it is plugged in.
  public var phys: String?
  /// Patterns for properties that udev gives it; all must match.
  public var udev: [String: String] = [:]
  /// A pattern for the place where a motion sensor sits, as its maker calls it.
  public var label: String?
  /// A pattern for one of its files' names, such as `/dev/input/by-id/usb-RDing*`.
  public var path: String?

  public init() {}

  /// Whether anything is said that tells one device from another; the bus alone does not.
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

  /// How closely the conditions describe a device that they match; of several rules the highest one wins.
  ///
  /// A serial number or address means one device in the world, a file's name (by-id, by-path) one device at this
  /// machine, a port or a sensor's label one place, udev's properties the devices of a local rule, an identity one model,
  /// a name a family. All conditions count together. Between equals the pattern with more letters of its own is closer.
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
  /// Whether the device is taken for this purpose alone, so that its keys reach no other program.
  public let grab: Bool
  /// Whether the device is never used, whatever else would have it used.
  public let isIgnored: Bool
  /// Whether its connecting is a press, because it sleeps and a press wakes it.
  public let countsConnecting: Bool
  /// Timing settings of the device alone.
  public let timing: TimingChanges
  /// Shake settings of the device.
  public let shake: ShakeChanges
  /// How its surface is mounted; nil where nothing is said and udev may know.
  public let calibration: Calibration?
  /// The size of its surface as the person sees it; nil where nothing is said and the device or udev may know.
  public let size: PhysicalSize?
  public let bindings: [Binding]
  /// The line it begins on.
  public let line: Int
}
