import Calendars

/// Counters that begin anew by the calendar: a new period closes the old one, whose event keeps what it came to.
extension Ledger {
  /// Sets when a counter begins anew, or that it does not for an empty text or none.
  func setPeriod(_ text: String?, of counter: inout Counter, at time: Int64) throws(CountingError) {
    guard let text, !text.isEmpty else {
      counter.period = nil
      counter.renewsAt = nil
      return
    }
    guard var schedule = Schedule(text) else {
      throw Field.period.bad(
        "it is written like “daily 04:00”, “weekly monday”, “monthly 1 00:00 Europe/Berlin” or “on 2026-12-24 18:00”")
    }
    do throws(ZoneError) {
      schedule.zone = try zone(schedule.zone).name
    } catch {
      throw .badSetting(Field.period.rawValue, reason: error.description)
    }
    counter.period = schedule.description
    counter.renewsAt = renewal(of: counter, after: time)
    guard counter.renewsAt != nil else { throw Field.period.bad("that has passed") }
  }

  /// When a counter begins anew after `time`, both in microseconds since 1970; `nil` for never again.
  func renewal(of counter: Counter, after time: Int64) -> Int64? {
    guard let schedule = counter.period.flatMap(Schedule.init) else { return nil }
    // A zone that is gone from the machine must not keep a counter from beginning anew.
    let zone = (try? zone(schedule.zone)) ?? .utc
    let second = time >= 0 ? time / 1_000_000 : (time &- 999_999) / 1_000_000
    return schedule.next(after: second, in: zone).map { $0.multipliedReportingOverflow(by: 1_000_000) }
      .flatMap { $0.overflow ? nil : $0.partialValue }
  }

  /// The names of the zones by which counters begin anew.
  public var zones: Set<String> {
    let periods = Set(counters.entries.values.lazy.compactMap(\.period))
    return Set(periods.compactMap { Schedule($0)?.zone })
  }

  /// When the next counter begins anew that neither is locked nor put away, in microseconds since 1970.
  public var nextRenewal: Int64? {
    counters.entries.values.lazy.filter(\.mayRenew).compactMap(\.renewsAt).min()
  }

  /// The clock, in microseconds since 1970, must have been set back where it shows less than this: a period that goes on
  /// would begin in its future.
  public var earliestTime: Int64? {
    counters.entries.values.lazy.filter { $0.mayRenew && $0.period != nil }.compactMap(\.began).max()
      .map { $0.subtractingReportingOverflow(Self.smallestSetback) }.flatMap { $0.overflow ? nil : $0.partialValue }
  }

  /// In microseconds. By less than this a clock is set that was not wrong, and a leap second sets it as well; what is
  /// counted then still belongs to the period before, whose end had come too soon.
  static let smallestSetback: Int64 = 60_000_000

  /// The counters that have to begin anew by `time`, or began in its future, those first whose turn it was first.
  public func renewals(until time: Int64) -> [Counter.ID] {
    counters.entries.values
      .filter { $0.mayRenew && ($0.renewsAt.map { $0 <= time } ?? false || $0.isAhead(of: time)) }
      .sorted { ($0.renewsAt ?? 0, $0.id) < ($1.renewsAt ?? 0, $1.id) }.map(\.id)
  }

  /// When the period ended that holds a moment, both in microseconds since 1970; `nil` where it still goes on.
  func periodEnd(of counter: Counter, at time: Int64) -> Int64? {
    guard counter.period != nil, let began = counter.began, time < began, let end = renewal(of: counter, after: time)
    else { return nil }
    // A boundary at which nothing was closed yet, or before there was a period, is none.
    return end <= began && counter.renewsAt.map { end < $0 } ?? true ? end : nil
  }

  /// Counts what was made in a period that has ended: a gesture that could not be delivered in time, or what somebody
  /// had forgotten. It is taken off again at the end of its period, so that the one that goes on is left as it was.
  mutating func countLate(
    _ counter: Counter, _ kind: Event.Kind, by change: Int64, until end: Int64, _ occasion: Occasion
  ) throws(CountingError) -> [Event] {
    try checkUnlocked(counter)
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if overflow || change == .min { throw .overflow(counter.name.text, value: counter.value, change: change) }
    var passing = counter
    passing.value = value
    var (made, closing) = (occasion, Occasion(time: end, cause: occasion.cause))
    made.batch = lastSequence &+ 1
    closing.batch = made.batch
    replace(counter)
    return [
      record(kind, passing, made, change: change), record(.renewed, counter, closing, change: -change),
    ]
  }

  /// The event bears the time at which the period ended, however long that was ago, so that each period is closed, one
  /// after the other. Nothing refuses it: one counter must keep neither others from beginning anew nor anybody from
  /// counting.
  mutating func renew(_ id: Counter.ID, _ occasion: Occasion) -> [Event] {
    guard let counter = counters[id], counter.mayRenew else { return [] }
    if let end = counter.renewsAt, end <= occasion.time {
      return renew(counter, Occasion(time: end, cause: occasion.cause))
    }
    return counter.isAhead(of: occasion.time) ? [setBack(counter, occasion)] : []
  }

  /// Lets the period go on that was begun by a clock which has been set back since: until the end that it has by the
  /// right one. Else all that is counted until the clock has caught up would be for a period that seems to have ended.
  private mutating func setBack(_ counter: Counter, _ occasion: Occasion) -> Event {
    let before = counter
    var counter = counter
    counter.began = occasion.time
    counter.renewsAt = renewal(of: counter, after: occasion.time)
    let alterations = [Field.began, .renewsAt].compactMap { field in
      before[field] == counter[field] ? nil : Alteration(field, from: before[field], to: counter[field])
    }
    replace(counter)
    return record(.changed, counter, occasion, marks: .byClock, alterations: alterations)
  }

  private mutating func renew(_ counter: Counter, _ occasion: Occasion) -> [Event] {
    var (counter, occasion) = (counter, occasion)
    var events: [Event] = []
    let isRunning = counter.since != nil
    if isRunning {
      occasion.batch = lastSequence &+ 1
      events.append(halt(&counter, occasion))
    }
    let before = counter
    // One too far from its start for any event stays where it is; its next period begins all the same.
    let (way, overflow) = counter.start.subtractingReportingOverflow(counter.value)
    let change = overflow ? 0 : way
    counter.lapped = 0
    counter.began = occasion.time
    counter.renewsAt = renewal(of: counter, after: occasion.time)
    let alterations = [Field.lapped, .began, .renewsAt].compactMap { field in
      before[field] == counter[field] ? nil : Alteration(field, from: before[field], to: counter[field])
    }
    let result = move(&counter, to: overflow ? counter.value : counter.start, occasion, alterations)
    replace(counter)
    disarm(counter)
    events.append(record(.renewed, counter, occasion, change: change, alterations: result.alterations))
    if isRunning { events.append(go(&counter, occasion)) }
    return events
  }
}

extension Counter {
  /// A locked counter refuses it, and one that is put away is left alone; both catch up later.
  fileprivate var mayRenew: Bool { !isLocked && !isArchived }

  /// Whether its period began so far in the future of a clock that shows `time` that the clock was set back since.
  fileprivate func isAhead(of time: Int64) -> Bool {
    guard period != nil, let began else { return false }
    let (ahead, overflow) = began.subtractingReportingOverflow(time)
    return overflow ? began > time : ahead > Ledger.smallestSetback
  }
}
