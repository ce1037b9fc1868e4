import Glibc

/// Tallymark's files among udev's, by which devices belong to the gesture daemon, and the commands that bring them about.
public enum DeviceRules {
  /// udev's folders, in the order in which a file in one hides those of the same name in the next.
  public static let folders = ["/etc/udev", "/run/udev", "/usr/local/lib/udev", "/usr/lib/udev", "/lib/udev"]

  /// Which devices are whose, and which are known; below each of the folders.
  public static let (rules, known) = ("rules.d/70-tallymark.rules", "hwdb.d/70-tallymark.hwdb")

  /// Where `file` is that udev goes by; `nil` where there is none.
  public static func place(of file: String) -> String? {
    folders.map { "\($0)/\(file)" }.first { unsafe access($0, F_OK) == 0 }
  }

  /// Has udev read its rules where a file of them has changed, and go by them for what is plugged in.
  public static let apply = """
    sudo udevadm control --reload && sudo udevadm trigger --action=change --subsystem-match=input \
    --subsystem-match=iio --subsystem-match=leds --settle
    """

  /// Puts the known devices into udev's data base: into the system's, and into the administrator's where he has one, which
  /// hides the other.
  ///
  /// - Parameter base: where the administrator's would be.
  public static func compile(administrators base: String = "/etc/udev/hwdb.bin") -> String {
    let update = "sudo systemd-hwdb --usr update"
    return unsafe access(base, F_OK) == 0 ? "\(update) && sudo systemd-hwdb update" : update
  }

  /// What gives devices to the gesture daemon: rules that are there are gone by again; without them they are installed.
  public static func remedy(
    _ installation: Installation = .current, areThere: Bool = place(of: rules) != nil
  ) -> Remedy {
    areThere ? Remedy(apply) : installation.installRules
  }
}
