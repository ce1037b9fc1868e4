public import Gestures

/// An input device or a motion sensor that the kernel has now, as far as it can be known without opening it.
public struct DeviceNode: Equatable, Sendable {
  /// Its place in sysfs, such as `/sys/devices/…/input/input42/event5`. The kernel never gives the number after
  /// `input` twice, so this tells a device from another that got the same `eventN` later.
  public let syspath: String
  /// The file to open, such as `/dev/input/event5`.
  public let path: String
  /// The description by sysfs: all but the ranges of its axes.
  public let description: DeviceDescription
  /// udev's properties that begin with `ID_` or `LIBINPUT_`; empty where no udev runs.
  public let properties: [String: String]
  /// Other names of the file, such as `/dev/input/by-id/usb-RDing_FootSwitch1F1.-event-kbd`.
  public let links: [String]
  /// Whether udev has done with it. Before, its properties and its permissions are not what they will be.
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
