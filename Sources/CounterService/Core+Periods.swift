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
    do {
      try renew()
      // It rang too early where the clock was set back just then, or a leap second was put in; it rings once each time.
      scheduleRenewal()
    } catch {
      // A value that cannot go back to its start within 64 bits, or a disk that is full: time may help.
      ServiceProcess.log(.warning, "A period that has ended could not be closed: \(error)")
      alarm?.arm(at: (Clock.microsecondsSince1970() &+ 60_000_000) &* 1000)
    }
  }

  func scheduleRenewal() {
    renewal = ledger.nextRenewal
    earliestTime = ledger.earliestTime
    guard let renewal else {
      alarm?.disarm()
      return
    }
    let (deadline, overflow) = renewal.multipliedReportingOverflow(by: 1000)
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
