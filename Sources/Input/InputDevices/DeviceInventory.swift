import Clibudev
public import Gestures
import Glibc
public import Linux

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

/// The present input devices and motion sensors of the kernel, found through libudev, which needs neither a running
/// udev nor a permission.
@safe
public final class DeviceInventory {
  let udev: OpaquePointer
  private var known: [String: DeviceNode] = [:]

  /// - Throws: only if there is not enough memory.
  public init() throws(SystemError) {
    guard let made = unsafe udev_new() else { throw .current("ask udev") }
    unsafe udev = made
  }

  deinit { _ = unsafe udev_unref(udev) }

  /// All event nodes, ordered by number, then the motion sensors of the machine; empty if the kernel has neither.
  public func nodes() -> [DeviceNode] {
    var found: [String: DeviceNode] = [:]
    let udevRuns = unsafe access("/run/udev/control", F_OK) == 0
    for syspath in syspaths("input", "event*") {
      found[syspath] = node(syspath, udevRuns: udevRuns)
    }
    for syspath in syspaths("iio", "iio:device*") {
      found[syspath] = sensor(syspath, udevRuns: udevRuns)
    }
    known = found
    return found.values.sorted { a, b in
      let (isSensor, isOtherSensor) = (a.description.isSensor, b.description.isSensor)
      guard isSensor == isOtherSensor else { return isOtherSensor }
      return (a.path.utf8.count, a.path) < (b.path.utf8.count, b.path)
    }
  }

  private func syspaths(_ subsystem: String, _ name: String) -> [String] {
    guard let search = unsafe udev_enumerate_new(udev) else { return [] }
    defer { _ = unsafe udev_enumerate_unref(search) }
    unsafe udev_enumerate_add_match_subsystem(search, subsystem)
    unsafe udev_enumerate_add_match_sysname(search, name)
    unsafe udev_enumerate_scan_devices(search)
    return unsafe entries(udev_enumerate_get_list_entry(search)).map(\.name)
  }

  /// `nil` if the device was removed meanwhile, or has no node.
  private func node(_ syspath: String, udevRuns: Bool) -> DeviceNode? {
    guard let device = unsafe udev_device_new_from_syspath(udev, syspath) else { return nil }
    defer { _ = unsafe udev_device_unref(device) }
    guard let path = unsafe udev_device_get_devnode(device) else { return nil }
    let properties = unsafe entries(udev_device_get_properties_list_entry(device)).filter {
      $0.name.hasPrefix("ID_") || $0.name.hasPrefix("LIBINPUT_")
    }
    // The sysfs attributes of a device never change while the device is connected.
    var description = known[syspath]?.description ?? DeviceDescription(syspath: syspath)
    let links = unsafe entries(udev_device_get_devlinks_list_entry(device)).map(\.name)
    description.udev = Dictionary(properties, uniquingKeysWith: { $1 })
    unsafe description.links = links + [String(cString: path)]
    return unsafe DeviceNode(
      syspath: syspath, path: String(cString: path), description: description,
      properties: description.udev, links: links,
      isInitialized: !udevRuns || udev_device_get_is_initialized(device) > 0)
  }

  /// `nil` if the sensor is no accelerometer, or was removed meanwhile. A sensor that can only be polled may have no
  /// node; ``DeviceNode/path`` is its folder then.
  private func sensor(_ syspath: String, udevRuns: Bool) -> DeviceNode? {
    guard let device = unsafe udev_device_new_from_syspath(udev, syspath) else { return nil }
    defer { _ = unsafe udev_device_unref(device) }
    guard let name = unsafe udev_device_get_sysname(device) else { return nil }
    let folder = SensorFolder(among: DeviceNode.sensorFolders, unsafe String(cString: name))
    guard folder.isAccelerometer else { return nil }
    let path = unsafe udev_device_get_devnode(device).map { unsafe String(cString: $0) } ?? folder.path
    let properties = unsafe entries(udev_device_get_properties_list_entry(device)).filter {
      $0.name.hasPrefix("ID_") || $0.name.hasPrefix("ACCEL_")
    }
    var description = DeviceDescription(sensor: folder)
    description.udev = Dictionary(properties, uniquingKeysWith: { $1 })
    description.links = unsafe entries(udev_device_get_devlinks_list_entry(device)).map(\.name) + [path]
    if description.label.isEmpty { description.label = description.udev["ACCEL_LOCATION"] ?? "" }
    return unsafe DeviceNode(
      syspath: syspath, path: path, description: description, properties: description.udev, links: description.links,
      isInitialized: !udevRuns || udev_device_get_is_initialized(device) > 0)
  }

  @unsafe
  private func entries(_ first: OpaquePointer?) -> [(name: String, value: String)] {
    var entries: [(name: String, value: String)] = []
    var next = unsafe first
    while let entry = unsafe next {
      if let name = unsafe udev_list_entry_get_name(entry) {
        let value = unsafe udev_list_entry_get_value(entry).map { unsafe String(cString: $0) }
        entries.append((unsafe String(cString: name), value ?? ""))
      }
      unsafe next = udev_list_entry_get_next(entry)
    }
    return entries
  }
}
