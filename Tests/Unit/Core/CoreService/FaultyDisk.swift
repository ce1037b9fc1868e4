import CFaultyDisk
import TestKit

/// A disk in memory that fails and loses power as it is told; what lies in its folder is read and written through it.
final class FaultyDisk {
  private let temporary = TemporaryFolder()
  var folder: String { temporary.path }
  private let disk: OpaquePointer

  /// - Parameter number: The case of the ``Seed``, which decides all random choices.
  init(case number: Int) {
    var random = Seed.generator(case: number)
    disk = faulty_disk_make(temporary.path, random.next())
  }

  deinit { faulty_disk_free(disk) }

  /// How many calls it has had.
  var calls: Int { faulty_disk_calls(disk) }

  /// How many of them changed something, or were to bring it to the disk.
  var writes: Int { faulty_disk_writes(disk) }

  /// How a call fails.
  enum Fault: Int, CaseIterable {
    case once
    case forever
    case full
  }

  /// Lets a call fail, that many calls from now.
  func fail(_ fault: Fault, in calls: Int) {
    let mode =
      switch fault {
      case .once: FAULTY_ONCE
      case .forever: FAULTY_FOREVER
      case .full: FAULTY_FULL
      }
    faulty_disk_fail(disk, mode, self.calls + calls)
  }

  /// Lets no further call fail.
  func mend() { faulty_disk_fail(disk, FAULTY_NEVER, 0) }

  /// How its user ends.
  enum End: Int, CaseIterable {
    case killed
    case withoutPower
  }

  func end(_ end: End) {
    switch end {
    case .killed: faulty_disk_kill(disk)
    case .withoutPower: faulty_disk_cut(disk)
    }
  }
}
