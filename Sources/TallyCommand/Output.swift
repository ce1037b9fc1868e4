import Glibc
import Platform

/// What people and programs read: standard output and standard error.
enum Output {
  /// `EX_IOERR` of sysexits.h: what was to be printed could not be.
  private static let unprintable: Int32 = 74

  /// Prints a line at once, since whoever reads a pipe waits for it; ends the program when nobody reads any more, with
  /// code 0 where that is a reader who had enough.
  static func line(_ text: String) {
    let fault = write(text + "\n", to: STDOUT_FILENO)
    guard fault != 0 else { return }
    if fault != EPIPE { complain("could not print: \(SystemError.reason(fault))") }
    exit(fault == EPIPE ? 0 : unprintable)
  }

  /// Says what went wrong.
  static func complain(_ text: String) { _ = write("tally: \(text)\n", to: STDERR_FILENO) }

  /// - Returns: 0, or the `errno` that stopped it.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        // Another program that shares the terminal or the pipe has made it so that writing does not wait.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&room, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Whether colours may be used: on a terminal that knows them, and never against the person's NO_COLOR.
  static let isColourful =
    isatty(STDOUT_FILENO) == 1 && ServiceProcess.environment("NO_COLOR") == nil
    && ServiceProcess.environment("TERM") != "dumb"

  /// A text in one of the terminal's own styles, where colours may be used.
  static func styled(_ text: String, _ style: Style) -> String {
    isColourful ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  enum Style: String {
    case bold = "1"
    case faint = "2"
    case up = "32"
    case down = "33"
  }
}
