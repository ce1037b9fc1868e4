import Synchronization

/// The zones of the machine, each as it was read last where it cannot be read now: a program that has too many files open
/// must not take another zone's midnight for the end of a day.
public final class ZoneMemory: Sendable {
  private let folder: ZoneFolder
  /// What was read, by name; under none the machine's own. There are no more than the database has.
  private let known = Mutex<[String?: Zone]>([:])

  public init(_ folder: ZoneFolder = ZoneFolder()) { self.folder = folder }

  /// The zone of a name, or this machine's for `nil`, as its file is now.
  ///
  /// - Throws: a ``ZoneError`` where there is none, or it could never be read.
  public func zone(named name: String?) throws(ZoneError) -> Zone {
    do throws(ZoneError) {
      let zone = if let name { try folder.zone(named: name) } else { try folder.local() }
      known.withLock { $0[name] = zone }
      return zone
    } catch {
      guard error.mayPass, let zone = known.withLock({ $0[name] }) else { throw error }
      return zone
    }
  }
}
