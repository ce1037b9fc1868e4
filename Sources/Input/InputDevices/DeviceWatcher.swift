import Clibudev
import Glibc
public import Linux

/// Tells which input devices there are, at the start and whenever that, or a permission, may have changed.
///
/// Three things announce a change, and none of them alone is enough: udev's monitor (deaf in a network namespace of
/// its own), the folder of the nodes (says nothing of udev's properties), and a short wait for udev to finish with a
/// new device. Each only leads to a fresh look at everything, so a notice that was lost or merged does no harm.
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
  /// The devices that `onChange` was given the last time.
  private var shown: Set<String> = []
  private var patience = DeviceWatcher.fullPatience

  /// The folder of the nodes.
  private static let folderPath = "/dev/input"

  /// How long to wait between looks at a device that udev has not done with, in nanoseconds; then it is taken as it
  /// is. Three seconds in all: permissions were seen to come about one second late.
  private static let fullPatience: [Int64] = [50, 100, 200, 400, 800, 1600].map { $0 * 1_000_000 }

  /// Watches from the next turn of `loop` on.
  ///
  /// - Parameter onChange: gets all devices that udev has done with. Called again when nothing but a permission
  ///   changed: what could not be opened may be worth another try.
  public init(loop: EventLoop, onChange: @escaping ([DeviceNode]) -> Void) throws(SystemError) {
    self.loop = loop
    self.onChange = onChange
    inventory = try DeviceInventory()
    lookSoon = try loop.deferred { [unowned self] in look() }
    lookAgain = try loop.timer { [unowned self] in look() }
    do {
      monitor = try UdevMonitor(loop: loop, udev: inventory) { [unowned self] in noticed() }
    } catch {
      ServiceProcess.log(.notice, "udev's monitor is not to be had (\(error)); watching \(Self.folderPath) alone.")
    }
    // Motion sensors have their nodes beside much else.
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

  /// Looks at all devices now.
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

  /// The folder comes with the first device and may go with the last one; then its parent tells of its coming.
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
    // It may have come between the two.
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
