/// Whether udev knows the devices that count.
struct RuleCheck {
  private static let folders = ["/etc/udev", "/run/udev", "/usr/local/lib/udev", "/usr/lib/udev", "/lib/udev"]
  private static let file = "rules.d/70-tallymark.rules"

  static func findings() -> [Finding] {
    guard let folder = folders.first(where: { Inquiry.exists("\($0)/\(file)") }) else {
      return [
        .fault(
          "rules", "udev has no rules of Tallymark's: devices belong to nobody who counts.",
          mend: "sudo make install-udev   (where Tallymark was built), or install the package")
      ]
    }
    var findings = [Finding.fine("rules", "udev's rules are in \(folder)/\(file).")]
    // The first of the known devices stands for all: they are compiled together.
    let known = Inquiry.ask("systemd-hwdb query tallymark:b0003v0c45p7403:FootSwitch").output
    findings.append(
      known.contains("TALLYMARK_KIND=pedal")
        ? .fine("rules", "udev knows the devices that count.")
        : .fault(
          "rules", "udev's hardware data base does not have the devices that count.",
          mend: "sudo systemd-hwdb update && sudo udevadm trigger --subsystem-match=input"))
    let hasGroup = Inquiry.ask("getent group \(DeviceCheck.group)").isGood
    if !hasGroup {
      findings.append(
        .fault(
          "rules", "The group \(DeviceCheck.group), which udev gives devices to, does not exist.",
          mend: "sudo systemd-sysusers && sudo udevadm trigger --subsystem-match=input"))
    }
    return findings
  }
}
