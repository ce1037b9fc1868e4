import Glibc
import Journal
public import Linux

/// The core as a process, with its socket, journal and event loop.
public final class CoreDaemon {
  private let loop: EventLoop
  private let core: CoreSupervisor
  private let signals: [SignalSource]
  private let socketFile: String?

  /// Opens the journal in `state`, and serves on `socket` or the socket that systemd passed.
  ///
  /// - Parameter configuration: the file given by `--config`, if any.
  /// - Throws: ``StoreError`` or ``SystemError`` with a sentence for the user; `ConfigurationErrors`.
  public init(state: String, socket: Socket, configuration: String?) throws {
    ServiceProcess.ignoreWriteSignals()
    // Files are readable by their owner only, in any folder.
    umask(0o077)
    let loop = try EventLoop()
    let rights = try CurrentRights(option: configuration)
    let core = try CoreSupervisor(loop: loop, state: state, rights: rights, listen: socket.listen)
    if let path = socket.path, rights.areConfigured {
      let users = ServiceProcess.user == 0 ? "root and the group of the socket (mode 0660)" : "its user (mode 0600)"
      ServiceProcess.log(
        .notice,
        "Only \(users) can connect to \(path), whatever rights are granted. To let others connect: chmod 666 \(path), or "
          + "start the core by the unit tallyd.socket.")
    }
    self.loop = loop
    self.core = core
    socketFile = socket.path
    let ends = try [SIGTERM, SIGINT].map { signal in
      try loop.onSignal(signal) { [unowned loop, core] in
        // After the commit, waiting calls still get their replies.
        core.commit()
        loop.exit()
      }
    }
    signals =
      ends + [
        try loop.onSignal(SIGHUP) { [unowned core] in
          rights.reload()
          core.configure()
        }
      ]
  }

  /// Serves until SIGTERM or SIGINT; returns the exit code.
  public func run() throws -> Int32 {
    try loop.keepWatchdog()
    ServiceProcess.notify("READY=1")
    let code = try loop.run()
    ServiceProcess.notify("STOPPING=1")
    core.flush()
    if let socketFile { unlink(socketFile) }
    return code
  }

  /// The socket on which the core listens.
  public enum Socket {
    /// A socket that systemd created and keeps.
    case activated(FileDescriptor)
    /// A socket at this path.
    case path(String)

    /// The socket file, if this process must remove it.
    var path: String? {
      if case .path(let path) = self { path } else { nil }
    }

    func listen() throws -> FileDescriptor {
      switch self {
      case .activated(let descriptor): return descriptor
      case .path(let path):
        try UnixSocket.makeFolder(of: path)
        // The user alone may connect. If the user is root, the group of the folder may connect as well.
        do throws(SystemError) {
          return try UnixSocket.listen(at: path, mode: ServiceProcess.user == 0 ? 0o660 : 0o600)
        } catch {
          switch error.code {
          case EADDRINUSE:
            throw StoreError(
              .inUse, "Another program is listening on \(path); stop it, or use another --socket.")
          case ENOTSOCK:
            throw StoreError(
              .unusable, "\(path) is not a socket; move it away, or use another --socket.")
          default: throw error
          }
        }
      }
    }
  }
}
