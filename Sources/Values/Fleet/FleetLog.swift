import Text

/// Limits the log lines that messages of other stations cause, so that a client of the broker cannot fill the disk.
public struct FleetLog {
  /// The maximum number of lines per ``interval``.
  public static let most = 10
  /// The time to which the limit applies, in nanoseconds.
  public static let interval: Int64 = 60_000_000_000

  private var began: Int64 = .min / 2
  private var lines = 0
  /// The number of lines omitted since the last admitted line.
  private var omitted = 0

  public init() {}

  /// The text of a line, preceded by the number of omitted lines; `nil` if the limit is reached.
  ///
  /// - Parameter now: the time since the boot, in nanoseconds.
  public mutating func admit(_ line: String, at now: Int64) -> String? {
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
