import Glibc
import Platform

/// What people and programs read: standard output and standard error.
enum Output {
  /// Prints a line at once, since whoever reads a pipe waits for it; ends the program when nobody reads any more, with
  /// code 0 where that is a reader who had enough.
  static func line(_ text: String) { StandardOutput.line(text) }

  /// Prints a text as it is, likewise.
  static func write(_ text: String) { StandardOutput.write(text) }

  /// Draws lines on a terminal in the place of the last `count` ones.
  static func redraw(_ lines: [String], over count: Int) {
    let back = count > 0 ? "\u{1B}[\(count)A\r" : ""
    // Each line is cleared only behind its new text, so that nothing flickers.
    let text = lines.map { $0 + "\u{1B}[K\n" }.joined()
    write(back + text + "\u{1B}[J")
  }

  /// Empties the rest of a terminal's line and goes on in a column of it, from 0: not all of them draw an emoji that is
  /// put together as wide as others do.
  static func column(_ column: Int) -> String { Terminal.canMove ? "\u{1B}[K\u{1B}[\(column + 1)G" : "" }

  /// Says what went wrong.
  static func complain(_ text: String) { ServiceProcess.log(.error, "tally: \(text)") }

  /// Whether colours may be used: on a terminal that knows them, and never against the person's NO_COLOR.
  static let isColourful =
    isatty(STDOUT_FILENO) == 1 && ServiceProcess.environment("NO_COLOR") == nil
    && ServiceProcess.environment("TERM") != "dumb"

  /// A text in one of the terminal's own styles and maybe in a counter's colour, where colours may be used.
  static func styled(_ text: String, _ style: Style, colour: String? = nil) -> String {
    // Reverse is no colour, and what changed must be seen without colours, too.
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
    /// For what changed just now.
    case flash = "1;7"
  }
}
