import Clibudev
import Glibc
public import Linux

/// Reports the present input devices, at the start and whenever they, or a permission, may have changed.
///
/// Three sources announce a change, and none of them is enough alone: udev's monitor (receives nothing in a separate
/// network namespace), the folder of the nodes (does not show udev's properties), and a short wait for udev to
/// initialise a new device. Each notice only triggers a new look at all devices, so a lost or merged notice does no
/// harm.
@safe
public final class DeviceWatcher {
  private let loop: EventLoop
  private let inventory: DeviceInventory
  private let onChange: ([DeviceNode]) -> Void
  private var monitor: UdevMonitor?
  private var folder: FolderWatch?
  private var parent: FolderWatch?
  private var sensors: FolderWatch?
  private var lookSoon: DeferredSource?
  private var lookAgain: TimerSource?
  /// The devices of the last call of `onChange`.
  private var shown: Set<String> = []
  private var patience = DeviceWatcher.fullPatience

  private static let folderPath = "/dev/input"

  /// The waits between looks at a device that udev has not initialised, in nanoseconds: 3 s in all. Then the device is
  /// used uninitialised. Permissions were observed to come about 1 s late.
  private static let fullPatience: [Int64] = [50, 100, 200, 400, 800, 1600].map { $0 * 1_000_000 }

  /// Watches from the next turn of `loop` on.
  ///
  /// - Parameter onChange: receives all devices that udev has initialised. Also called after a change of permissions
  ///   only, because a device that could not be opened may be readable now.
  public init(loop: EventLoop, onChange: @escaping ([DeviceNode]) -> Void) throws(SystemError) {
    self.loop = loop
    self.onChange = onChange
    inventory = try DeviceInventory()
    lookSoon = try loop.deferred { [unowned self] in look() }
    lookAgain = try loop.timer { [unowned self] in look() }
    do {
      monitor = try UdevMonitor(loop: loop, udev: inventory) { [unowned self] in noticed() }
    } catch {
      ServiceProcess.log(.notice, "udev's monitor is not available (\(error)); only \(Self.folderPath) is watched.")
    }
    // Motion sensors have their nodes in /dev, beside many other nodes.
    sensors = try? FolderWatch(loop: loop, path: "/dev", for: [.arrivals, .departures, .permissions]) {
      [unowned self] changes in
      let isSensor = changes.contains { change in
        if case .entry(let name) = change { name.hasPrefix("iio:device") } else { true }
      }
      if isSensor { noticed() }
    }
    lookSoon?.schedule()
  }

  /// Looks at all devices again, later in this turn of the loop.
  public func refresh() { lookSoon?.schedule() }

  private func noticed() {
    patience = Self.fullPatience
    refresh()
  }

  public func look() {
    watchFolder()
    let nodes = inventory.nodes()
    let waiting = nodes.contains { !$0.isInitialized && !shown.contains($0.syspath) }
    var ready = nodes
    if waiting, let wait = patience.first {
      patience.removeFirst()
      lookAgain?.arm(at: Clock.boottime() + wait)
      ready = nodes.filter { $0.isInitialized || shown.contains($0.syspath) }
    }
    shown = Set(ready.map(\.syspath))
    onChange(ready)
  }

  /// Watches the folder of the nodes. The folder may disappear with the last device; then its parent is watched.
  private func watchFolder() {
    guard folder == nil else { return }
    folder = makeFolderWatch()
    guard folder == nil, parent == nil else {
      parent = nil
      return
    }
    parent = try? FolderWatch(loop: loop, path: "/dev", for: .arrivals) { [unowned self] changes in
      if changes.contains(.entry("input")) || changes.contains(.overflow) { noticed() }
    }
    // The folder may have appeared between the two calls.
    folder = makeFolderWatch()
  }

  private func makeFolderWatch() -> FolderWatch? {
    try? FolderWatch(loop: loop, path: Self.folderPath, for: [.arrivals, .departures, .permissions]) {
      [unowned self] changes in
      if changes.contains(.folderGone) { folder = nil }
      noticed()
    }
  }
}

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
