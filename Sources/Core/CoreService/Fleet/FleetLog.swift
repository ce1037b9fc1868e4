import Linux
import Text

/// Limits the lines that messages of other stations cause: whoever can write to the broker must not fill a disk.
struct FleetLog {
  /// The maximum number of lines in an ``interval``.
  static let most = 10
  /// In nanoseconds.
  static let interval: Int64 = 60_000_000_000

  private var began: Int64 = .min / 2
  private var lines = 0
  /// The number of lines that were left out since the last one.
  private var omitted = 0

  /// The text of a line, with the number of those that were left out before it; `nil` if it is one too many.
  ///
  /// - Parameter now: ``Clock/boottime()``.
  mutating func admit(_ line: String, at now: Int64) -> String? {
    if now &- began >= Self.interval { (began, lines) = (now, 0) }
    guard lines < Self.most else {
      omitted += 1
      return nil
    }
    lines += 1
    defer { omitted = 0 }
    let text = line.printableLine
    return omitted == 0 ? text : "\(text) Since the last such line \(omitted) more were left out."
  }
}
