import Glibc
package import Linux

/// The folder of a gesture daemon's ``Spool`` and of the socket of its ``EventRelay``.
///
/// | process                                     | folder                                             |
/// |---------------------------------------------|----------------------------------------------------|
/// | a service of systemd                        | `$RUNTIME_DIRECTORY`                               |
/// | in a session                                | `$XDG_RUNTIME_DIR/tallymark`                       |
/// | of a user who is logged in, such as by cron | `/run/user/UID/tallymark`                          |
/// | of root                                     | `/run/tallymark-root`                              |
/// | of any other user                           | `$XDG_STATE_HOME/tallymark`, or that in `$HOME`    |
package struct DaemonFolder {
  private let user: UInt32
  private let environment: (String) -> String?
  private let isOwned: (String) -> Bool

  /// - Parameters:
  ///   - environment: the value of a variable; `nil` if it is unset or empty.
  ///   - isOwned: whether a path is a folder of this user.
  package init(
    user: UInt32 = ServiceProcess.user, environment: @escaping (String) -> String? = ServiceProcess.environment,
    isOwned: @escaping (String) -> Bool = Self.isOwned
  ) {
    self.user = user
    self.environment = environment
    self.isOwned = isOwned
  }

  private static let service = "/run/tallymark-input"
  private static let root = "/run/tallymark-root"

  /// The folder of the gesture daemon that this process is or would start; `nil` if the user is not root, and has no
  /// session, no state folder and no home.
  package var own: String? {
    if let folder = environment("RUNTIME_DIRECTORY") { return folder }
    if let session = environment("XDG_RUNTIME_DIR") { return "\(session)/tallymark" }
    let session = Self.session(of: user)
    if isOwned(session) { return "\(session)/tallymark" }
    return user == 0 ? Self.root : state
  }

  /// The folders in which daemons may have sockets that this process may use, including those of the caller of sudo.
  package var all: [String] {
    var folders: [String?] = [Self.service, own, state]
    if user == 0 {
      folders.append(Self.root)
      if let person = environment("SUDO_UID").flatMap({ UInt32($0) }) {
        folders += ["\(Self.session(of: person))/tallymark", Self.home(of: person).map(Self.state(in:))]
      }
    }
    let known = folders.compactMap(\.self)
    return known.enumerated().filter { !known[..<$0.offset].contains($0.element) }.map(\.element)
  }

  private var state: String? {
    if let base = environment("XDG_STATE_HOME") { return "\(base)/tallymark" }
    return (environment("HOME") ?? Self.home(of: user)).map(Self.state(in:))
  }

  private static func state(in home: String) -> String { "\(home)/.local/state/tallymark" }

  private static func session(of user: UInt32) -> String { "/run/user/\(user)" }

  private static func home(of user: UInt32) -> String? {
    guard let entry = unsafe getpwuid(user), let home = unsafe entry.pointee.pw_dir else { return nil }
    return unsafe String(cString: home)
  }

  package static func isOwned(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
  }

  /// Creates a folder, and missing folders above it, for this user alone.
  package static func make(_ folder: String) throws(SystemError) {
    if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else {
      throw .current("create the folder \(folder)")
    }
    try make(String(folder[..<slash]))
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .current("create the folder \(folder)") }
  }
}
