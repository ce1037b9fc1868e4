import Csystemd
import Glibc

/// Descriptors that the service manager keeps while this service is started again (systemd's FileDescriptorStoreMax=).
@safe
public final class DescriptorStore {
  /// What an earlier process left, by name, and nobody has taken yet.
  private var kept: [String: Descriptor] = [:]

  /// Takes over what the service manager passed; nil where there is no service manager.
  public init?() {
    guard ServiceProcess.environment("NOTIFY_SOCKET") != nil else { return nil }
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    for index in 0..<max(0, Int(count)) {
      let descriptor = Descriptor(owning: SD_LISTEN_FDS_START + Int32(index))
      if let name = unsafe names?[index] {
        kept[unsafe String(cString: name)] = descriptor
        unsafe free(name)
      }
    }
    unsafe free(names)
  }

  /// The descriptor that was kept under `name`, once.
  public func take(_ name: String) -> Descriptor? { kept.removeValue(forKey: name) }

  /// Has a duplicate of `descriptor` kept under `name`, which holds no colon and at most 255 bytes.
  public func keep(_ descriptor: Descriptor, as name: String) {
    var number = descriptor.number
    _ = unsafe sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", &number, 1)
  }

  /// Lets go of what is kept under `name`.
  public func forget(_ name: String) { ServiceProcess.notify("FDSTOREREMOVE=1\nFDNAME=\(name)") }
}
