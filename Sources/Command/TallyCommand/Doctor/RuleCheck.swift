import Linux
import Tallymark

/// Checks that udev knows the devices, and that a group owns them.
struct RuleCheck {
  static func findings(_ scope: ServiceScope) -> [Finding] {
    guard let place = DeviceRules.place(of: DeviceRules.rules) else {
      return [
        .fault(
          "rules", "The udev rules of Tallymark are not installed: tally-inputd cannot open devices.",
          mend: DeviceRules.remedy())
      ]
    }
    return [.fine("rules", "The udev rules are in \(place).")] + hidden() + [database()] + group(scope)
  }

  /// Files of an installation from source, which override those of the package.
  private static func hidden() -> [Finding] {
    let files = [
      ("/usr/local/lib/udev", DeviceRules.rules, DeviceRules.apply),
      ("/etc/udev", DeviceRules.known, "\(DeviceRules.compile()) && \(DeviceRules.apply)"),
    ]
    return files.compactMap { folder, file, apply in
      let (own, packaged) = ("\(folder)/\(file)", "/usr/lib/udev/\(file)")
      guard let content = content(own), let other = Self.content(packaged), content != other else { return nil }
      return .notice(
        "rules", "\(own) differs from \(packaged) and overrides it.", mend: "sudo rm \(own) && \(apply)")
    }
  }

  private static func content(_ path: String) -> [UInt8]? { try? FileContent.read(path, upTo: 1 << 20) }

  private static func database() -> Finding {
    // The first known device represents all of them, because they are compiled together.
    let known = SystemProbe.ask("systemd-hwdb query tallymark:b0003v0c45p7403:FootSwitch").output
    if known.contains("TALLYMARK_KIND=pedal") {
      return .fine("rules", "The udev hardware database has the known devices.")
    }
    guard DeviceRules.place(of: DeviceRules.known) != nil else {
      return .fault(
        "rules", "The udev hardware database file of Tallymark is not installed.",
        mend: Installation.current.installRules)
    }
    return .fault(
      "rules", "The compiled udev hardware database lacks the known devices.",
      mend: "\(DeviceRules.compile()) && \(DeviceRules.apply)")
  }

  private static func group(_ scope: ServiceScope) -> [Finding] {
    if SystemProbe.ask("getent group \(DeviceCheck.group)").isGood { return [] }
    // A running daemon has the ID of the previous group.
    let restart = scope == .machine ? " && sudo systemctl try-restart tally-inputd.service" : ""
    // udev resolves group names when it reads its rules, and reads the rules again only if their files have changed.
    let anew = "sudo systemctl restart systemd-udevd && \(DeviceRules.apply)"
    return [
      .fault(
        "rules", "The group \(DeviceCheck.group), which owns the devices, does not exist.",
        mend: "sudo systemd-sysusers && \(anew)\(restart)")
    ]
  }
}
