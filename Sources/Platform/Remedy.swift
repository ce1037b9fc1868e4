/// What mends something: a command that can be pasted into a shell as it stands, and what is to be known beside it.
public struct Remedy: Equatable, Sendable, CustomStringConvertible {
  public let command: String
  /// Words that belong to no command: where it is to be run, what comes after it.
  public let hint: String?

  public init(_ command: String, hint: String? = nil) {
    self.command = command
    self.hint = hint
  }

  /// Both in one line, for a log.
  public var description: String { hint.map { "\(command)   (\($0))" } ?? command }

  /// `path` as one word of a shell.
  public static func word(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "+")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if isPlain, !path.isEmpty { return path }
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
