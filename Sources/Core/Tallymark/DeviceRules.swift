import Glibc

/// Tallymark's udev rules and hardware database, which give devices to the gesture daemon, and the commands that apply
/// them.
public enum DeviceRules {
  /// udev's folders by precedence: a file hides files of the same name in later folders.
  public static let folders = ["/etc/udev", "/run/udev", "/usr/local/lib/udev", "/usr/lib/udev", "/lib/udev"]

  /// Paths of the rules and of the hardware database, relative to each of the folders.
  public static let (rules, known) = ("rules.d/70-tallymark.rules", "hwdb.d/70-tallymark.hwdb")

  /// The full path of `file` in the first folder that has it; `nil` if none has.
  public static func place(of file: String) -> String? {
    folders.map { "\($0)/\(file)" }.first { unsafe access($0, F_OK) == 0 }
  }

  /// Reloads udev's rules and applies them to the connected devices.
  public static let apply = """
    sudo udevadm control --reload && sudo udevadm trigger --action=change --subsystem-match=input \
    --subsystem-match=iio --subsystem-match=leds --settle
    """

  /// Returns the command that compiles udev's hardware database: the system's and, if it exists, the administrator's,
  /// which hides the system's.
  ///
  /// - Parameter base: the path of the administrator's database.
  public static func compile(administrators base: String = "/etc/udev/hwdb.bin") -> String {
    let update = "sudo systemd-hwdb --usr update"
    return unsafe access(base, F_OK) == 0 ? "\(update) && sudo systemd-hwdb update" : update
  }

  /// Applies the udev rules again, or installs them if they are missing.
  public static func remedy(
    _ installation: Installation = .current, areThere: Bool = place(of: rules) != nil
  ) -> Remedy {
    areThere ? Remedy(apply) : installation.installRules
  }
}
