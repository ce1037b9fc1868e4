import Journal
import Linux

/// Reads the whole journal once, some time after the start, in a thread of the lowest priority, and logs damage.
/// Without the search, damage would appear only when a client needs the data.
final class DamageSearch {
  private var timer: TimerSource?
  private var worker: Worker<Void>?

  /// The pause after every 64 KiB, in nanoseconds, so that at most 3 MB are read per second.
  private static let pause: Int64 = 20_000_000

  /// - Parameter delay: the time until the search starts, in nanoseconds.
  init(_ location: JournalReader.Location, loop: EventLoop, after delay: Int64) throws(SystemError) {
    timer = try loop.timer { [unowned self] in
      worker = try? Worker(capacity: 1) { mailbox in Self.search(location, mailbox) }
    }
    timer?.arm(at: Clock.boottime() &+ delay)
  }

  deinit { worker?.end(by: Clock.boottime() &+ 1_000_000_000) }

  private static func search(_ location: JournalReader.Location, _ mailbox: Mailbox<Void>) {
    Worker.runIdle()
    do {
      let found = try JournalReader(location).findDamage {
        if case .closed = mailbox.take(until: Clock.boottime() &+ pause) { return false }
        return true
      }
      if let found { ServiceProcess.log(.error, found.message) }
    } catch {
      // Errors are not logged here: queries report the same damage.
    }
  }
}
