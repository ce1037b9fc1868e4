import CLinux
import Clibevdev
import Linux

/// Redirects libevdev's messages, such as those about a driver that breaks the protocol, to this program's log.
enum EvdevLog {
  /// Redirects the messages, once per process.
  static func redirect() { _ = once }

  private static let once: Void = unsafe libevdev_set_log_function(
    { _, _, _, _, _, format, arguments in
      guard let format = unsafe format, let arguments = unsafe arguments else { return }
      unsafe linux_log_line(
        { line in
          guard let line = unsafe line else { return }
          ServiceProcess.log(.warning, "libevdev: \(unsafe String(cString: line))")
        }, format, arguments)
    }, nil)
}
