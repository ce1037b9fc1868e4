import Glibc

/// Standard output for programs whose every line must arrive, or be missed by nobody in silence.
public enum StandardOutput {
  /// `EX_IOERR` of sysexits.h: what was to be printed could not be.
  public static let unprintable: Int32 = 74

  /// Writes all of `text` at once; ends the program when it cannot: with code 0 where the reader had enough, else with
  /// ``unprintable`` after saying why.
  public static func write(_ text: String) {
    let fault = write(text, to: STDOUT_FILENO)
    guard fault != 0 else { return }
    if fault != EPIPE {
      let program = CommandLine.arguments.first?.split(separator: "/").last ?? "tallymark"
      _ = write("\(program): could not print: \(SystemError.reason(fault))\n", to: STDERR_FILENO)
    }
    exit(fault == EPIPE ? 0 : unprintable)
  }

  /// The same with a line break behind it.
  public static func line(_ text: String) { write(text + "\n") }

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
}
