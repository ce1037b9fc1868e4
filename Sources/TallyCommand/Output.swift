import Glibc
import Platform

/// What people and programs read: standard output and standard error.
enum Output {
  /// Prints a line at once, since whoever reads a pipe waits for it; ends the program when nobody reads any more, with
  /// code 0 where that is a reader who had enough.
  static func line(_ text: String) { StandardOutput.line(text) }

  /// Says what went wrong.
  static func complain(_ text: String) { ServiceProcess.log(.error, "tally: \(text)") }

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
