import Glibc
package import InputDevices
import Linux
import TestKit

/// A sensor's folder and node as files of our own, for what no kernel can be made to do. Its attributes take whatever is
/// written, and its node is a FIFO.
package final class FakeSensor {
  private let temporary = TemporaryFolder()
  package var root: String { temporary.path }
  package var folder: SensorFolder { SensorFolder(among: root, "iio:device0") }
  package var node: String { root + "/node" }
  private let feeder: FileDescriptor

  package init() throws {
    let node = temporary.path("node")
    mkfifo(node, 0o600)
    feeder = FileDescriptor(owning: open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC))
    appear()
  }

  /// The sensor is plugged in, as it is when this object is made.
  package func appear() {
    for name in ["", "/scan_elements", "/buffer", "/trigger"] { mkdir("\(root)/iio:device0\(name)", 0o700) }
    mkdir(root + "/trigger0", 0o700)
    set(["name": "fake", "in_accel_scale": "0.01", "in_accel_sampling_frequency": "10"])
    set(["in_accel_sampling_frequency_available": "12.5 100 400", "current_timestamp_clock": "realtime"])
    set(["buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1", "trigger/current_trigger": ""])
    set(["../trigger0/name": "fake-dev0"])
    for (index, axis) in ["x", "y", "z"].enumerated() {
      set([
        "scan_elements/in_accel_\(axis)_en": "0", "scan_elements/in_accel_\(axis)_index": "\(index)",
        "scan_elements/in_accel_\(axis)_type": "le:s16/16>>0", "in_accel_\(axis)_raw": axis == "z" ? "981" : "0",
      ])
    }
    set([
      "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "3",
      "scan_elements/in_timestamp_type": "le:s64/64>>0", "scan_elements/in_anglvel_x_en": "1",
      "scan_elements/in_anglvel_x_index": "4", "scan_elements/in_anglvel_x_type": "le:s16/16>>0",
    ])
  }

  private static func remove(_ path: String) {
    for folder in ["scan_elements", "buffer", "trigger", ""] {
      for name in SensorFolder(path).names(in: folder) { unlink("\(path)/\(folder)/\(name)") }
      rmdir("\(path)/\(folder)")
    }
  }

  /// Makes or changes attributes.
  package func set(_ attributes: [String: String]) {
    for (name, value) in attributes {
      let file = FileDescriptor(owning: open("\(folder.path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600))
      var text = value
      text.withUTF8 { _ = Glibc.write(file.number, $0.baseAddress, $0.count) }
    }
  }

  package func remove(_ name: String) { unlink("\(folder.path)/\(name)") }

  /// The sensor is unplugged: its folder is no more.
  package func vanish() { Self.remove(folder.path) }

  /// Puts a scan into the buffer, with a stamp.
  package func feed(x: Int16 = 0, y: Int16 = 0, z: Int16 = 981, at time: Int64) {
    feed([x, y, z, 0].flatMap { bytes($0) } + bytes(time))
  }

  package func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = Glibc.write(feeder.number, $0.baseAddress, $0.count) }
  }

  private func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
