import Csystemd
import Glibc

/// systemd's file descriptor store, which keeps descriptors while the service restarts (`FileDescriptorStoreMax=`).
@safe
public final class DescriptorStore {
  /// Descriptors of an earlier process by name. ``take(_:)`` removes them.
  private var kept: [String: [FileDescriptor]] = [:]

  /// Takes ownership of the descriptors passed by the service manager; `nil` without a service manager.
  public init?() {
    guard ServiceProcess.environment("NOTIFY_SOCKET") != nil else { return nil }
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    for index in 0..<max(0, Int(count)) {
      let descriptor = FileDescriptor(owning: SD_LISTEN_FDS_START + Int32(index))
      if let name = unsafe names?[index] {
        kept[unsafe String(cString: name), default: []].append(descriptor)
        unsafe free(name)
      }
    }
    unsafe free(names)
  }

  /// Removes and returns the descriptors stored under `name`, in order.
  public func take(_ name: String) -> [FileDescriptor] { kept.removeValue(forKey: name) ?? [] }

  /// Stores duplicates of `descriptors` under `name`, which has no colon and at most 255 bytes.
  public func keep(_ descriptors: [FileDescriptor], as name: String) {
    let numbers = descriptors.map(\.number)
    _ = unsafe sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", numbers, UInt32(numbers.count))
  }

  /// Removes the descriptors under `name` from the store and closes them.
  public func forget(_ name: String) {
    kept[name] = nil
    ServiceProcess.notify("FDSTOREREMOVE=1\nFDNAME=\(name)")
  }

  /// Removes descriptors of an earlier process that were not taken, for all names that `unwanted` accepts.
  public func discard(where unwanted: (String) -> Bool) {
    for name in kept.keys where unwanted(name) { forget(name) }
  }
}
