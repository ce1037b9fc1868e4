import Foundation
import TestKit
import Testing

/// A program on a terminal of its own, by script(1).
final class TerminalSession {
  private let input = Pipe()
  private let running: Program.Running
  /// All that the program has written, with the terminal's control sequences.
  private(set) var screen = ""
  /// The part of it after the last text that was found, with a space for each line end.
  private var unread = ""

  /// - Parameter command: for the shell; its `exec` is the program.
  init(_ command: String, _ environment: [String: String], rows: Int = 24, columns: Int = 80) throws {
    var environment = environment
    environment["TERM"] = "xterm"
    environment["NO_COLOR"] = "1"
    environment["SHELL"] = "/bin/sh"
    let line = "stty rows \(rows) columns \(columns); \(command)"
    // A text that never comes fails the test instead of stopping all tests.
    running = try Program.start(
      "/usr/bin/timeout", ["\(2 * Wait.seconds)", "script", "-qefc", line, "/dev/null"], environment, input: input,
      takesSignals: true)
  }

  deinit { running.process.terminate() }

  func type(_ keys: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

  /// Reads until a text has appeared after the last one that was awaited; returns what stands between the two.
  @discardableResult
  func read(until text: String) throws -> String {
    while true {
      if let found = unread.range(of: text) {
        defer { unread.removeSubrange(..<found.upperBound) }
        return String(unread[..<found.lowerBound])
      }
      let isOver = !readMore()
      // A program that has ended says nothing more.
      try #require(!isOver, "“\(text)” is missing in: \(screen)")
    }
  }

  /// Reads to the end; the exit code of the program.
  func end() -> Int32 {
    while readMore() {}
    running.process.waitUntilExit()
    return running.process.terminationStatus
  }

  private func readMore() -> Bool {
    let more = String(decoding: running.output.fileHandleForReading.availableData, as: UTF8.self)
    screen += more
    for scalar in more.unicodeScalars where scalar != "\r" {
      unread.unicodeScalars.append(scalar == "\n" ? " " : scalar)
    }
    return !more.isEmpty
  }
}
