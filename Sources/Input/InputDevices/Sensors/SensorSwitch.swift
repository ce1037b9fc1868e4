import Glibc
import Linux
import Synchronization

/// Has a sensor measure into its buffer for as long as this object lives, and no longer than the process does: one that
/// is left on drains a battery, and keeps others from it.
final class SensorSwitch {
  /// Those that are on.
  private static let on = Mutex<[ObjectIdentifier: SensorFolder]>([:])
  /// Once: objects do not outlive a process that ends in the middle of something, as when nobody reads what it prints.
  private static let registration: Void = { _ = atexit { SensorSwitch.switchAllOff() } }()

  private let folder: SensorFolder

  /// Switches it on.
  init(_ folder: SensorFolder) throws(SensorError) {
    self.folder = folder
    do throws(SystemError) { try folder.write("buffer/enable", "1") } catch {
      throw error.code == EINVAL ? .unbuffered : SensorError(error)
    }
    Self.registration
    Self.on.withLock { $0[ObjectIdentifier(self)] = folder }
  }

  deinit {
    _ = Self.on.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    Self.switchOff(folder)
  }

  private static func switchAllOff() {
    for folder in on.withLock({ $0.values }) { switchOff(folder) }
  }

  private static func switchOff(_ folder: SensorFolder) { try? folder.write("buffer/enable", "0") }
}
