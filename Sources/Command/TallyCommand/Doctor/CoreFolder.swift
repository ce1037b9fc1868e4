import Journal
import Linux

/// The state folder of a running core.
enum CoreFolder {
  enum Found: Equatable {
    case folder(String)
    /// The core's process belongs to another user, who alone may see its files.
    case hidden
    /// No process listens, or systemd listens for the core.
    case none

    var folder: String? { if case .folder(let folder) = self { folder } else { nil } }
  }

  /// The folder whose lock or journal is open in the process that listens on a socket.
  static func find(listeningAt socket: String) -> Found {
    guard let connection = try? UnixSocket.connect(to: socket, blocking: false),
      let peer = try? UnixSocket.peer(of: connection)
    else { return .none }
    return find(process: "/proc/\(peer.process)")
  }

  /// - Parameter process: the folder of the process in `/proc`.
  static func find(process: String) -> Found {
    if let folder = find(in: "\(process)/fd") { return .folder(folder) }
    let name = (try? FileContent.read("\(process)/comm", upTo: 64)).map { String(decoding: $0, as: UTF8.self) }
    return name == "tallyd\n" ? .hidden : .none
  }

  /// - Parameter descriptors: a folder with a link for each open file.
  static func find(in descriptors: String) -> String? {
    let files = FolderContent.names(in: descriptors).compactMap { SymbolicLink.target("\(descriptors)/\($0)") }
    // A journal that was moved has another path; the lock is still in the folder.
    for name in ["lock", JournalFile.name] {
      if let file = files.first(where: { $0.hasSuffix("/\(name)") }) { return String(file.dropLast(name.count + 1)) }
    }
    return nil
  }
}
