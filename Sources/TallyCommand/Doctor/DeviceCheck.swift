import Platform
import Varlink

/// Whether the gesture daemon may use the devices that it is to use.
struct DeviceCheck {
  static let group = "tallymark-input"

  static func findings(_ keeper: Keeper) -> [Finding] {
    let question = question(keeper)
    let answer = Inquiry.ask(question)
    guard answer.isGood else {
      return [
        .fault("devices", "tally-inputd cannot say which devices there are.", mend: question, hint: "it says why")
      ]
    }
    let devices = answer.output.split(separator: "\n").compactMap { line in
      var line = String(line)
      return line.withUTF8 { unsafe (try? JSON(parsing: UnsafeRawBufferPointer($0)))?.object }
    }
    return findings(devices, keeper)
  }

  /// The machine's service has the settings of the machine, whatever those are of the person who asks.
  static func question(_ keeper: Keeper) -> String {
    keeper == .machine ? "env XDG_CONFIG_HOME= HOME=/ tally-inputd devices --json" : "tally-inputd devices --json"
  }

  /// What is to be said of the devices that tally-inputd names.
  static func findings(_ devices: [JSONObject], _ keeper: Keeper) -> [Finding] {
    let wanted = devices.filter { $0["wanted"]?.bool == true }
    if wanted.isEmpty {
      return [
        .notice(
          "devices", "There is nothing to count with: no known clicker, pedal or touchscreen is plugged in.",
          mend: "tally-inputd learn", hint: "or plug one in")
      ]
    }
    // Of motion sensors, some of which have no node, another check tells.
    return wanted.filter { $0["path"]?.string?.hasPrefix("/dev/input/") == true }.map { finding(for: $0, keeper) }
  }

  private static func finding(for device: JSONObject, _ keeper: Keeper) -> Finding {
    let path = device["path"]?.string ?? ""
    let what = "\(path) (\(plain(device["name"]?.string ?? "")))"
    guard let owner = Inquiry.group(of: path) else { return missing(path, what) }
    if keeper == .machine {
      if owner.name == group, owner.isAllowed { return .fine("devices", "\(what) is the gesture daemon's to use.") }
      return .fault(
        "devices", "\(what) is to be used, and belongs to the group \(owner.name), not to \(group).",
        mend: DeviceRules.apply, hint: others)
    }
    if device["readable"]?.bool == true { return .fine("devices", "\(what) can be used.") }
    let rules = DeviceRules.remedy()
    return .fault(
      "devices", "\(what) is to be used. \(plain(device["problem"]?.string ?? ""))",
      mend: owner.name == group
        ? Remedy("sudo usermod -aG \(group) \"$USER\"", hint: "then log out and in again")
        : Remedy(rules.command, hint: rules.hint ?? others))
  }

  /// What rules do not know can be taught to them.
  private static let others = "if that does not help: sudo tally-inputd learn"

  /// The kernel alone makes nodes, when a device comes.
  private static func missing(_ path: String, _ what: String) -> Finding {
    if Inquiry.ask("systemd-detect-virt --container").isGood || !Inquiry.exists("/run/udev/control") {
      return .notice(
        "devices", "\(what) has no node here: a container has the devices that whoever starts it gives to it.")
    }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return .fault(
      "devices", "\(what) has no node.",
      mend: """
        sudo mknod \(path) c $(tr : ' ' < /sys/class/input/\(name)/dev) && \
        sudo udevadm trigger --action=add --settle --subsystem-match=input
        """, hint: "or plug it in again")
  }

  /// Devices name themselves; a terminal must not be told what to do by one.
  private static func plain(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}
