import Platform

/// Whether udev knows the devices that count, and gives them to somebody.
struct RuleCheck {
  static func findings(_ keeper: Keeper) -> [Finding] {
    guard let place = DeviceRules.place(of: DeviceRules.rules) else {
      return [
        .fault(
          "rules", "udev has no rules of Tallymark's: devices belong to nobody who counts.",
          mend: DeviceRules.remedy())
      ]
    }
    return [.fine("rules", "udev's rules are in \(place).")] + hidden() + [database()] + group(keeper)
  }

  /// Files of an installation from sources, which udev prefers to the package's.
  private static func hidden() -> [Finding] {
    let files = [
      ("/usr/local/lib/udev", DeviceRules.rules, DeviceRules.apply),
      ("/etc/udev", DeviceRules.known, "\(DeviceRules.compile()) && \(DeviceRules.apply)"),
    ]
    return files.compactMap { folder, file, apply in
      let (own, packaged) = ("\(folder)/\(file)", "/usr/lib/udev/\(file)")
      guard let content = content(own), let other = Self.content(packaged), content != other else { return nil }
      return .notice(
        "rules", "\(own) is not the same as \(packaged), and hides it.", mend: "sudo rm \(own) && \(apply)")
    }
  }

  private static func content(_ path: String) -> [UInt8]? { try? FileContent.read(path, upTo: 1 << 20) }

  private static func database() -> Finding {
    // The first of the known devices stands for all: they are compiled together.
    let known = Inquiry.ask("systemd-hwdb query tallymark:b0003v0c45p7403:FootSwitch").output
    if known.contains("TALLYMARK_KIND=pedal") { return .fine("rules", "udev knows the devices that count.") }
    guard DeviceRules.place(of: DeviceRules.known) != nil else {
      return .fault(
        "rules", "udev has no list of the devices that count.", mend: Installation.current.installRules)
    }
    return .fault(
      "rules", "udev's hardware data base does not have the devices that count.",
      mend: "\(DeviceRules.compile()) && \(DeviceRules.apply)")
  }

  private static func group(_ keeper: Keeper) -> [Finding] {
    if Inquiry.ask("getent group \(DeviceCheck.group)").isGood { return [] }
    // A daemon that runs has the former group's number.
    let restart = keeper == .machine ? " && sudo systemctl try-restart tally-inputd.service" : ""
    // udev looks for groups when it reads its rules, which it does again only where a file of them has changed.
    let anew = "sudo systemctl restart systemd-udevd && \(DeviceRules.apply)"
    return [
      .fault(
        "rules", "The group \(DeviceCheck.group), which udev gives devices to, does not exist.",
        mend: "sudo systemd-sysusers && \(anew)\(restart)")
    ]
  }
}
