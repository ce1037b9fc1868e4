import Glibc
public import Linux

/// Waiting for an event, however busy the machine is.
public enum Wait {
  /// The longest wait, in seconds: a minute, or the whole number in `TALLYMARK_PATIENCE`. Only a test that fails ever waits so
  /// long.
  public static let seconds = getenv("TALLYMARK_PATIENCE").flatMap { Int64(String(cString: $0)) } ?? 60
  /// The longest wait, in nanoseconds.
  public static let longest = seconds * 1_000_000_000

  /// Something that did not happen in time.
  public struct Overdue: Error, CustomStringConvertible {
    public let description: String
  }

  /// Polls until `condition` holds.
  ///
  /// - Parameters:
  ///   - pause: Runs between two polls; without it the thread sleeps for some milliseconds.
  ///   - file: Where the test waits, for the error.
  /// - Throws: ``Overdue`` after ``longest``, and what `condition` throws.
  public static func until(
    _ event: String, pause: (() throws -> Void)? = nil, file: StaticString = #fileID, line: Int = #line,
    _ condition: () throws -> Bool
  ) throws {
    let end = Clock.boottime() + longest
    while try !condition() {
      guard Clock.boottime() < end else {
        throw Overdue(
          description: "\(file):\(line): after \(seconds) s this had not happened: \(event).")
      }
      if let pause { try pause() } else { usleep(5_000) }
    }
  }

  /// Turns `loop` until `condition` holds.
  ///
  /// - Throws: ``Overdue`` after ``longest``, and what `condition` and the loop throw.
  public static func until(
    _ event: String, turning loop: EventLoop, file: StaticString = #fileID, line: Int = #line,
    _ condition: () throws -> Bool
  ) throws {
    // The loop returns as soon as something happens; the wait only bounds how often the deadline is looked at.
    try until(event, pause: { _ = try loop.runOnce(waiting: 20_000) }, file: file, line: line, condition)
  }
}
