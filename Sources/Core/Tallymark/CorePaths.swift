import Glibc
public import Linux

/// Path of the core's socket: where the core listens and where clients connect.
public enum CoreSocket {
  /// The socket given by `--socket` or `$TALLYMARK_SOCKET`; `nil` without either.
  public static func named(_ option: String?) -> String? {
    option ?? ServiceProcess.environment("TALLYMARK_SOCKET")
  }

  /// The socket of root's core.
  public static let system = "/run/tallymark/tallymark.sock"

  /// The socket of a core run by the user of this process; `nil` for root, and in a session without a runtime folder
  /// (`$XDG_RUNTIME_DIR`).
  public static var personal: String? {
    guard ServiceProcess.user != 0, let folder = ServiceProcess.environment("XDG_RUNTIME_DIR") else { return nil }
    return "\(folder)/tallymark/tallymark.sock"
  }

  /// The path at which a core listens.
  ///
  /// - Returns: `nil` for a user other than root who names no socket and has no runtime folder.
  public static func place(option: String?) -> String? {
    named(option) ?? (ServiceProcess.user == 0 ? system : personal)
  }

  /// The paths that a client tries, in order: only the named socket, or else the defaults.
  public static func candidates(option: String?) -> [String] { named(option).map { [$0] } ?? defaults }

  /// The sockets of the personal core and of root's.
  public static var defaults: [String] { [personal, system].compactMap { $0 } }

  /// Connects to the first socket at which a core listens.
  ///
  /// - Parameter connect: connects to the socket at a path.
  /// - Returns: the connection and its path.
  public static func connect<Connection>(
    _ paths: [String], by connect: (String) throws(SystemError) -> Connection
  ) throws(NoCore) -> (connection: Connection, path: String) {
    var faults: [(path: String, error: SystemError)] = []
    for path in paths where faults.last?.error.code != EAGAIN {
      do throws(SystemError) { return (try connect(path), path) } catch { faults.append((path, error)) }
    }
    throw NoCore(faults: faults)
  }
}

/// The reason why no core could be connected.
public struct NoCore: Error {
  /// The sockets that were tried. After the socket of a core that hangs, no further one is tried.
  public let faults: [(path: String, error: SystemError)]

  /// The socket of a core that hangs: its queue of new connections is full.
  public var silent: String? { faults.last.flatMap { $0.error.code == EAGAIN ? $0.path : nil } }

  /// A sentence without its full stop.
  public var reason: String {
    silent.map { "The core at \($0) takes no connection" }
      ?? "There is no core: \(faults.map(\.error.description).joined(separator: "; "))"
  }
}

/// Path of the socket by which the board is set up.
public enum BoardSocket {
  /// The socket of the machine's board.
  public static let system = "/run/tallymark-board/board.sock"

  /// The socket of a board run by the user of this process; `nil` for root, and without `$XDG_RUNTIME_DIR`.
  public static var personal: String? {
    guard ServiceProcess.user != 0, let folder = ServiceProcess.environment("XDG_RUNTIME_DIR") else { return nil }
    return "\(folder)/tallymark/board.sock"
  }

  /// The path at which a board listens; `nil` for a user other than root who names none and has no runtime folder.
  public static func place(option: String?) -> String? {
    option ?? (ServiceProcess.user == 0 ? system : personal)
  }

  /// The paths that a client tries, in order: only the named socket, or else the personal board's and the machine's.
  public static func candidates(option: String?) -> [String] {
    option.map { [$0] } ?? [personal, system].compactMap(\.self)
  }
}

/// Folder in which the core keeps its journal.
public enum CoreState {
  /// The folder given as `option`, or by the environment; `nil` if neither `STATE_DIRECTORY`, `XDG_STATE_HOME` nor
  /// `HOME` is set.
  public static func folder(option: String?) -> String? {
    if let option { return option }
    // systemd separates several folders with colons; units of Tallymark have one.
    if let folder = ServiceProcess.environment("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    if let base = ServiceProcess.environment("XDG_STATE_HOME") { return "\(base)/tallymark" }
    return ServiceProcess.environment("HOME").map { "\($0)/.local/state/tallymark" }
  }
}
