import CounterStore
import Glibc
public import Platform

/// The counter core as a process: its socket, its journal, its loop.
public final class CoreDaemon {
  private let loop: EventLoop
  private let core: LiveCore
  private let signals: [SignalSource]
  private let socketFile: String?

  /// Opens the journal in `state` and serves on `socket`, or on what systemd passed when that is `nil`.
  ///
  /// - Parameter configuration: the file that `--config` names, if any.
  /// - Throws: ``StoreError`` or ``SystemError``, sentences that say what cannot be used; `ConfigurationErrors`.
  public init(state: String, socket: Socket, configuration: String?) throws {
    ServiceProcess.ignoreBrokenPipes()
    // The counts are their owner's affair, wherever they are put.
    umask(0o077)
    let loop = try EventLoop()
    let rights = try LiveRights(option: configuration)
    let core = try LiveCore(loop: loop, state: state, rights: rights, listen: socket.listen)
    self.loop = loop
    self.core = core
    socketFile = socket.path
    let ends = try [SIGTERM, SIGINT].map { signal in
      try loop.onSignal(signal) { [unowned loop, core] in
        // Whoever waits still gets his answer.
        core.settle()
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

  /// Serves until SIGTERM or SIGINT; gives the code to exit with.
  public func run() throws -> Int32 {
    try loop.keepWatchdog()
    ServiceProcess.notify("READY=1")
    let code = try loop.run()
    ServiceProcess.notify("STOPPING=1")
    core.flush()
    if let socketFile { unlink(socketFile) }
    return code
  }

  /// Where the core listens.
  public enum Socket {
    /// On a socket that systemd made, and keeps.
    case activated(Descriptor)
    /// At a path of its own.
    case path(String)

    /// The file that is this process's to remove.
    var path: String? {
      if case .path(let path) = self { path } else { nil }
    }

    func listen() throws -> Descriptor {
      switch self {
      case .activated(let descriptor): return descriptor
      case .path(let path):
        try UnixSocket.makeFolder(of: path)
        // The person alone, or root and the group that an administrator gives the folder.
        do throws(SystemError) {
          return try UnixSocket.listen(at: path, mode: ServiceProcess.user == 0 ? 0o660 : 0o600)
        } catch {
          switch error.code {
          case EADDRINUSE:
            throw StoreError(
              .inUse, "Another program is listening on \(path); stop it, or give this one another --socket.")
          case ENOTSOCK:
            throw StoreError(
              .unusable, "\(path) is no socket and was left as it is; move it away, or give another --socket.")
          default: throw error
          }
        }
      }
    }
  }
}
