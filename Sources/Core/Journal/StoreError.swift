import Glibc

/// A failure to open, read or write the journal.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    /// The folder or the file cannot be created or opened.
    case unusable
    /// Another core uses the folder, or another program the socket.
    case inUse
    /// Another program has locked the file.
    case locked
    /// The file is damaged or is not a Tallymark journal.
    case damaged
    /// A newer version of this program wrote the file.
    case newer
    /// The file was deleted, moved or replaced while in use.
    case replaced
    /// The disk or the quota is full.
    case full
    /// A change violates a constraint of a table; the disk is not at fault.
    case constraint
    /// Reading or writing failed.
    case failed

    /// The code for an error number of a disk; `nil` for any other error number.
    init?(systemError number: Int32) {
      switch number {
      case ENOSPC, EDQUOT: self = .full
      case EIO, EROFS: self = .failed
      default: return nil
      }
    }
  }

  /// Whether the error may disappear without a restart: when space is freed, a disk returns, or a lock is released.
  public var mayPass: Bool { code == .full || code == .failed || code == .locked }

  /// Whether the content of the disk is unknown after this error. The content stays known after the errors of a full
  /// disk, a lock or a constraint.
  public var endsWriting: Bool {
    switch code {
    case .full, .inUse, .locked, .constraint: false
    case .unusable, .damaged, .newer, .replaced, .failed: true
    }
  }

  /// Whether only one change is lost: it violates a constraint, or needs a row on a damaged page.
  public var isOfOneChange: Bool { code == .constraint || code == .damaged }

  public let code: Code
  /// A sentence for the user, with what to do.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
