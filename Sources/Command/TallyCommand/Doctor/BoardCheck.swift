import Glibc
import JSON
import Linux
import Tallymark
import Varlink

/// Checks an installed or running board: its socket, its rights, and the devices that can reach it.
struct BoardCheck {
  /// The socket by which the board is set up.
  let place: String
  /// The timeout of a call, in milliseconds.
  var patience: Int32 = 10_000

  private static let units = "tally-board.socket tally-board-control.socket"

  static func findings() -> [Finding] {
    BoardSocket.candidates(option: nil).flatMap { place in
      let check = BoardCheck(place: place)
      return SystemProbe.exists(place) ? check.findings() : check.absence()
    }
  }

  private var isMachine: Bool { place == BoardSocket.system }
  private var systemctl: String { isMachine ? "systemctl" : "systemctl --user" }
  private var control: String { isMachine ? "sudo systemctl" : "systemctl --user" }
  /// The command that restarts the board, which may run without systemd.
  private var restart: Remedy {
    guard SystemProbe.hasSystemd, ServiceUnit("tally-board.service", asking: systemctl).runs else {
      return Remedy("tally-board", hint: "after the board that uses this socket was stopped")
    }
    return Remedy("\(control) restart tally-board.service")
  }

  /// The findings for a board that should listen, and does not.
  private func absence() -> [Finding] {
    guard SystemProbe.hasSystemd else { return [] }
    return absence(ServiceUnit("tally-board-control.socket", asking: systemctl))
  }

  /// The findings for a unit whose board does not listen. Only enabled units matter, because all users have them.
  func absence(_ unit: ServiceUnit) -> [Finding] {
    guard unit.isInstalled, unit.properties["LoadState"] != "masked", isMachine || unit.isEnabled else { return [] }
    guard unit.isEnabled || unit.hasFailed else {
      return [
        .notice("board", "The board is installed, but not enabled.", mend: "\(control) enable --now \(Self.units)")
      ]
    }
    return [
      .fault(
        "board", "The board is installed, but its socket \(place) does not exist.",
        mend: "\(control) restart \(Self.units)")
    ]
  }

  func findings() -> [Finding] {
    do {
      let board = try Client(path: place)
      board.patience = patience
      let information = try board.call("org.varlink.service.GetInfo")
      let version = information["version"]?.string ?? "unknown"
      let start: [Finding] = [
        .fine("board", "A board replies at \(place)."),
        VersionCheck.finding(for: "The running board", version, mend: restart),
      ]
      // A board of another version may not know this method.
      guard version == Product.version else { return start }
      return start + findings(try board.call("org.tallymark.Board.Status"))
    } catch let error as SystemError where error.code == EACCES {
      return [
        .notice(
          "board", "You may not ask the board at \(place): only root and members of the group tallymark may.",
          mend: "sudo tally doctor")
      ]
    } catch let error as SystemError where [ENOENT, ECONNREFUSED].contains(error.code) {
      return [
        .fault(
          "board", "No board listens at \(place): the socket is stale.", mend: "\(control) restart \(Self.units)",
          hint: "or without systemd: tally-board")
      ]
    } catch {
      return [.fault("board", "The board at \(place) does not reply as expected: \(error)", mend: restart)]
    }
  }

  /// The findings for a reply to `Status`.
  func findings(_ status: JSONObject) -> [Finding] {
    let address = status["address"]?.string ?? ""
    let count = status["devices"]?.int ?? 0
    let isLocal = ["http://127.", "http://[::1]:"].contains(where: address.hasPrefix)
    let devices = count == 1 ? "1 device is paired" : "\(count == 0 ? "No" : "\(count)") devices are paired"
    return [
      .fine("board", "The board serves \(address) to \(isLocal ? "this machine only" : "other machines as well")."),
      rights(status, devices, count),
    ]
  }

  private func rights(_ status: JSONObject, _ devices: String, _ count: Int64) -> Finding {
    guard let mayRead = status["mayRead"]?.bool, let mayCount = status["mayCount"]?.bool else {
      return .fault("board", "The board reaches no core. \(devices).", mend: restart)
    }
    let name = isMachine ? "\"tallymark-board\"" : "your user name"
    let give = { (right: String) in
      Remedy(
        "sudoedit /etc/tallymark/core.toml",
        hint: "add \(name) to \(right), then: sudo systemctl reload tallyd")
    }
    if !mayRead { return .fault("board", "The core does not let the board read. \(devices).", mend: give("read")) }
    if mayCount { return .fine("board", "The board may read and count. \(devices).") }
    let sentence = "The board may read, but not count. \(devices)."
    return count == 0
      ? .notice("board", sentence, mend: give("count")) : .fault("board", sentence, mend: give("count"))
  }
}

/// Checks an enabled kiosk: a browser or a compositor that ends at once is restarted for ever.
enum KioskCheck {
  private static let unit = "tallymark-kiosk.service"
  private static let asked = "ActiveState,UnitFileState,NRestarts,StateChangeTimestampMonotonic"
  /// The smallest number of restarts, and the longest time in seconds since the last one, for which a kiosk is
  /// considered failing. Changes of the configuration also restart it. The time of the unit's last change is used in
  /// place of the start of the main process, which systemd does not report while the commands before it run.
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
        mend: "sudo journalctl --boot -t tallymark-kiosk", hint: "Weston and Chromium say why they end")
    ]
  }
}
