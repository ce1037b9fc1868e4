import Platform
import Varlink

/// Whether the machine's gesture daemon may use the devices that it is to use.
struct DeviceCheck {
  static let group = "tallymark-input"

  static func findings() -> [Finding] {
    let answer = Inquiry.ask("tally-inputd devices --json")
    guard answer.isGood else {
      return [
        .fault(
          "devices", "tally-inputd cannot say which devices there are.",
          mend: "tally-inputd devices   (it says why)")
      ]
    }
    let devices = answer.output.split(separator: "\n").compactMap { line in
      var line = String(line)
      return line.withUTF8 { unsafe (try? JSON(parsing: UnsafeRawBufferPointer($0)))?.object }
    }
    let wanted = devices.filter { $0["wanted"]?.bool == true }
    if wanted.isEmpty {
      return [
        .notice(
          "devices", "There is nothing to count with: no known clicker, pedal or touchscreen is plugged in.",
          mend: "plug one in, or: tally-inputd learn")
      ]
    }
    return wanted.map { device in
      finding(
        for: device["path"]?.string ?? "", device["name"]?.string ?? "", isReadable: device["readable"]?.bool ?? false)
    }
  }

  private static func finding(for path: String, _ name: String, isReadable: Bool) -> Finding {
    let device = "\(path) (\(plain(name)))"
    guard let owner = Inquiry.group(of: path) else {
      return .fault("devices", "\(device) has no node.", mend: "sudo udevadm trigger --action=add --settle \(path)")
    }
    if owner.name == group, owner.isAllowed { return .fine("devices", "\(device) is the gesture daemon's to use.") }
    if isReadable, !Inquiry.exists("/run/systemd/system") { return .fine("devices", "\(device) can be used.") }
    return .fault(
      "devices", "\(device) is to be used, and belongs to the group \(owner.name), not to \(group).",
      mend: "sudo udevadm trigger --action=change --settle \(path)   (if that does not help: sudo tally-inputd learn)")
  }

  /// Devices name themselves; a terminal must not be told what to do by one.
  private static func plain(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}
