import Counting
import Journal
import Linux

/// The times of all counters' periods, in microseconds since 1970; `nil` if no counter has such a time.
struct PeriodTimes {
  /// The time of ``Core/alarm``, which is the next end of a period by the schedule.
  var renewal: Int64?
  /// The earliest end of a period, those of archived counters included.
  var earliestEnd: Int64?
  /// The latest start of counting of any counter: a later count belongs to the present period of its counter.
  var latestBeginning: Int64?
  /// The earliest time that the wall clock can show without having been set back.
  var earliestTime: Int64?
}

/// Ends the periods of counters by the calendar.
extension Core {
  /// The maximum number of periods that are closed at once: about 20 ms of work. Before the next periods, waiting calls
  /// are served and events are committed.
  static let mostRenewals = 256

  /// The pause before more periods are closed, in microseconds. Without it, the alarm would run before all waiting
  /// calls.
  private static let pause: Int64 = 5000

  /// Closes the periods that have ended, in order, and corrects those that start in the future because the clock was
  /// set back.
  func renew() throws {
    try checkClock()
    let times = periodTimes
    guard times.renewal != nil || times.earliestTime != nil else { return }
    let now = Clock.microsecondsSince1970()
    guard times.renewal ?? .max <= now || now < times.earliestTime ?? .min else { return }
    var left = mostRenewals
    var ended = ledger.renewals(until: now)
    while !ended.isEmpty, left > 0 {
      // Periods are closed in the order of their ends: a counter with several ended periods waits for the other
      // counters.
      var earliestNext = Int64.max
      for id in ended.prefix(left) {
        if let end = ledger[id].flatMap({ ledger.closing(of: $0, by: now) }), end > earliestNext { break }
        _ = try renew(id, at: now)
        left -= 1
        let next = ledger[id].flatMap { ledger.closing(of: $0, by: now) }
        earliestNext = min(earliestNext, next ?? .max)
      }
      ended = ledger.renewals(until: now)
    }
    scheduleRenewal()
  }

  /// Closes the ended period of a counter. If the period goes on, because a clock that was back is right again, undoes
  /// the ends that this clock has caused.
  private func renew(_ id: Counter.ID, at now: Int64) throws -> [Event] {
    readClocks()
    ledger.isClockSynchronized = Clock.isSynchronized()
    let (ends, cause) = (ledger.falseEnds(of: id, at: now), Cause(producer: "tallyd"))
    let events = try performOne(Request(.change(.renew(id)), time: now, cause: cause))
    for end in ends.reversed() {
      do {
        _ = try performOne(Request(.undoEvent(end), time: now, cause: cause, isAdministrators: true))
      } catch let error as CountingError {
        ServiceProcess.log(.warning, "The end \(end) of a period by a wrong clock could not be undone: \(error)")
      }
    }
    return events
  }

  /// Like ``renew()``, where the clock may have been lost or corrected while the core was off.
  func renewAtStart() throws {
    let now = Clock.microsecondsSince1970()
    ledger.noteClockAtStart(now)
    ledger.isClockSynchronized = Clock.isSynchronized()
    try renew()
    readClocks()
    ledger.adoptSetbacks(at: now)
  }

  /// Closes the ended periods of the counters that a change concerns, because a count made now must not belong to an
  /// earlier period. ``renew()`` leaves such periods if a counter is archived, or if more have ended than it closes at
  /// once.
  func renew(before change: Change) throws {
    guard let end = periodTimes.earliestEnd, end <= Clock.microsecondsSince1970() else { return }
    let now = Clock.microsecondsSince1970()
    for target in ledger.counters(concernedBy: change) {
      // A period that cannot be closed, such as that of a locked counter, causes no event.
      while let end = ledger[target.id]?.renewsAt, end <= now {
        if try renew(target.id, at: now).isEmpty { break }
      }
    }
  }

  /// The answer to a question of the ledger, with the counts of all stations.
  func answer(_ question: Ledger.Question) throws -> Ledger.Answer? {
    let answer = try reading { try storing { () throws(StoreError) in try store.answer(question, in: ledger) } }
    guard case .endedPeriod(let counter, _) = question, case .endedPeriod(let end, _)? = answer,
      let total = fleet?.total(of: counter, endingAt: end)
    else { return answer }
    return .endedPeriod(end: end, value: total)
  }

  func ring() {
    // Nothing is written after a failure; the next core closes the periods.
    guard failure == nil else { return }
    do {
      try renew()
      // The alarm fired early (the clock was set back meanwhile, or a leap second), or more periods have ended: it is
      // set again.
      scheduleRenewal(notBefore: Clock.microsecondsSince1970() &+ Self.pause)
    } catch {
      // The failure of the journal was already logged, and the alarm set.
      if error is StoreError { return }
      ServiceProcess.log(.warning, "A period that has ended could not be closed: \(error)")
      scheduleRenewal(notBefore: Self.nextTrial)
    }
  }

  /// The time of the next attempt after a failure, in microseconds since 1970, long enough that retries do not block
  /// calls.
  static var nextTrial: Int64 { Clock.microsecondsSince1970() &+ 60_000_000 }

  /// Sets the alarm for the next end of a period, but not before `earliest`, in microseconds since 1970. A change
  /// before `earliest` tries to close the period as well.
  func scheduleRenewal(notBefore earliest: Int64 = 0) {
    periodTimes = PeriodTimes(
      renewal: ledger.nextRenewal, earliestEnd: ledger.earliestPeriodEnd, latestBeginning: ledger.latestBeginning,
      earliestTime: ledger.earliestTime)
    guard let renewal = periodTimes.renewal, failure == nil else {
      alarm?.disarm()
      return
    }
    let (deadline, overflow) = max(renewal, earliest).multipliedReportingOverflow(by: 1000)
    alarm?.arm(at: overflow ? .max : deadline)
  }
}

extension Event {
  /// Whether the event may change the ends of periods.
  var mayConcernRenewals: Bool {
    presence != .unchanged || kind == .locked || kind == .unlocked
      || alterations.contains { $0.field == .renewsAt || $0.field == .began || $0.field == .archived }
  }
}
