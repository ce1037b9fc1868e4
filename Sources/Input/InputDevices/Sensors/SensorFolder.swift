import Gestures
import Glibc
public import Linux

/// A sensor's folder in sysfs, such as `/sys/bus/iio/devices/iio:device0`, and the files in it.
public struct SensorFolder: Equatable, Sendable {
  public let path: String

  public init(_ path: String) { self.path = path }

  /// - Parameters:
  ///   - folder: the folder of all sensors and their triggers.
  ///   - name: the sensor's name, such as `iio:device0`.
  public init(among folder: String, _ name: String) { path = "\(folder)/\(name)" }

  /// The folder of a present sensor.
  public init(of node: DeviceNode) {
    self.init(among: DeviceNode.sensorFolders, String(node.syspath.split(separator: "/").last ?? ""))
  }

  /// The content of an attribute without its line break; nil if it is missing or unreadable. The kernel also ends some
  /// attributes with a NUL.
  public func read(_ name: String) -> String? {
    Sysfs.read("\(path)/\(name)").map { text in String(text.prefix { $0 != "\n" && $0 != "\0" }) }
  }

  public func has(_ name: String) -> Bool { unsafe access("\(path)/\(name)", F_OK) == 0 }

  /// Whether this process may write an attribute, according to its mode.
  public func mayWrite(_ name: String) -> Bool { unsafe faccessat(AT_FDCWD, "\(path)/\(name)", W_OK, AT_EACCESS) == 0 }

  /// Writes an attribute in one piece, as the kernel requires.
  public func write(_ name: String, _ value: String) throws(SystemError) {
    let attempt = "write \(value) to \(path)/\(name)"
    let number = unsafe open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { throw .current(attempt) }
    let file = FileDescriptor(owning: number)
    var text = value
    let written = text.withUTF8 { bytes in unsafe Glibc.write(file.number, bytes.baseAddress, bytes.count) }
    guard written == value.utf8.count else { throw .current(attempt) }
  }

  /// Writes an attribute. An attribute that already has the value needs no permission.
  public func set(_ name: String, _ value: String) throws(SystemError) {
    guard read(name) != value else { return }
    try write(name, value)
  }

  public func names(in folder: String) -> [String] { FolderContent.names(in: "\(path)/\(folder)") }

  /// Whether the sensor measures acceleration along three axes.
  public var isAccelerometer: Bool {
    AccelerationFormat.axes.allSatisfy { has("\($0)_raw") || has("scan_elements/\($0)_en") }
  }

  /// The position of the sensor according to its manufacturer or firmware: `accel-display`, `base`; empty if unknown.
  public var label: String { read("label") ?? read("location") ?? "" }

  /// The formats of the three axes.
  public func scales() throws(SensorError) -> [AxisScale] {
    var scales: [AxisScale] = []
    for axis in AccelerationFormat.axes {
      let (scale, offset) = (attribute(axis, "scale"), attribute(axis, "offset"))
      guard let found = AxisScale(scale: scale.flatMap(read), offset: offset.flatMap(read)) else {
        let said = scale.flatMap(read).map { "its scale is \"\($0.prefix(40))\"" } ?? "it states no scale"
        if unsafe access(path, F_OK) != 0 { throw .gone }
        throw .senseless("\(said), and what it measures is unknown without one")
      }
      scales.append(found)
    }
    return scales
  }

  /// The attribute of an axis, of all axes, or of the whole device: the most specific existing one.
  public func attribute(_ axis: String, _ name: String) -> String? {
    ["\(axis)_\(name)", "in_accel_\(name)", name].first(where: has)
  }
}

extension DeviceDescription {
  /// Reads the description of a motion sensor from sysfs, with the property that event nodes of accelerometers have.
  init(sensor folder: SensorFolder) {
    self.init(
      name: folder.read("name") ?? "motion sensor", properties: [EventCode.INPUT_PROP_ACCELEROMETER],
      label: folder.label)
  }
}
