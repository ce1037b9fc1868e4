import JSON
import Tallymark

/// Checks that tally-inputd can open its devices.
struct DeviceCheck {
  static let group = "tallymark-input"

  static func findings(_ scope: ServiceScope) -> [Finding] {
    let question = question(scope)
    let answer = SystemProbe.ask(question)
    guard answer.isGood else {
      return [
        .fault("devices", "tally-inputd cannot list the devices.", mend: question, hint: "it prints the reason")
      ]
    }
    let devices = answer.output.split(separator: "\n").compactMap { line in
      var line = String(line)
      return line.withUTF8 { unsafe (try? JSON(parsing: UnsafeRawBufferPointer($0)))?.object }
    }
    return findings(devices, scope)
  }

  /// The command that lists devices. The system's service uses the system's configuration, not that of the user.
  static func question(_ scope: ServiceScope) -> String {
    scope == .machine ? "env XDG_CONFIG_HOME= HOME=/ tally-input devices --json" : "tally-input devices --json"
  }

  /// The findings for the devices that tally-inputd lists.
  static func findings(_ devices: [JSONObject], _ scope: ServiceScope) -> [Finding] {
    let wanted = devices.filter { $0["wanted"]?.bool == true }
    if wanted.isEmpty {
      let unnamed = devices.filter { $0["remedy"] != nil }.map(Self.unnamed)
      if !unnamed.isEmpty { return unnamed }
      return [
        .notice(
          "devices", "No known clicker, pedal or touchscreen is connected.",
          mend: "tally-input learn", hint: "or connect one")
      ]
    }
    // Motion sensors, some of which have no device node, have their own check.
    return wanted.filter { $0["path"]?.string?.hasPrefix("/dev/input/") == true }.map { finding(for: $0, scope) }
  }

  /// The finding for a known device or a touchscreen that counts once a person has named it.
  private static func unnamed(_ device: JSONObject) -> Finding {
    let what = "\(device["path"]?.string ?? "") (\(plain(device["name"]?.string ?? "")))"
    let command = (device["remedy"]?.string ?? "").split(separator: "(").first.map(String.init) ?? ""
    return .notice(
      "devices", "\(what) does not count: \(plain(device["why"]?.string ?? "")).",
      mend: String(command.reversed().drop { $0 == " " }.reversed()))
  }

  private static func finding(for device: JSONObject, _ scope: ServiceScope) -> Finding {
    let path = device["path"]?.string ?? ""
    let what = "\(path) (\(plain(device["name"]?.string ?? "")))"
    guard let owner = SystemProbe.group(of: path) else { return missing(path, what) }
    if scope == .machine {
      if owner.name == group, owner.mayRead { return .fine("devices", "\(what) is accessible to tally-inputd.") }
      return .fault(
        "devices",
        owner.name == group
          ? "\(what) is configured, but the group \(group) may not read it."
          : "\(what) is configured, but belongs to the group \(owner.name), not to \(group).",
        mend: DeviceRules.apply, hint: others)
    }
    if device["readable"]?.bool == true { return .fine("devices", "\(what) can be used.") }
    let rules = DeviceRules.remedy()
    return .fault(
      "devices", "\(what) is configured, but cannot be used. \(plain(device["problem"]?.string ?? ""))",
      mend: owner.name == group
        ? Remedy("sudo usermod -aG \(group) \"$USER\"", hint: "then log out and in again")
        : Remedy(rules.command, hint: rules.hint ?? others))
  }

  /// A hint for devices that the rules do not cover.
  private static let others = "if that does not help: sudo tally-input learn"

  /// The finding for a missing node. Only the kernel creates device nodes, when a device appears.
  private static func missing(_ path: String, _ what: String) -> Finding {
    if SystemProbe.ask("systemd-detect-virt --container").isGood || !SystemProbe.exists("/run/udev/control") {
      return .notice(
        "devices", "\(what) has no device node here: pass the device to the container when it is started.")
    }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return .fault(
      "devices", "\(what) has no device node.",
      mend: """
        sudo mknod \(path) c $(tr : ' ' < /sys/class/input/\(name)/dev) && \
        sudo udevadm trigger --action=add --settle --subsystem-match=input
        """, hint: "or reconnect it")
  }

  /// A device's name without control characters, because devices choose their names.
  private static func plain(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}
