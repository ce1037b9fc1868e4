import Glibc
import Platform

/// The terminal that standard output leads to.
enum Terminal {
  /// Whether it is one at all.
  static let isThere = isatty(STDOUT_FILENO) == 1

  /// Whether lines on it can be drawn over.
  static let canMove = isThere && ServiceProcess.environment("TERM").map { $0 != "dumb" } ?? false

  /// How wide tables may be: in a pipe as wide as they like, unless COLUMNS says otherwise.
  static var room: Int { isThere || ServiceProcess.environment("COLUMNS") != nil ? size.columns : 1000 }

  /// How many columns and rows it shows; what COLUMNS says, or 80, where it is none.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    if isThere, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return (max(20, Int(size.ws_col)), max(5, Int(size.ws_row)))
    }
    let columns = ServiceProcess.environment("COLUMNS").flatMap { Int($0) } ?? 80
    return (min(max(20, columns), 1000), 24)
  }
}
