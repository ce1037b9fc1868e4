import Glibc

/// How a process sees the file system that holds a folder: through a mount of its own, which has flags of its own.
///
/// A service that systemd starts while the file system is read-only is given a copy of the mount, and that stays
/// read-only whatever becomes of the file system (mount_namespaces(7): flags are not passed on from mount to mount).
public struct MountView: Equatable, Sendable {
  /// Whether the mount that this process has takes no writes.
  let isReadOnly: Bool
  /// Whether the file system itself takes none, whoever asks.
  let fileSystemIsReadOnly: Bool

  /// Whether only a new process can write there.
  public var isOutdated: Bool { isReadOnly && !fileSystemIsReadOnly }

  /// The mount that holds `folder`; `nil` where that cannot be told.
  public init?(of folder: String) {
    let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(owning: number)
    guard let about = try? FileContent.read("/proc/self/fdinfo/\(descriptor.number)", upTo: 1 << 12),
      let mounts = try? FileContent.read("/proc/self/mountinfo", upTo: 1 << 20),
      let identifier = Self.identifier(in: String(decoding: about, as: UTF8.self))
    else { return nil }
    self.init(of: identifier, in: String(decoding: mounts, as: UTF8.self))
  }

  /// Reads it out of what the kernel says of all mounts, as proc(5) describes /proc/PID/mountinfo.
  init?(of identifier: Substring, in mounts: String) {
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.first == identifier else { continue }
      guard fields.count > 5, let end = fields.firstIndex(of: "-"), end + 3 < fields.count else { return nil }
      isReadOnly = Self.says("ro", in: fields[5])
      fileSystemIsReadOnly = Self.says("ro", in: fields[end + 3])
      return
    }
    return nil
  }

  private static func identifier(in about: String) -> Substring? {
    about.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }?.split(whereSeparator: \.isWhitespace).last
  }

  private static func says(_ option: String, in options: Substring) -> Bool {
    options.split(separator: ",").contains { $0 == option }
  }
}
