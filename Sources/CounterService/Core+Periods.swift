import CounterStore
import Counting
import Platform

/// Counters that begin anew by the calendar.
extension Core {
  /// At most so many periods are closed in a row; those who wait are answered in between.
  private static let mostRenewals = 4096

  /// Closes the periods that have ended, as themselves and in order, and lets those go on that have yet to begin since
  /// the clock was set back.
  func renew() throws {
    let now = Clock.microsecondsSince1970()
    guard renewal ?? .max <= now || now < earliestTime ?? .min else { return }
    var left = Self.mostRenewals
    var ended = ledger.renewals(until: now)
    while !ended.isEmpty, left > 0 {
      for id in ended.prefix(left) {
        _ = try performOne(Request(.change(.renew(id)), time: now, cause: Cause(producer: "tallyd")))
      }
      left -= ended.count
      ended = ledger.renewals(until: now)
    }
    scheduleRenewal()
  }

  func ring() {
    // Nothing is written through what has failed; the core that takes over closes what has ended.
    guard failure == nil else { return }
    do {
      try renew()
      // It rang too early where the clock was set back just then, or a leap second was put in; it rings once each time.
      scheduleRenewal()
    } catch {
      // What the journal failed for was said, and the alarm set.
      if error is StoreError { return }
      ServiceProcess.log(.warning, "A period that has ended could not be closed: \(error)")
      scheduleRenewal(notBefore: Self.nextTrial)
    }
  }

  /// When to try again what did not work, in microseconds since 1970: time may help, and nobody else is to be held up.
  static var nextTrial: Int64 { Clock.microsecondsSince1970() &+ 60_000_000 }

  /// Has the next period closed that ends, but not before `earliest`, in microseconds since 1970. A change that comes
  /// before tries to close it too.
  func scheduleRenewal(notBefore earliest: Int64 = 0) {
    renewal = ledger.nextRenewal
    earliestTime = ledger.earliestTime
    guard let renewal, failure == nil else {
      alarm?.disarm()
      return
    }
    let (deadline, overflow) = max(renewal, earliest).multipliedReportingOverflow(by: 1000)
    alarm?.arm(at: overflow ? .max : deadline)
  }
}

extension Event {
  /// Whether counters may begin anew at other times after it.
  var mayConcernRenewals: Bool {
    presence != .unchanged || kind == .locked || kind == .unlocked
      || alterations.contains { $0.field == .renewsAt || $0.field == .began || $0.field == .archived }
  }
}
