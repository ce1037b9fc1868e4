import Csystemd
import Glibc

/// Descriptors that the service manager keeps while this service is started again (systemd's FileDescriptorStoreMax=).
@safe
public final class DescriptorStore {
  /// What an earlier process left, by name, and nobody has taken yet.
  private var kept: [String: [Descriptor]] = [:]

  /// Takes over what the service manager passed; nil where there is no service manager.
  public init?() {
    guard ServiceProcess.environment("NOTIFY_SOCKET") != nil else { return nil }
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    for index in 0..<max(0, Int(count)) {
      let descriptor = Descriptor(owning: SD_LISTEN_FDS_START + Int32(index))
      if let name = unsafe names?[index] {
        kept[unsafe String(cString: name), default: []].append(descriptor)
        unsafe free(name)
      }
    }
    unsafe free(names)
  }

  /// The descriptors that were kept under `name`, in their order, once.
  public func take(_ name: String) -> [Descriptor] { kept.removeValue(forKey: name) ?? [] }

  /// Has duplicates of `descriptors` kept under `name`, which holds no colon and at most 255 bytes.
  public func keep(_ descriptors: [Descriptor], as name: String) {
    let numbers = descriptors.map(\.number)
    _ = unsafe sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", numbers, UInt32(numbers.count))
  }

  /// Lets go of what is kept under `name`.
  public func forget(_ name: String) {
    kept[name] = nil
    ServiceProcess.notify("FDSTOREREMOVE=1\nFDNAME=\(name)")
  }

  /// Lets go of what an earlier process left and nobody has taken, under all names that are `unwanted`.
  public func discard(where unwanted: (String) -> Bool) {
    for name in kept.keys where unwanted(name) { forget(name) }
  }
}
