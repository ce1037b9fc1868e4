import Glibc
import Linux
import Tallymark

/// Checks that the disk of the core's state folder has space.
struct DiskCheck {
  /// The minimum of free space in bytes: with less, the journal may run out of space within a day.
  private static let least: UInt64 = 64 << 20

  /// - Parameter option: the value of `--socket`.
  static func findings(option: String?, _ scope: ServiceScope) -> [Finding] {
    for socket in SocketCheck.places(option: option, scope) {
      switch CoreFolder.find(listeningAt: socket) {
      case .folder(let folder): return [finding(for: folder)]
      case .hidden:
        return [
          .notice(
            "disk", "The core at \(socket) belongs to another user, so that its disk cannot be checked.",
            mend: "sudo tally doctor --socket \(Remedy.word(socket))")
        ]
      case .none: break
      }
    }
    let places: [String?] =
      scope == .machine
      ? ["/var/lib/tallymark", "/var/lib"] : [CoreState.folder(option: nil), ServiceProcess.environment("HOME")]
    return places.compactMap(\.self).first(where: SystemProbe.exists).map { [finding(for: $0)] } ?? []
  }

  static func finding(for folder: String) -> Finding {
    var status = statvfs()
    let word = Remedy.word(folder)
    guard unsafe statvfs(folder, &status) == 0 else {
      return .fault("disk", "\(folder) cannot be inspected.", mend: "ls -ld \(word)")
    }
    // The mount point of the file system that contains the folder.
    let top = "\"$(df --output=target \(word) | tail -n 1)\""
    let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    if status.f_flag & UInt(ST_RDONLY) != 0 {
      return .fault("disk", "The file system of \(folder) is read-only.", mend: "sudo mount -o remount,rw \(top)")
    }
    if free < least || (status.f_files > 0 && status.f_favail == 0) {
      return .fault(
        "disk", "The disk that holds \(folder) is full: \(free >> 20) MiB are left.",
        mend: "sudo du -xah --max-depth=2 \(top) | sort -h | tail",
        hint: "lists the largest folders; remove what is not needed")
    }
    return .fine("disk", "\(free >> 20) MiB are free for \(folder).")
  }
}
