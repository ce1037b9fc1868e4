import CLinux
import Glibc

/// The terminal on standard input, in the mode in which it delivers each key at once without echo. Ctrl-C remains a
/// signal.
///
/// The former mode is restored by ``restore()``, when the process ends in any way, or when this object is deallocated.
public final class TerminalInput {
  /// - Throws: `ENOTTY` if standard input is not a terminal; `EPERM` if another process group has it.
  public init() throws(SystemError) {
    let attempt = "take the keys of the terminal"
    guard isatty(STDIN_FILENO) == 1 else { throw SystemError(attempt, code: ENOTTY) }
    // A program in the background would be stopped by the terminal.
    guard Self.isForeground else { throw SystemError(attempt, code: EPERM) }
    try check(linux_terminal_raw(STDIN_FILENO), attempt)
  }

  deinit { restore() }

  public func restore() { linux_terminal_restore() }

  /// Whether this process may read from the terminal. A terminal that is not the controlling one does not stop the
  /// process.
  private static var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// The longest pause between checks whether the process is in the foreground, in milliseconds.
  private static let longestPause: Int32 = 1000

  /// Reads bytes of standard input, which need not be a terminal; waits at most `milliseconds`.
  ///
  /// - Returns: `nil` at the end of the input.
  public static func read(waiting milliseconds: Int32 = 0, atMost count: Int = 256) -> [UInt8]? {
    guard isatty(STDIN_FILENO) != 1 || isForeground else {
      _ = poll(nil, 0, milliseconds < 0 ? longestPause : min(milliseconds, longestPause))
      return []
    }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&input, 1, milliseconds) > 0 else { return [] }
    return readReady(atMost: count)
  }

  /// Reads the bytes of standard input, which a loop has found readable. The descriptor is shared with the shell and
  /// stays blocking, so this waits if there is no input.
  ///
  /// - Returns: `nil` at the end of the input.
  public static func readReady(atMost count: Int = 256) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    if found < 0, errno == EINTR || errno == EAGAIN { return [] }
    return found > 0 ? Array(bytes.prefix(found)) : nil
  }
}
