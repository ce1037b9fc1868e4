import Glibc
import Linux

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
    // A screenful ends by itself, colours are shown, and the text stays on the screen.
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
