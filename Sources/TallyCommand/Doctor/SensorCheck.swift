import Glibc

/// Whether shakes can be felt: a motion sensor is there, and the gesture daemon may read it.
struct SensorCheck {
  private static let folder = "/sys/bus/iio/devices"

  static func findings() -> [Finding] {
    let sensors = entries(of: folder).filter { $0.hasPrefix("iio:device") }.sorted().filter {
      Inquiry.exists("\(folder)/\($0)/in_accel_x_raw")
    }
    guard !sensors.isEmpty else {
      return [.notice("sensor", "There is no motion sensor: shakes cannot be counted on this machine.")]
    }
    return sensors.map { sensor in
      guard let owner = Inquiry.group(of: "/dev/\(sensor)") else {
        // One without a buffer is read through its attributes, which are everyone's.
        return .fine("sensor", "The motion sensor \(sensor) can be asked.")
      }
      if owner.name == DeviceCheck.group {
        return .fine("sensor", "The motion sensor \(sensor) is the gesture daemon's to use.")
      }
      return .fault(
        "sensor", "The motion sensor \(sensor) belongs to the group \(owner.name), not to \(DeviceCheck.group).",
        mend: "sudo udevadm trigger --action=change --subsystem-match=iio --settle")
    }
  }

  private static func entries(of folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafeBytes(of: entry.pointee.d_name) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }
}
