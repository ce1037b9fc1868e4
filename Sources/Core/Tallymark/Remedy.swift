/// A suggested fix: a shell command that can be pasted unchanged, with an optional hint.
public struct Remedy: Equatable, Sendable, CustomStringConvertible {
  public let command: String
  /// A hint beside the command: where to run it, or the step after it.
  public let hint: String?

  public init(_ command: String, hint: String? = nil) {
    self.command = command
    self.hint = hint
  }

  /// Command and hint in one line, for a log.
  public var description: String { hint.map { "\(command)   (\($0))" } ?? command }

  /// Quotes `path` as a single shell word.
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
