import Counting
import Journal
import Linux

/// The first setting of the clock. A board without a hardware clock starts with an old time, such as that of its last
/// shutdown, until the network sets its clock. Counts made before that setting are counted again at their right time,
/// so that they are in the value and in the totals of the day on which they were made.
extension Core {
  /// A clock that has not been set since boot.
  struct UnsetClock {
    /// The wall-clock time of the boot according to the unset clock, in microseconds since 1970.
    let bootTime: Int64
    /// The sequence number of the last event before the first event that has its time from this clock.
    let lastEvent: Int64

    /// The smallest step that sets a clock, in microseconds. Smaller steps are corrections, such as leap seconds.
    static let smallestStep: Int64 = 60_000_000

    /// The step by which the clock was set from this boot time to another; `nil` if the clock was not set.
    func step(to bootTime: Int64) -> Int64? {
      let (step, overflow) = bootTime.subtractingReportingOverflow(self.bootTime)
      return overflow || step.magnitude < Self.smallestStep ? nil : step
    }
  }

  /// The maximum number of the latest events that are searched for counts to repeat. The search blocks all calls, and
  /// must take less than a second.
  private static let mostRecounted: Int64 = 1000

  /// The time since boot, in nanoseconds, after which a step of the clock is no longer its first setting: one day.
  private static let longestWait: Int64 = 86_400_000_000_000

  /// Starts checking the clock, if it may be unset.
  func watchClock(_ loop: EventLoop) throws {
    guard !Clock.isPlausible(), Clock.boottime() < Self.longestWait else { return }
    unsetClock = UnsetClock(bootTime: Clock.bootTime(), lastEvent: ledger.lastSequence)
    clockCheck = try loop.alarm { [unowned self] in
      do {
        try checkClock()
      } catch {
        ServiceProcess.log(.warning, "Counts from before the clock was set keep their dates: \(error)")
      }
      if unsetClock != nil { lookAtClockLater() }
    }
    lookAtClockLater()
  }

  /// Arms the timer of the next check, which also fires when the clock is set past the timer's time.
  private func lookAtClockLater() {
    clockCheck?.arm(at: (Clock.microsecondsSince1970() &+ UnsetClock.smallestStep) &* 1000)
  }

  /// Repeats the counts that have times by an unset clock, once the clock is set.
  func checkClock() throws {
    guard let clock = unsetClock, failure == nil else { return }
    let step = clock.step(to: Clock.bootTime())
    guard step != nil || Clock.isSynchronized() || Clock.boottime() > Self.longestWait else { return }
    unsetClock = nil
    if let step, step > 0 { try recount(after: clock.lastEvent, laterBy: step) }
  }

  /// Undoes each count made after an event, and repeats it at a later time.
  private func recount(after last: Int64, laterBy step: Int64) throws {
    let first = max(last, ledger.lastSequence &- Self.mostRecounted) &+ 1
    guard first <= ledger.lastSequence else { return }
    let made = try reading { try store.events(first...ledger.lastSequence, in: ledger) }
    // A count before a reset is not repeated: its undo would not change the value, but its repetition would.
    var later: Set<Counter.ID> = []
    var counts: [Event] = []
    for event in made.reversed() {
      if event.kind.effect == .sets { later.insert(event.counter) }
      if event.kind.isCount, event.change != 0, !event.marks.contains(.late), !later.contains(event.counter) {
        counts.append(event)
      }
    }
    // Counts that were made together are repeated together.
    var acts: [[Event]] = []
    for event in counts.reversed() {
      if let batch = event.batch, acts.last?.last?.batch == batch {
        acts[acts.count - 1].append(event)
      } else {
        acts.append([event])
      }
    }
    var repeated = 0
    for act in acts { repeated += try repeatCounts(act, laterBy: step) }
    guard repeated > 0 else { return }
    ServiceProcess.log(
      .notice,
      "The clock was set \(step / 1_000_000) s ahead: \(repeated) counts from before are counted again at their right time."
    )
  }

  /// - Returns: the number of counts without those that are undone already, or cannot be undone or repeated.
  private func repeatCounts(_ act: [Event], laterBy step: Int64) throws -> Int {
    var (events, merges) = ([Event](), [Request]())
    for event in act {
      let (time, overflow) = event.time.addingReportingOverflow(step)
      // Counts of a fleet are not repeated: other stations have them with their times.
      guard !overflow, let counter = ledger[event.counter], !counter.isLocked, !ledger.isShared(counter.id),
        try !reading({ try store.isTakenBack(event) })
      else { continue }
      merges.append(
        Request(
          .change(.merge(.named(counter.name.text), event.kind, by: event.change)), time: time, cause: event.cause,
          isLate: true, isTogether: !events.isEmpty, isRepeated: true))
      events.append(event)
    }
    guard !events.isEmpty else { return 0 }
    do {
      // The counts may be of a period that the clock has ended.
      for case .change(let merge) in merges.map(\.verb) { try renew(before: merge) }
      let undo = try Change.undo(reading { try store.takebacks(events.reversed()) })
      let present = Request(
        .change(undo), time: Clock.microsecondsSince1970(), cause: Cause(producer: "tallyd"), isAdministrators: true)
      _ = try perform([present] + merges)
      return events.count
    } catch is CountingError {
      return 0
    }
  }
}
