public import Gestures

/// A present input device or motion sensor, as far as it is known without opening it.
public struct DeviceNode: Equatable, Sendable {
  /// The path in sysfs, such as `/sys/devices/…/input/input42/event5`. The kernel never assigns the number after
  /// `input` twice, so the path distinguishes a device from a later one with the same `eventN`.
  public let syspath: String
  /// The file to open, such as `/dev/input/event5`.
  public let path: String
  /// The description from sysfs, without the ranges of the axes.
  public let description: DeviceDescription
  /// udev's properties that begin with `ID_` or `LIBINPUT_`; empty without a running udev.
  public let properties: [String: String]
  /// Other names of the file, such as `/dev/input/by-id/usb-RDing_FootSwitch1F1.-event-kbd`.
  public let links: [String]
  /// Whether udev has initialised the device. Before that, properties and permissions are not final.
  public let isInitialized: Bool

  /// The kernel's folder with links to all sensors and their triggers.
  public static let sensorFolders = "/sys/bus/iio/devices"

  public init(
    syspath: String, path: String, description: DeviceDescription, properties: [String: String] = [:],
    links: [String] = [], isInitialized: Bool = true
  ) {
    self.syspath = syspath
    self.path = path
    self.description = description
    self.properties = properties
    self.links = links
    self.isInitialized = isInitialized
  }
}
