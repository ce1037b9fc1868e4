public import Foundation

/// A program of this package or of the machine, run as a process of its own.
public enum Program {
  /// `TALLYMARK_PROGRAMS`, or the folder of the tests.
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["TALLYMARK_PROGRAMS"]
      ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path)

  /// The absolute path of a program of this package.
  public static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Where programs write which lines they ran, while that is measured.
  private static let coverage = ProcessInfo.processInfo.environment.filter { $0.key == "LLVM_PROFILE_FILE" }

  /// Starts `name`, of this package or an absolute path, with nothing in its environment but `environment`.
  ///
  /// - Parameters:
  ///   - input: its standard input; default: nothing.
  ///   - takesSignals: whether signals reach a program that does not read them. Otherwise they stay blocked, as they
  ///     are in the threads of the tests.
  public static func start(
    _ name: String, _ arguments: [String], _ environment: [String: String] = [:], input: Pipe? = nil,
    takesSignals: Bool = false
  ) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: name.hasPrefix("/") ? name : path(name))
    process.arguments = arguments
    process.environment = environment.merging(coverage) { given, _ in given }
    let running = Running(process: process, output: Pipe(), complaint: Pipe())
    let ended = running.ended
    process.terminationHandler = { _ in ended.signal() }
    process.standardOutput = running.output
    process.standardError = running.complaint
    process.standardInput = input ?? FileHandle.nullDevice
    var (none, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    if takesSignals { pthread_sigmask(SIG_SETMASK, &none, &blocked) }
    defer { if takesSignals { pthread_sigmask(SIG_SETMASK, &blocked, nil) } }
    try process.run()
    return running
  }

  /// Runs `name` to its end.
  public static func run(
    _ name: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(name, arguments, environment).outcome()
  }

  /// What a program printed, and how it ended.
  public struct Outcome: Sendable {
    public let output: String
    public let complaint: String
    public let code: Int32

    public var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines as JSON objects.
    ///
    /// - Throws: An error for a line that is not a JSON object.
    public var objects: [[String: Any]] {
      get throws {
        try lines.map { line in
          guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw CocoaError(.propertyListReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: line])
          }
          return object
        }
      }
    }
  }

  /// A program that runs.
  public struct Running {
    public let process: Process
    public let output: Pipe
    public let complaint: Pipe
    /// Foundation's own wait looks for the end twenty times a second.
    fileprivate let ended = DispatchSemaphore(value: 0)

    /// Waits for the end of the program.
    public func outcome() throws -> Outcome {
      // Both at once: a program that fills one pipe while the other one is read waits for ever.
      let complaint = Reader(complaint.fileHandleForReading)
      let output = try output.fileHandleForReading.readToEnd() ?? Data()
      let complaints = complaint.text
      ended.wait()
      return Outcome(
        output: String(decoding: output, as: UTF8.self), complaint: complaints, code: process.terminationStatus)
    }
  }

  /// Reads a pipe to its end in a thread of its own.
  private final class Reader: @unchecked Sendable {
    private let end = DispatchSemaphore(value: 0)
    private var data = Data()

    init(_ handle: FileHandle) {
      Thread { [self] in
        data = (try? handle.readToEnd()) ?? Data()
        end.signal()
      }.start()
    }

    var text: String {
      end.wait()
      return String(decoding: data, as: UTF8.self)
    }
  }
}
