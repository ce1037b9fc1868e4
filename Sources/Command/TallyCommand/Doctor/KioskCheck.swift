import Linux
import Tallymark

/// Checks an enabled kiosk: a browser or a compositor that ends at once is restarted for ever.
enum KioskCheck {
  private static let unit = "tallymark-kiosk.service"
  private static let asked = "ActiveState,UnitFileState,NRestarts,StateChangeTimestampMonotonic"
  /// The smallest number of restarts, and the longest time in seconds since the last one, for which a kiosk is
  /// considered failing. Changes of the configuration also restart it. The time of the unit's last change stands for that
  /// of the start: systemd gives no start of the main process while the commands before it run.
  private static let (fewest, recent) = (3 as Int64, 60 as Int64)

  static func findings() -> [Finding] {
    guard SystemProbe.hasSystemd else { return [] }
    return findings(SystemProbe.properties("systemctl show -p \(asked) \(unit)"), at: Clock.monotonic() / 1000)
  }

  /// The findings for the properties of the unit at `now`, in microseconds of the monotonic clock.
  static func findings(_ properties: [String: String], at now: Int64) -> [Finding] {
    guard properties["UnitFileState"]?.hasPrefix("enabled") ?? false,
      ["active", "activating", "deactivating", "failed"].contains(properties["ActiveState"])
    else { return [] }
    let restarts = properties["NRestarts"].flatMap { Int64($0) } ?? 0
    let changed = properties["StateChangeTimestampMonotonic"].flatMap { Int64($0) } ?? 0
    guard restarts >= fewest, now.subtractingReportingOverflow(changed).partialValue < recent * 1_000_000 else {
      // Between two starts the unit is in this state for a moment.
      return properties["ActiveState"] == "failed" ? [] : [.fine("kiosk", "The kiosk runs.")]
    }
    return [
      .fault(
        "kiosk", "The kiosk cannot stay: it was started again \(restarts) times, and less than a minute ago.",
        mend: "sudo journalctl --boot -t tallymark-kiosk", hint: "cage and Chromium say why they end")
    ]
  }
}
