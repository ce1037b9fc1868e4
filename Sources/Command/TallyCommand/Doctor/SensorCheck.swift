import Glibc
import Linux
import Tallymark

/// Checks that there is a motion sensor, and that tally-inputd can read it.
struct SensorCheck {
  /// The accelerometers below `folder`, in order: those with readable values, and those with a buffer only.
  static func sensors(in folder: String = "/sys/bus/iio/devices") -> [String] {
    FolderContent.names(in: folder).filter { $0.hasPrefix("iio:device") }.filter { sensor in
      ["in_accel_x_raw", "scan_elements/in_accel_x_en"].contains { SystemProbe.exists("\(folder)/\(sensor)/\($0)") }
    }
  }

  static func findings(_ scope: ServiceScope) -> [Finding] {
    let sensors = sensors()
    guard !sensors.isEmpty else {
      return [.notice("sensor", "There is no motion sensor: shakes cannot be counted on this machine.")]
    }
    return sensors.map { finding(for: $0, scope) }
  }

  private static func finding(for sensor: String, _ scope: ServiceScope) -> Finding {
    let node = "/dev/\(sensor)"
    guard let owner = SystemProbe.group(of: node) else {
      // A sensor without a buffer is read through its attributes, which all users can read.
      return .fine("sensor", "The motion sensor \(sensor) can be read.")
    }
    guard owner.name == DeviceCheck.group else {
      return .fault(
        "sensor", "The motion sensor \(sensor) belongs to the group \(owner.name), not to \(DeviceCheck.group).",
        mend: DeviceRules.remedy())
    }
    if scope != .machine, unsafe access(node, R_OK) != 0 {
      return .fault(
        "sensor", "The motion sensor \(sensor) belongs to the group \(DeviceCheck.group), and you are not a member.",
        mend: "sudo usermod -aG \(DeviceCheck.group) \"$USER\"", hint: "then log out and in again")
    }
    return .fine("sensor", "The motion sensor \(sensor) is accessible to tally-inputd.")
  }
}
