import Glibc
import Text

/// Standard output on which no error is lost: a failed write ends the program.
public enum StandardOutput {
  /// Exit code after a write error: `EX_IOERR` of sysexits.h.
  public static let unprintable: Int32 = 74

  /// Writes all of `text` without buffering. After an error the program exits: with code 0 if the reader closed the
  /// pipe, or else with ``unprintable`` and a message.
  public static func write(_ text: String) {
    let fault = write(text, to: STDOUT_FILENO)
    guard fault != 0 else { return }
    if fault != EPIPE {
      let program = CommandLine.arguments.first?.split(separator: "/").last ?? "program"
      _ = write("\(program): could not print: \(SystemError.reason(fault))\n", to: STDERR_FILENO)
    }
    exit(fault == EPIPE ? 0 : unprintable)
  }

  /// Writes `text` and a line break. Replaces control characters, because the text may quote a file, a device or an
  /// argument.
  public static func line(_ text: String) { write(text.printable + "\n") }

  /// - Returns: 0, or the `errno` value of the failed write.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        // Another program on the same terminal or pipe has made standard output non-blocking.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&room, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
