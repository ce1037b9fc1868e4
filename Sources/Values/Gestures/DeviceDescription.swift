/// The description of a device: all that is needed to match the device, to recognise its gestures and to replay a
/// recording.
public struct DeviceDescription: Equatable, Sendable {
  /// The device's own name, such as "RDing FootSwitch1F1.".
  public var name: String
  /// The bus: `BUS_USB` (3), `BUS_BLUETOOTH` (5), …
  public var bus: UInt16
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16
  /// The port, which changes when the device is plugged in elsewhere. Empty if the device states none.
  public var phys: String
  /// The serial number or Bluetooth address. Empty if the device states none.
  public var uniq: String
  /// `INPUT_PROP_…` bits that are set.
  public var properties: Set<UInt16>
  /// The codes that the device can send, by event type.
  public var codes: [UInt16: Set<UInt16>]
  /// The range of each absolute axis, by `ABS_…` code.
  public var axes: [UInt16: Axis]
  /// Properties of udev, such as `LIBINPUT_CALIBRATION_MATRIX`; empty if they were not queried.
  public var udev: [String: String]
  /// Links to the device's file, such as `/dev/input/by-id/usb-RDing_FootSwitch1F1.-event-kbd`; empty if unknown.
  public var links: [String]
  /// The manufacturer's name for the position of a motion sensor, such as `accel-display` or `base`; empty for other
  /// devices.
  public var label: String
  /// Whether a fast sequence of its keys may be a text that a machine types. Keys of a terminal are always a person's,
  /// even if a text is pasted.
  public var mayTypeTexts = true
  /// The size of the display behind a touchscreen, if the machine has only one.
  public var display: PhysicalSize?

  public init(
    name: String, bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0, phys: String = "",
    uniq: String = "", properties: Set<UInt16> = [], codes: [UInt16: Set<UInt16>] = [:], axes: [UInt16: Axis] = [:],
    udev: [String: String] = [:], links: [String] = [], label: String = ""
  ) {
    self.name = name
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
    self.phys = phys
    self.uniq = uniq
    self.properties = properties
    self.codes = codes
    self.axes = axes
    self.udev = udev
    self.links = links
    self.label = label
  }

  /// The range of an absolute axis, as the device states it, and therefore untrusted.
  public struct Axis: Equatable, Sendable {
    public var minimum: Int32
    public var maximum: Int32
    /// Units per millimetre; 0 if the device states none, like many panels.
    public var resolution: Int32

    public init(minimum: Int32, maximum: Int32, resolution: Int32 = 0) {
      self.minimum = minimum
      self.maximum = maximum
      self.resolution = resolution
    }
  }
}
