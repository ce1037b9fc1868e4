import Foundation
import TestKit
import Testing
import Varlink

/// A folder of its own with a `tallyd` that serves there.
final class Scene {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private var core: Program.Running?
  private var client: Client?

  init(withCore: Bool = true) throws {
    if withCore { try startCore() }
  }

  deinit { stopCore() }

  var socket: String { "\(folder)/run/tally.sock" }

  var environment: [String: String] {
    ["TALLYMARK_SOCKET": socket, "XDG_STATE_HOME": "\(folder)/state", "TZ": "Asia/Kolkata"]
  }

  func startCore() throws {
    // Between the two halves of a reset two programs are started, on a machine that may be busy.
    let configuration = try temporary.write("reset-window = 60\n", to: "core.toml")
    let core = try Program.start("tallyd", ["--config", configuration], environment)
    self.core = core
    try Wait.until("the core serves") { try tally("show").code == 0 }
  }

  /// Limits the size of the files that the core may write, in bytes; lifts the limit for `nil`.
  func limitFiles(to bytes: Int?) throws {
    guard let core else { return }
    let limit = "--fsize=\(bytes.map(String.init) ?? "unlimited"):unlimited"
    let outcome = try Program.run("/usr/bin/prlimit", ["--pid", "\(core.process.processIdentifier)", limit])
    #expect(outcome.code == 0, "\(outcome.complaint)")
  }

  /// Ends the core as `signal` does.
  func stopCore(_ signal: Int32 = SIGTERM) {
    guard let core else { return }
    client = nil
    kill(core.process.processIdentifier, signal)
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
