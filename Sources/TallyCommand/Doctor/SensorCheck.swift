import Glibc
import Platform

/// Whether shakes can be felt: a motion sensor is there, and the gesture daemon may read it.
struct SensorCheck {
  /// The accelerometers below `folder`, in order: those whose values can be asked for, and those that only fill a buffer.
  static func sensors(in folder: String = "/sys/bus/iio/devices") -> [String] {
    FolderContent.names(in: folder).filter { $0.hasPrefix("iio:device") }.filter { sensor in
      ["in_accel_x_raw", "scan_elements/in_accel_x_en"].contains { Inquiry.exists("\(folder)/\(sensor)/\($0)") }
    }
  }

  static func findings(_ keeper: Keeper) -> [Finding] {
    let sensors = sensors()
    guard !sensors.isEmpty else {
      return [.notice("sensor", "There is no motion sensor: shakes cannot be counted on this machine.")]
    }
    return sensors.map { finding(for: $0, keeper) }
  }

  private static func finding(for sensor: String, _ keeper: Keeper) -> Finding {
    let node = "/dev/\(sensor)"
    guard let owner = Inquiry.group(of: node) else {
      // One without a buffer is read through its attributes, which are everyone's.
      return .fine("sensor", "The motion sensor \(sensor) can be asked.")
    }
    guard owner.name == DeviceCheck.group else {
      return .fault(
        "sensor", "The motion sensor \(sensor) belongs to the group \(owner.name), not to \(DeviceCheck.group).",
        mend: DeviceRules.remedy())
    }
    if keeper != .machine, unsafe access(node, R_OK) != 0 {
      return .fault(
        "sensor", "The motion sensor \(sensor) is the group \(DeviceCheck.group)'s, which you are not in.",
        mend: "sudo usermod -aG \(DeviceCheck.group) \"$USER\"", hint: "then log out and in again")
    }
    return .fine("sensor", "The motion sensor \(sensor) is the gesture daemon's to use.")
  }
}
