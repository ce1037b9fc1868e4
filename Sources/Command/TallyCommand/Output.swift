import Glibc
import Linux
import Reports
import Text

/// Standard output and standard error.
enum Output {
  /// Prints a line and flushes it, for readers of a pipe. If standard output is closed, ends the program: with code 0
  /// after EPIPE.
  static func line(_ text: String) { write(text + "\n") }

  /// Prints a text without a line end, and flushes it. Of all characters that control a terminal, only this program's
  /// styles and moves remain, and only on a terminal.
  static func write(_ text: String) {
    StandardOutput.write(isatty(STDOUT_FILENO) == 1 ? text.printableWithStyles : text.printable)
  }

  /// Prints data for programs: unchanged, except on a terminal.
  static func data(_ text: String) {
    if isatty(STDOUT_FILENO) == 1 { write(text) } else { StandardOutput.write(text) }
  }

  /// Draws lines on a terminal over the last `count` ones.
  static func redraw(_ lines: [String], over count: Int) {
    let back = count > 0 ? "\u{1B}[\(count)A\u{1B}[1G" : ""
    // Each line is cleared after its new text, to avoid flicker.
    let text = lines.map { $0 + "\u{1B}[K\n" }.joined()
    write(back + text + "\u{1B}[J")
  }

  /// Clears the rest of the line and moves the cursor to a column, from 0, because terminals differ in the width of
  /// combined emoji.
  static func column(_ column: Int) -> String { Terminal.canMove ? "\u{1B}[K\u{1B}[\(column + 1)G" : "" }

  static func complain(_ text: String) { ServiceProcess.log(.error, "tally: \(text)") }

  /// Prints text for a person to standard error, beside output for programs.
  static func remark(_ text: String) { ServiceProcess.log(.info, text) }

  /// Whether colours are used: on a terminal that supports them, and not with NO_COLOR.
  static let isColourful =
    isatty(STDOUT_FILENO) == 1 && ServiceProcess.environment("NO_COLOR") == nil
    && ServiceProcess.environment("TERM").map { $0 != "dumb" } ?? false

  /// Applies a terminal style and optionally a counter's colour, if colours are used.
  static func styled(_ text: String, _ style: Style, colour: String? = nil) -> String {
    // Reverse video is not a colour, and changes must be visible without colours, too.
    guard isColourful else { return style == .flash && Terminal.canMove ? "\u{1B}[7m\(text)\u{1B}[0m" : text }
    let codes = [style.rawValue, Colour.terminal(colour) ?? ""].filter { !$0.isEmpty }
    return codes.isEmpty ? text : "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }

  enum Style: String {
    case plain = ""
    case bold = "1"
    case faint = "2"
    case up = "32"
    case down = "33"
    /// Marks a value that has just changed.
    case flash = "1;7"
  }
}
