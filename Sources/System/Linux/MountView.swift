import Glibc

/// Read-only flags of the mount through which this process sees a folder, and of its file system.
///
/// systemd gives a service a copy of the mount. If the file system was read-only when the copy was made, the copy stays
/// read-only after the file system is writable again (mount_namespaces(7): flags do not propagate between mounts).
public struct MountView: Equatable, Sendable {
  /// Whether this process's mount is read-only.
  let isReadOnly: Bool
  /// Whether the file system itself is read-only.
  let fileSystemIsReadOnly: Bool

  /// Whether only a restart lets this service write: the mount is read-only, and the file system is not.
  public var isOutdated: Bool { isReadOnly && !fileSystemIsReadOnly }

  /// The mount of `folder`; `nil` if /proc does not show it.
  public init?(of folder: String) {
    let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: number)
    guard let about = try? FileContent.read("/proc/self/fdinfo/\(descriptor.number)", upTo: 1 << 12),
      let mounts = try? FileContent.read("/proc/self/mountinfo", upTo: 1 << 20),
      let identifier = Self.identifier(in: String(decoding: about, as: UTF8.self))
    else { return nil }
    self.init(of: identifier, in: String(decoding: mounts, as: UTF8.self))
  }

  /// Parses `/proc/PID/mountinfo`, as proc(5) describes it.
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
