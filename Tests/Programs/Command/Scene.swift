import Foundation
import JSON
import TestKit
import Testing
import Varlink

/// A folder of its own with a `tallyd` that serves there.
final class Scene {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private var core: Program.Running?
  private var client: Client?

  init() throws { try startCore() }

  deinit { stopCore() }

  var socket: String { "\(folder)/run/tally.sock" }

  var environment: [String: String] {
    ["TALLYMARK_SOCKET": socket, "XDG_STATE_HOME": "\(folder)/state", "TZ": "Asia/Kolkata"]
  }

  func startCore() throws {
    // Between the two halves of a reset two programs are started, on a machine that may be busy.
    let configuration = try temporary.write("reset-window = 60\n", to: "core.toml")
    core = try Program.start("tallyd", ["--config", configuration], environment)
    try Wait.until("the core serves") { try tally("show").code == 0 }
  }

  /// Stops the core with all its connections open, or lets it continue.
  func freezeCore(_ isFrozen: Bool) {
    if let core { kill(core.process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
  }

  /// Asks the core to end, and waits for its end.
  func stopCore() {
    guard let core else { return }
    client = nil
    core.process.terminate()
    core.process.waitUntilExit()
    self.core = nil
  }

  /// Calls the core directly; for tests that make many calls.
  @discardableResult
  func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
    let client = try client ?? Client(path: socket)
    self.client = client
    return try client.call("org.tallymark.Counters.\(method)", parameters)
  }

  @discardableResult
  func tally(_ arguments: String...) throws -> Program.Outcome { try Program.run("tally", arguments, environment) }
}
