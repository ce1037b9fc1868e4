import CLinux
import Glibc

/// Reports changes in a folder (inotify).
@safe
public final class FolderWatch {
  /// Kinds of changes to report.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// An entry was created or moved in.
    public static let arrivals = Interest(rawValue: UInt32(IN_CREATE | IN_MOVED_TO))
    /// An entry was removed or moved away.
    public static let departures = Interest(rawValue: UInt32(IN_DELETE | IN_MOVED_FROM))
    /// Permissions or owner of an entry changed.
    public static let permissions = Interest(rawValue: UInt32(IN_ATTRIB))
    /// A file that was open for writing was closed.
    public static let contents = Interest(rawValue: UInt32(IN_CLOSE_WRITE))
  }

  /// One change.
  public enum Change: Equatable, Sendable {
    /// The entry of this name changed.
    case entry(String)
    /// The folder itself was removed or moved. No change is reported after this one.
    case folderGone
    /// The kernel's queue overflowed: any entry may have changed.
    case overflow
  }

  private let descriptor: FileDescriptor
  private var source: DescriptorSource?

  /// Watches the folder at `path` as long as this object lives.
  ///
  /// - Throws: `ENOENT` if there is no such folder, `ENOSPC` at the user's limit of watches.
  public init(
    loop: EventLoop, path: String, for interest: Interest, _ handler: @escaping ([Change]) -> Void
  ) throws(SystemError) {
    let attempt = "watch \(path)"
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw .current(attempt) }
    descriptor = FileDescriptor(owning: number)
    let flags = interest.rawValue | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    guard unsafe inotify_add_watch(number, path, flags) >= 0 else { throw .current(attempt) }
    source = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
      let changes = read()
      if !changes.isEmpty { handler(changes) }
    }
  }

  private func read() -> [Change] {
    var changes: [Change] = []
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while let count = try? unsafe descriptor.read(into: buffer), count > 0 {
        unsafe parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &changes)
      }
    }
    return changes
  }

  /// Parses whole records: a header and a name padded with zeros.
  private func parse(_ bytes: UnsafeRawBufferPointer, into changes: inout [Change]) {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= bytes.count {
      let event = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(bytes.count, offset + header + Int(event.len))
      let name = unsafe bytes[(offset + header)..<end].prefix { $0 != 0 }
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        changes.append(.overflow)
      } else if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
        if changes.last != .folderGone { changes.append(.folderGone) }
      } else {
        changes.append(.entry(unsafe String(decoding: name, as: UTF8.self)))
      }
      offset = end
    }
  }
}
