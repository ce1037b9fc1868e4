import Foundation

/// A program of this package, run for real.
struct Program {
  /// What it printed, and how it ended.
  struct Outcome {
    let output: String
    let complaint: String
    let code: Int32

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines as JSON objects.
    var objects: [[String: Any]] {
      lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
  }

  private static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  /// Where a program of this package lies.
  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Starts `name`, of this package or an absolute path, with nothing in its environment but `environment`.
  static func start(_ name: String, _ arguments: [String], _ environment: [String: String]) throws -> Running {
    let process = Process()
    process.executableURL = name.hasPrefix("/") ? URL(fileURLWithPath: name) : folder.appendingPathComponent(name)
    process.arguments = arguments
    process.environment = environment
    let running = Running(process: process, output: Pipe(), complaint: Pipe())
    process.standardOutput = running.output
    process.standardError = running.complaint
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return running
  }

  /// Runs `name` to its end.
  static func run(_ name: String, _ arguments: [String], _ environment: [String: String]) throws -> Outcome {
    try start(name, arguments, environment).outcome()
  }

  /// A program that runs.
  struct Running {
    let process: Process
    let output: Pipe
    let complaint: Pipe

    /// Waits for its end.
    func outcome() throws -> Outcome {
      let output = try output.fileHandleForReading.readToEnd() ?? Data()
      let complaint = try complaint.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return Outcome(
        output: String(decoding: output, as: UTF8.self), complaint: String(decoding: complaint, as: UTF8.self),
        code: process.terminationStatus)
    }
  }
}

/// A folder of its own with a `tallyd` that serves there.
final class Scene {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tallymark-\(UUID())").path
  private var core: Program.Running?

  init(withCore: Bool = true) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if withCore { try startCore() }
  }

  deinit {
    stopCore()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var socket: String { "\(folder)/run/tally.sock" }

  var environment: [String: String] {
    ["TALLYMARK_SOCKET": socket, "XDG_STATE_HOME": "\(folder)/state", "TZ": "Asia/Kolkata"]
  }

  func startCore() throws {
    let core = try Program.start("tallyd", [], environment)
    self.core = core
    try wait("the core to serve") { try tally("show").code == 0 }
  }

  /// Ends the core as `signal` does.
  func stopCore(_ signal: Int32 = SIGTERM) {
    guard let core else { return }
    kill(core.process.processIdentifier, signal)
    core.process.waitUntilExit()
    self.core = nil
  }

  @discardableResult
  func tally(_ arguments: String...) throws -> Program.Outcome { try Program.run("tally", arguments, environment) }

  /// Waits until `condition` holds, for at most ten seconds.
  func wait(_ what: String, until condition: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(10)
    while try !condition() {
      guard Date() < end else { throw Overdue(what: what) }
      usleep(10_000)
    }
  }

  struct Overdue: Error {
    let what: String
  }
}
