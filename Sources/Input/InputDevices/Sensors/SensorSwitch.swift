import Glibc
import Linux
import Synchronization

/// Enables a sensor's buffer as long as this object lives, and at most as long as the process: an enabled sensor drains
/// a battery, and is unavailable to others.
final class SensorSwitch {
  private static let on = Mutex<[ObjectIdentifier: SensorFolder]>([:])
  /// Disables the buffers at exit, because an early exit, such as after a closed pipe, deallocates no objects.
  private static let registration: Void = { _ = atexit { SensorSwitch.switchAllOff() } }()

  private let folder: SensorFolder

  /// Enables the buffer.
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
