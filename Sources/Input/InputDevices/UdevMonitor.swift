import Clibudev
import Glibc
import Linux

/// Notices from udev that an input device or a sensor has changed, after its rules have run.
@safe
final class UdevMonitor {
  private let inventory: DeviceInventory
  private let monitor: OpaquePointer
  private var source: DescriptorSource?

  /// - Throws: if no netlink socket is available, as in some sandboxes.
  init(loop: EventLoop, udev inventory: DeviceInventory, onNotice: @escaping () -> Void) throws(SystemError) {
    let attempt = "watch udev"
    guard let made = unsafe udev_monitor_new_from_netlink(inventory.udev, "udev") else { throw .current(attempt) }
    unsafe monitor = made
    self.inventory = inventory
    try check(unsafe udev_monitor_filter_add_match_subsystem_devtype(made, "input", nil), attempt)
    try check(unsafe udev_monitor_filter_add_match_subsystem_devtype(made, "iio", nil), attempt)
    try check(unsafe udev_monitor_enable_receiving(made), attempt)
    source = try loop.watch(number: unsafe udev_monitor_get_fd(made), for: .readable) { [unowned self] _ in
      empty()
      onNotice()
    }
  }

  deinit {
    source = nil
    _ = unsafe udev_monitor_unref(monitor)
  }

  /// Empties the socket. Kinds of changes and losses (`ENOBUFS`) do not matter: all devices are examined.
  private func empty() {
    while let device = unsafe udev_monitor_receive_device(monitor) { _ = unsafe udev_device_unref(device) }
  }
}
