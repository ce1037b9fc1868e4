import Glibc

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

    /// What a disk says of itself by an error number; nil for any other.
    init?(systemError number: Int32) {
      switch number {
      case ENOSPC, EDQUOT: self = .full
      case EIO, EROFS: self = .failed
      default: return nil
      }
    }
  }

  /// Whether it may pass by itself: room is made, a disk comes back.
  public var mayPass: Bool { code == .full || code == .failed }

  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
