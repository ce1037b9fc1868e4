import CLinux
import Glibc

/// Tells when something in a folder comes, goes or changes (inotify).
@safe
public final class FolderWatch {
  /// What is watched for.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Something was made there, or moved there.
    public static let arrivals = Interest(rawValue: UInt32(IN_CREATE | IN_MOVED_TO))
    /// Something was removed, or moved away.
    public static let departures = Interest(rawValue: UInt32(IN_DELETE | IN_MOVED_FROM))
    /// Permissions or owner changed.
    public static let permissions = Interest(rawValue: UInt32(IN_ATTRIB))
    /// A file that was open for writing was closed: its content is complete.
    public static let contents = Interest(rawValue: UInt32(IN_CLOSE_WRITE))
  }

  /// One notice about the folder.
  public enum Change: Equatable, Sendable {
    /// Something happened to the entry of this name.
    case entry(String)
    /// The folder itself is gone (or was moved away); nothing more will come.
    case folderGone
    /// More happened than the kernel could keep: look again at everything.
    case overflow
  }

  private let descriptor: Descriptor
  private var source: DescriptorSource?

  /// Watches the folder at `path` until this object is let go.
  ///
  /// - Throws: `ENOENT` where there is no such folder, `ENOSPC` where this user watches too much already.
  public init(
    loop: EventLoop, path: String, for interest: Interest, _ handler: @escaping ([Change]) -> Void
  ) throws(SystemError) {
    let attempt = "watch \(path)"
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw .current(attempt) }
    descriptor = Descriptor(owning: number)
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

  /// The kernel writes whole records only: a header and a name padded with zeros.
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
