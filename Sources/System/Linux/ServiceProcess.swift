import CLinux
import Csystemd
import Glibc
import Text

/// The process of a daemon: environment, systemd's notifications and sockets, and the log.
public enum ServiceProcess {
  /// Ignores `SIGPIPE` and `SIGXFSZ`: a write to a closed pipe, or beyond the process's limit for files, returns an
  /// error.
  public static func ignoreWriteSignals() { linux_ignore_write_signals() }

  /// The value of an environment variable; `nil` if it is unset or empty.
  public static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// Returns unused heap memory to the system. Useful after a peak that will not soon be reached again.
  public static func trimHeap() { linux_trim_heap() }

  /// Limits the memory that this process can write, so that further allocations fail: a C library returns an error,
  /// Swift ends the process. A smaller existing limit stays.
  ///
  /// - Parameter length: in bytes, without the first thread's stack.
  public static func limitMemory(to length: UInt64) throws(SystemError) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { throw .current("read the limit of memory") }
    limit.rlim_cur = min(limit.rlim_cur, rlim_t(length))
    guard unsafe setrlimit(resource, &limit) == 0 else { throw .current("limit the memory") }
  }

  public static var user: UInt32 { geteuid() }

  /// Runs a program and waits until it exits.
  ///
  /// - Parameters:
  ///   - program: a name, looked up in `$PATH`.
  ///   - isQuiet: whether its standard error is discarded.
  /// - Throws: the error of starting it; `ECANCELED` if it exits with another status than 0.
  public static func run(_ program: String, _ arguments: [String], isQuiet: Bool = false) throws(SystemError) {
    let attempt = "run \(program) \(arguments.joined(separator: " "))"
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if isQuiet { unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, &actions, nil, &words, environ)
    guard failure == 0 else { throw SystemError(attempt, code: failure) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw .current(attempt) }
    }
    guard status == 0 else { throw SystemError(attempt, code: ECANCELED) }
  }

  /// Runs a program in place of this one.
  ///
  /// - Parameter program: the path of the program.
  /// - Returns: the error of starting the program; does not return on success.
  public static func replace(with program: String, _ arguments: [String]) -> SystemError {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    unsafe execv(program, &words)
    return .current("run \(program)")
  }

  /// Kinds of stream sockets that systemd passes.
  public enum SocketKind: Sendable {
    case unix
    /// TCP over IPv4 or IPv6.
    case tcp
  }

  /// The listening socket passed by systemd (socket activation); `nil` if there is none.
  ///
  /// - Parameter wanted: `FileDescriptorName=` of the socket, used only if systemd passed several.
  /// - Throws: `EINVAL` if systemd passed several, and not exactly one has that name; `ENOTSOCK` if the socket is of
  ///   another kind.
  public static func activatedSocket(
    _ kind: SocketKind = .unix, named wanted: String
  ) throws(SystemError) -> FileDescriptor? {
    let attempt = "use the socket from systemd"
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    // The variables are kept for a program that uses several sockets. They contain this process's ID, so no other
    // process uses them.
    let count = try check(unsafe sd_listen_fds_with_names(0, &names), attempt)
    defer {
      for index in 0..<Int(count) { unsafe free(names?[index]) }
      unsafe free(names)
    }
    guard count > 0 else { return nil }
    let matching = (0..<count).filter { index in
      guard let name = unsafe names?[Int(index)] else { return false }
      return unsafe count == 1 || String(cString: name) == wanted
    }
    guard matching.count == 1, let index = matching.first else {
      throw SystemError("find one socket named “\(wanted)” among \(count) from systemd", code: EINVAL)
    }
    let number = SD_LISTEN_FDS_START + index
    let stream = Int32(SOCK_STREAM.rawValue)
    let isExpected =
      switch kind {
      case .unix: sd_is_socket(number, AF_UNIX, stream, 1)
      case .tcp: sd_is_socket_inet(number, AF_UNSPEC, stream, 1, 0)
      }
    guard try check(isExpected, attempt) > 0 else {
      let name = kind == .unix ? "Unix stream" : "TCP"
      throw SystemError("use the descriptor from systemd: it is no listening \(name) socket", code: ENOTSOCK)
    }
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    return FileDescriptor(owning: number)
  }

  /// Whether a service manager runs this process, and restarts it after a failure.
  public static var isSupervised: Bool { environment("NOTIFY_SOCKET") != nil }

  /// Sends a state such as `READY=1` to the service manager (sd_notify(3)); does nothing without one.
  public static func notify(_ state: String) { _ = unsafe sd_notify(0, state) }

  /// Logs a line: to systemd's journal with additional `fields`, or to standard error.
  public static func log(_ level: LogLevel = .info, _ line: String, _ fields: [String: String] = [:]) {
    // A line may quote text from a file or a device.
    let line = line.printable
    guard isatty(STDERR_FILENO) == 1 || !SystemJournal.write(level, line, fields) else { return }
    var text = line + "\n"
    text.withUTF8 { bytes in _ = unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// Syslog's levels.
  public enum LogLevel: Int32, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }
}
