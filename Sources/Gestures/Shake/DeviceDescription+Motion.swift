extension DeviceDescription {
  /// Whether it feels how it is moved, and nothing else. The kernel's drivers mark such event nodes
  /// (`INPUT_PROP_ACCELEROMETER`); sensors of the IIO subsystem are described with the same mark.
  public var isAccelerometer: Bool {
    properties.contains(EventCode.accelerometer) || name == Self.wiiRemote
  }

  /// Whether it is a sensor of the IIO subsystem, part of this machine, and no event node.
  public var isSensor: Bool { isAccelerometer && codes.isEmpty }

  /// The event codes of its three axes.
  var accelerationAxes: [UInt16] { name == Self.wiiRemote ? [0x03, 0x04, 0x05] : [0x00, 0x01, 0x02] }

  /// How many of an axis's units are 1 g: what the axis states (Documentation/input/event-codes.rst), else 256, which
  /// drivers for laptops' disks had in mind, and of a Wii Remote 102.
  func unitsPerGravity(_ axis: UInt16) -> Double {
    let stated = axes[axis]?.resolution ?? 0
    if stated > 0 { return Double(stated) }
    return name == Self.wiiRemote ? 102 : 256
  }

  /// hid-wiimote reports its accelerometer on ABS_RX, ABS_RY and ABS_RZ, without a mark and without a resolution.
  private static let wiiRemote = "Nintendo Wii Remote Accelerometer"
}
