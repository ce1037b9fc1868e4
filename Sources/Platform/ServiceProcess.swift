import CLinux
import Csystemd
import Glibc

/// What a daemon asks of the process it runs in.
public enum ServiceProcess {
  /// A reader that left must show as an error of the write, not end the process.
  public static func ignoreBrokenPipes() { linux_ignore_broken_pipes() }

  /// The value of an environment variable, `nil` where it is unset or empty.
  public static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// The user this process acts as.
  public static var user: UInt32 { geteuid() }

  /// Runs another program and waits for its end.
  ///
  /// - Parameter program: its name, found along `$PATH`.
  /// - Throws: why it could not be started; `ECANCELED` where it did not end well.
  public static func run(_ program: String, _ arguments: [String]) throws(SystemError) {
    let attempt = "run \(program) \(arguments.joined(separator: " "))"
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, nil, nil, &words, environ)
    guard failure == 0 else { throw SystemError(attempt, code: failure) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw .current(attempt) }
    }
    guard status == 0 else { throw SystemError(attempt, code: ECANCELED) }
  }

  /// The listening socket that systemd passed, if it passed one: the one named `varlink`, or the only one.
  ///
  /// - Throws: `EINVAL` where several were passed and none or more than one is named `varlink`.
  public static func activatedSocket() throws(SystemError) -> Descriptor? {
    let attempt = "take the socket that systemd passed"
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = try check(unsafe sd_listen_fds_with_names(1, &names), attempt)
    defer {
      for index in 0..<Int(count) { unsafe free(names?[index]) }
      unsafe free(names)
    }
    guard count > 0 else { return nil }
    let matching = (0..<count).filter { index in
      guard let name = unsafe names?[Int(index)] else { return false }
      return unsafe count == 1 || String(cString: name) == "varlink"
    }
    guard matching.count == 1, let index = matching.first else {
      throw SystemError("find one socket called “varlink” among the \(count) that systemd passed", code: EINVAL)
    }
    let number = SD_LISTEN_FDS_START + index
    guard try check(sd_is_socket(number, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1), attempt) > 0 else {
      throw SystemError("serve on what systemd passed, which is no listening Unix stream socket", code: ENOTSOCK)
    }
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    return Descriptor(owning: number)
  }

  /// Whether a service manager starts another process when this one fails.
  public static var isSupervised: Bool { environment("NOTIFY_SOCKET") != nil }

  /// Tells the service manager how this service is doing, for example `READY=1`; does nothing where there is none.
  public static func notify(_ state: String) { _ = unsafe sd_notify(0, state) }

  /// Tells people: in systemd's journal with `fields` beside the line, else as a line on standard error.
  public static func log(_ level: LogLevel = .info, _ line: String, _ fields: [LogField: String] = [:]) {
    guard isatty(STDERR_FILENO) == 1 || !Journal.write(level, line, fields) else { return }
    var text = line + "\n"
    text.withUTF8 { bytes in _ = unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// What a line in the journal can be found by: `journalctl TALLYMARK_DEVICE=/dev/input/event5`.
  public enum LogField: String, Sendable {
    /// The event node of the device that a line is about.
    case device = "TALLYMARK_DEVICE"
    /// The name that the device gives itself.
    case deviceName = "TALLYMARK_DEVICE_NAME"
  }

  /// How much a line matters; the numbers are syslog's.
  public enum LogLevel: Int32, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }
}
