import Glibc
import Platform

/// What people and programs read: standard output and standard error.
enum Output {
  /// Prints a line at once, since whoever reads a pipe waits for it; ends the program when nobody reads any more.
  static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  /// Says what went wrong.
  static func complain(_ text: String) { write("tally: \(text)\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 { rest = rest.dropFirst(written) } else if errno != EINTR { exit(0) }
    }
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
