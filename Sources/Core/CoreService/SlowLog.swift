import Linux
import Synchronization

/// Logs slow calls, to find the clients that slow a core. Used by the loop and by reader threads.
final class SlowLog: Sendable {
  /// The duration above which a call is logged, in nanoseconds.
  static let limit: Int64 = 50_000_000
  /// The shortest time between two lines about the same method, in nanoseconds.
  static let pause: Int64 = 60_000_000_000

  /// The place in which a call was slow.
  enum Place {
    /// The thread that handles the calls of all clients.
    case loop
    /// A reader thread, in processor time.
    case reader
  }

  /// The last line about a method, and the number of slow calls since.
  private struct Entry {
    var loggedAt: Int64
    var omitted = 0
  }

  /// The entries by method. The interface bounds their number.
  private let entries = Mutex<[String: Entry]>([:])
  private let log: @Sendable (String) -> Void

  /// - Parameter log: receives the lines.
  init(log: @escaping @Sendable (String) -> Void = { ServiceProcess.log(.warning, $0) }) { self.log = log }

  /// Logs a call if it took longer than ``limit``; at most one call of a method per ``pause``.
  ///
  /// - Parameters:
  ///   - method: the name of a method of the interface.
  ///   - now: ``Clock/monotonic()``.
  func note(_ method: String, of user: UInt32, took time: Int64, in place: Place, now: Int64 = Clock.monotonic()) {
    guard time > Self.limit else { return }
    let omitted = entries.withLock { entries -> Int? in
      if let last = entries[method]?.loggedAt, now &- last < Self.pause {
        entries[method]?.omitted += 1
        return nil
      }
      let omitted = entries[method]?.omitted ?? 0
      entries[method] = Entry(loggedAt: now)
      return omitted
    }
    guard let omitted else { return }
    let milliseconds = time / 1_000_000
    var line =
      switch place {
      case .loop: "\(method), called by the user with the ID \(user), took \(milliseconds) ms; other calls waited."
      case .reader: "\(method), called by the user with the ID \(user), took \(milliseconds) ms of processor time."
      }
    if omitted > 0 { line += " Since the last such line \(omitted) more calls of \(method) were slow." }
    log(line)
  }
}
