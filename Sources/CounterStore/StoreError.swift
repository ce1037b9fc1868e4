/// Why the journal could not be opened, read or written.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    /// The folder or the file cannot be made or opened.
    case unusable
    /// Another core has it.
    case inUse
    /// It is damaged, or is not a journal of this program.
    case damaged
    /// A newer version of this program wrote it.
    case newer
    /// It was deleted, moved or replaced while it was in use.
    case replaced
    /// No room is left where it lies.
    case full
    /// Reading or writing failed.
    case failed
  }

  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
