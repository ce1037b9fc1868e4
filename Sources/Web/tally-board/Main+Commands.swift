import Board
import BoardServer
import Glibc
import JSON
import Linux
import Tallymark
import Text
import Varlink

/// The commands for a running board.
extension Main {
  /// Runs `pair`, `devices` or `revoke` with the running board.
  ///
  /// - Throws: `UsageError` for other words and if no board is running, the board's error if it refuses.
  static func command(_ options: Options) throws {
    let words = options.words
    for name in ["listen", "socket", "state", "name", "exit-idle-time"] where options.value(of: name) != nil {
      throw UsageError("--\(name) does not go with \(words[0]).")
    }
    if options.has("setup"), words != ["pair"] { throw UsageError("--setup only goes with pair.") }
    func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
      try client(options).call("org.tallymark.Board.\(method)", parameters)
    }
    switch (words.first, words.count) {
    case ("pair", 1):
      let reply = try call("Pair", options.has("setup") ? ["setup": true] : [:])
      let addresses = NetworkAddresses.resolve(reply["address"]?.string ?? "")
      let which = addresses.count == 1 ? "this address" : "one of these addresses"
      StandardOutput.line("Open \(which) with the device, within five minutes:\n")
      for address in addresses { StandardOutput.line("  \(address)") }
      if NetworkAddresses.areOfThisMachineOnly(addresses), isatty(STDOUT_FILENO) == 1 {
        StandardOutput.line(
          "\nOnly this machine can open this address. To let other devices reach the board, start it with\n"
            + "--listen 0.0.0.0:8464; the service with: sudo systemctl edit tally-board.socket, and there in [Socket]\n"
            + "ListenStream= and ListenStream=0.0.0.0:8464.")
      }
      // A script reads the addresses only.
      if isatty(STDOUT_FILENO) == 1, let code = addresses.first.flatMap(QRCode.init) {
        StandardOutput.line("\n" + code.terminalLines.map { "  \($0)" }.joined(separator: "\n"))
      }
    case ("devices", 1):
      let devices = try call("Devices")["devices"]?.array ?? []
      if devices.isEmpty { StandardOutput.line("No device may count yet. Pair one: tally-board pair") }
      for device in devices.compactMap(\.object) {
        let name = (device["name"]?.string ?? "").printableLine
        let suffix = device["setup"]?.bool == true ? " (may set up)" : ""
        StandardOutput.line("\(device["id"]?.string ?? "")  \(name)\(suffix)")
      }
    case ("revoke", 2):
      _ = try call("Revoke", ["id": .string(words[1])])
      StandardOutput.line("The device may only watch from now on.")
    case ("revoke", 1): throw UsageError("revoke needs the ID of a device. List them: tally-board devices.")
    default: throw UsageError("tally-board takes no “\(words.joined(separator: " "))”.")
    }
  }

  private static func client(_ options: Options) throws(UsageError) -> Client {
    let named = options.value(of: "control")
    var (faults, isForbidden) = ([String](), false)
    for path in BoardSocket.candidates(option: named) {
      do {
        return try Client(path: path)
      } catch {
        faults.append("at \(path) (\(SystemError.reason(error.code)))")
        if error.code == EACCES, path == BoardSocket.system { isForbidden = true }
      }
    }
    if let named {
      throw UsageError(
        "No board can be reached \(faults.joined()). Start one: tally-board --control \(named).")
    }
    // Without a runtime folder the path of a user's board is unknown.
    let isOwnUnknown = ServiceProcess.user != 0 && BoardSocket.personal == nil
    if isOwnUnknown { faults.insert("at $XDG_RUNTIME_DIR/tallymark/board.sock (XDG_RUNTIME_DIR is not set)", at: 0) }
    let service = "sudo systemctl enable --now tally-board.socket tally-board-control.socket"
    let advice =
      isForbidden
      ? "Only root and members of the group tallymark may use the machine's board."
      : "Start one: tally-board, or as a service: \(service)."
    throw UsageError("No board can be reached \(faults.joined(separator: " or ")). \(advice)")
  }
}
