import Glibc
import Linux
import Reports
import Text

/// The terminal of standard output.
enum Terminal {
  /// Whether standard output is a terminal.
  static let isThere = isatty(STDOUT_FILENO) == 1

  static let canMove = isThere && ServiceProcess.environment("TERM").map { $0 != "dumb" } ?? false

  /// The name of the terminal in which the person types; `nil` for a program without a terminal.
  static var name: String? {
    for descriptor in [STDIN_FILENO, STDERR_FILENO] {
      var bytes = [CChar](repeating: 0, count: 128)
      guard unsafe ttyname_r(descriptor, &bytes, bytes.count) == 0 else { continue }
      return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return nil
  }

  /// The width of tables: unlimited in a pipe, unless COLUMNS is set.
  static var room: Int { isThere || ServiceProcess.environment("COLUMNS") != nil ? size.columns : 1000 }

  /// The number of columns and rows; without a terminal COLUMNS, or 80.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    if isThere, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return (max(20, Int(size.ws_col)), max(5, Int(size.ws_row)))
    }
    let columns = ServiceProcess.environment("COLUMNS").flatMap { Int($0) } ?? 80
    return (min(max(20, columns), 1000), 24)
  }
}

/// Output that is paged automatically on a terminal, as in git and systemctl.
enum Pager {
  /// Prints lines; through a pager if they are more than the terminal has rows.
  ///
  /// - Parameter isAllowed: whether the user allows a pager.
  static func show(_ lines: [String], isAllowed: Bool) {
    guard isAllowed, Terminal.canMove, lines.count >= Terminal.size.rows, let command else {
      for line in lines { Output.line(line) }
      return
    }
    // less ends by itself if the text fits on the screen, shows colours, and leaves the text on the screen.
    unsafe setenv("LESS", "FRX", 0)
    let text = lines.map { $0 + "\n" }.joined()
    if !Programs.feed(text, to: command) { Output.complain("The pager “\(command)” failed; use --no-pager.") }
  }

  /// The shell command of the pager; `nil` for none.
  private static var command: String? { command(own: variable("TALLYMARK_PAGER"), common: variable("PAGER")) }

  /// - Parameters:
  ///   - own: `$TALLYMARK_PAGER`, which has priority over `common`, `$PAGER`; empty or `cat` for no pager.
  static func command(own: String?, common: String?) -> String? {
    guard let chosen = own ?? common else { return Programs.has("less") ? "less" : nil }
    return chosen.isEmpty || chosen == "cat" ? nil : chosen
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
