public import Calendars

/// Periods of counters. The event that starts a new period records the value of the old one.
extension Ledger {
  /// Sets the schedule of a counter; an empty text or none removes it.
  func setPeriod(_ text: String?, of counter: inout Counter, at time: Int64) throws(CountingError) {
    guard let text, !text.isEmpty else {
      counter.period = nil
      counter.renewsAt = nil
      return
    }
    var schedule = try Field.schedule(text)
    do throws(ZoneError) {
      let zone = try zone(schedule.zone)
      schedule.zone = zone.isInDatabase ? zone.name : nil
    } catch {
      throw Field.period.bad(Self.misread(text) ?? error.description)
    }
    counter.period = schedule.description
    counter.renewsAt = renewal(of: counter, after: time)
    guard counter.renewsAt != nil else { throw Field.period.bad("that has passed") }
  }

  /// The text of an error if the only word after the kind of a schedule was probably not meant as a zone; `nil` for a
  /// word that can only be the name of a zone.
  private static func misread(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard words.count == 2, !words[1].contains("/") else { return nil }
    let place: String? =
      switch words[0] {
      case "hourly": "a minute such as 15"
      case "daily": "a time of day such as 04:00"
      case "weekly": "a day of the week such as monday"
      case "monthly": "a day of the month such as 1"
      case "yearly": "a day of the year such as 07-01"
      default: nil
      }
    return place.map {
      "“\(String(words[1]).shortened)” is neither \($0) nor a time zone of this machine such as Europe/Berlin"
    }
  }

  /// The end of the period that contains `time`, both in microseconds since 1970; `nil` for never.
  public func renewal(of counter: Counter, after time: Int64) -> Int64? {
    guard let schedule = counter.period.flatMap(Schedule.init) else { return nil }
    // If the zone is missing on this machine, the counter still gets its new period.
    let zone = (try? zone(schedule.zone)) ?? .utc
    let second = time >= 0 ? time / 1_000_000 : (time &- 999_999) / 1_000_000
    return schedule.next(after: second, in: zone).map { $0.multipliedReportingOverflow(by: 1_000_000) }
      .flatMap { $0.overflow ? nil : $0.partialValue }
  }

  /// The time at which a day begins for a counter, by the time of day of its schedule, in microseconds since 1970; `nil`
  /// if it begins at the local midnight.
  public func start(of day: CalendarDate, for counter: Counter) -> Int64? {
    guard let schedule = counter.period.flatMap(Schedule.init), let second = schedule.secondOfDay,
      let zone = try? zone(schedule.zone)
    else { return nil }
    return zone.moments(of: WallTime(day, secondOfDay: second)).first * 1_000_000
  }

  /// The time of a count for a day of a counter that began at `start`, all in microseconds since 1970.
  public func middle(ofDayFrom start: Int64, of counter: Counter, now: Int64) -> Int64 {
    let second = counter.period.flatMap(Schedule.init)?.secondOfDay ?? 0
    return Schedule.middle(ofDayFrom: start, secondOfDay: second, now: now)
  }

  /// The day of a counter that contains a time, from its start to that of the next day, in microseconds since 1970.
  public func day(containing time: Int64, for counter: Counter) -> Range<Int64> {
    let schedule = counter.period.flatMap(Schedule.init)
    let zone = (try? zone(schedule?.secondOfDay == nil ? nil : schedule?.zone)) ?? .utc
    guard let days = Period(.day, secondOfDay: schedule?.secondOfDay ?? 0) else { return time..<time }
    let second = time / 1_000_000
    return days.boundary(atOrBefore: second, in: zone) * 1_000_000..<days.boundary(after: second, in: zone) * 1_000_000
  }

  /// The day that begins at a time by the local clocks; `nil` for another time than midnight.
  public func day(beginningAt time: Int64) -> CalendarDate? {
    guard time.isMultiple(of: 1_000_000), let wall = (try? zone(nil))?.wallTime(at: time / 1_000_000) else {
      return nil
    }
    return wall.secondOfDay == 0 ? wall.date : nil
  }

  /// The names of the time zones in schedules.
  public var zones: Set<String> {
    let periods = Set(counters.entries.values.lazy.compactMap(\.period))
    return Set(periods.compactMap { Schedule($0)?.zone })
  }

  /// The next end of a period of a counter that is neither locked nor archived, in microseconds since 1970.
  public var nextRenewal: Int64? {
    counters.entries.values.lazy.filter(\.renewsBySchedule).compactMap(\.renewsAt).min()
  }

  /// The earliest end of a period of a counter that is not locked, in microseconds since 1970.
  public var earliestPeriodEnd: Int64? {
    counters.entries.values.lazy.filter { !$0.isLocked }.compactMap(\.renewsAt).min()
  }

  /// The latest start of counting of any counter, in microseconds since 1970. An earlier count may belong to an ended
  /// period, also of a counter that has no period any more.
  public var latestBeginning: Int64? { counters.entries.values.lazy.compactMap(beginning).max() }

  /// The counters that a change concerns, whose ended periods must be closed before it. The period of an archived
  /// counter ends only now.
  public func counters(concernedBy change: Change) -> [Counter] {
    switch change.scope {
    case .one(let target)?: (try? find(target)).map { [$0] } ?? []
    case .group(let name)?: ((try? findGroup(name)).map { members(of: $0.id) } ?? []).filter { !$0.isArchived }
    case .all?: all.filter { !$0.isArchived }
    case nil: []
    }
  }

  /// The earliest time that the wall clock can show without having been set back, in microseconds since 1970; below it,
  /// a current period would start in the future.
  public var earliestTime: Int64? {
    counters.entries.values.lazy.filter { !$0.isLocked && $0.period != nil }.compactMap(\.began).max()
      .map { $0.subtractingReportingOverflow(Self.smallestSetback) }.flatMap { $0.overflow ? nil : $0.partialValue }
  }

  /// The smallest step of the clock that counts as a setback, in microseconds. Smaller ones are corrections, such as
  /// leap seconds; counts made meanwhile belong to the previous period, whose end came too early.
  public static let smallestSetback: Int64 = 60_000_000

  /// Whether a start of counting is so far in the future of a time that the clock must have been set back.
  static func isBack(_ time: Int64, before start: Int64) -> Bool {
    let (ahead, overflow) = start.subtractingReportingOverflow(time)
    return overflow ? start > time : ahead > smallestSetback
  }

  /// The counters that have a whole period between two times, both in microseconds since 1970.
  public func counters(
    among ids: Set<Counter.ID>, withPeriodsFrom first: Int64, to time: Int64
  ) -> Set<Counter.ID> {
    ids.filter { id in
      guard let counter = self[id], time < Int64.max - 1_000_000,
        let end = start(of: counter, endingAt: time + 1_000_000), let start = start(of: counter, endingAt: end)
      else { return false }
      return start >= first
    }
  }

  /// The counters whose period ended by `time` or starts in its future, ordered by the time of the event that closes
  /// the period.
  public func renewals(until time: Int64) -> [Counter.ID] {
    counters.entries.values
      .filter { $0.renewsBySchedule && $0.renewsAt.map { $0 <= time } ?? false || $0.isAhead(of: time) }
      .map { (end: closing(of: $0, by: time) ?? $0.renewsAt ?? 0, id: $0.id) }
      .sorted { $0 < $1 }.map(\.id)
  }

  /// The end of the period of a counter if it ended by `time`, both in microseconds since 1970. Consecutive empty
  /// periods are closed together; for them, the end of the last one.
  public func closing(of counter: Counter, by time: Int64) -> Int64? {
    guard let end = counter.renewsAt, end <= time else { return nil }
    guard counter.isAtStart, let schedule = counter.period.flatMap(Schedule.init) else { return end }
    let last = schedule.last(atOrBefore: time / 1_000_000, in: (try? zone(schedule.zone)) ?? .utc)
    return max(end, last.map { $0 * 1_000_000 } ?? end)
  }

  /// The end of the period that contains a time by the present schedule, in microseconds since 1970; `nil` if that is
  /// the current period.
  public func periodEnd(of counter: Counter, at time: Int64) -> Int64? {
    guard counter.period != nil, let began = beginning(of: counter), time < began,
      let end = renewal(of: counter, after: time)
    else { return nil }
    // A boundary before the first period, or of a period that is not closed yet, does not count.
    return end <= began && counter.renewsAt.map { end < $0 } ?? true ? end : nil
  }

  /// Records a count of a period that has ended, such as a gesture that was delivered late, within the limits for the
  /// value of that period. The closing event follows at once, so the current period is unchanged.
  mutating func countLate(
    _ counter: Counter, _ kind: Event.Kind, by wanted: Int64, from past: Int64, until end: Int64, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    try checkUnlocked(counter)
    var ended = counter
    ended.value = past
    let change: Int64
    do throws(CountingError) {
      change = try Self.limited(wanted, of: ended)
      _ = try move(&ended, by: change, occasion)
    } catch {
      let zone = counter.period.flatMap(Schedule.init)?.zone
      throw .ofEndedPeriod(error, end: wallTime(end, in: zone), value: counter.unit.text(ended.value))
    }
    if change == 0 { return [record(kind, counter, occasion, change: 0, marks: .limited)] }
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if overflow || change == .min {
      throw .overflow(counter.name.text, value: counter.value, change: change, unit: counter.unit)
    }
    var passing = counter
    passing.value = value
    var (made, closing) = (occasion, Context(time: end, cause: occasion.cause))
    made.batch = occasion.batch ?? lastSequence &+ 1
    closing.batch = made.batch
    return [
      record(kind, passing, made, change: change, marks: change == wanted ? [] : .limited),
      record(.renewed, counter, closing, change: -change),
    ]
  }

  /// A time in microseconds since 1970 as text: `2026-11-21 14:05`, with the name of the zone unless that is the local
  /// one.
  public func wallTime(_ time: Int64, in name: String? = nil) -> String {
    let zone = (try? zone(name)) ?? .utc
    return "\(zone.wallTime(at: time / 1_000_000))" + (name.map { " \($0)" } ?? "")
  }

  /// A time in microseconds since 1970 as text with its offset, for people whose clocks may be those of another zone:
  /// `2026-11-21 14:05+01:00`.
  public func instant(_ time: Int64) -> String {
    let (zone, seconds) = ((try? zone(nil)) ?? .utc, time / 1_000_000)
    return "\(zone.wallTime(at: seconds))\(Zone.text(ofOffset: zone.offset(at: seconds)))"
  }

  /// Starts a new period. The event has the time at which the old period ended, so that missed periods are closed one
  /// by one, apart from consecutive empty ones. Never fails: one counter must not block others.
  mutating func renew(_ id: Counter.ID, _ occasion: Context) -> [Event] {
    guard let counter = counters[id], !counter.isLocked else { return [] }
    if let resumed = resume(counter, occasion) { return [resumed] }
    // The end that this clock reaches is none of the period.
    if isClockLost(at: occasion.time), counter.isAhead(of: occasion.time) { return [setBack(counter, occasion)] }
    if let end = closing(of: counter, by: occasion.time) {
      return renew(counter, Context(time: end, cause: occasion.cause))
    }
    return counter.isAhead(of: occasion.time) ? [setBack(counter, occasion)] : []
  }

  private mutating func renew(_ counter: Counter, _ occasion: Context) -> [Event] {
    var (counter, occasion) = (counter, occasion)
    var events: [Event] = []
    // A clock that was set may have ended the period before the run started.
    let start = counter.runStart(in: boot)
    if start != nil {
      occasion.batch = occasion.batch ?? lastSequence &+ 1
      events.append(halt(&counter, occasion))
    }
    let before = counter
    // A value too far from the start for a change stays as it is, and the next period still starts.
    let (way, overflow) = counter.start.subtractingReportingOverflow(counter.value)
    let change = overflow ? 0 : way
    counter.lapped = 0
    counter.began = occasion.time
    counter.renewsAt = renewal(of: counter, after: occasion.time)
    let alterations = counter.alterations(of: [.lapped, .began, .renewsAt], since: before)
    let result = move(&counter, to: overflow ? counter.value : counter.start, occasion, alterations)
    events.append(
      recordWithSetback(.renewed, counter, since: before.began, occasion, change: change, result.alterations))
    if let start { events.append(go(&counter, occasion, since: max(start, occasion.time))) }
    return events
  }
}

extension Counter {
  /// Whether the period ends by the schedule. The period of a locked counter ends when the counter
  /// is unlocked, the period of an archived counter before its next change.
  fileprivate var renewsBySchedule: Bool { !isLocked && !isArchived }

  /// Whether the period starts so far in the future of `time` that the clock must have been set back. That of a locked
  /// counter is left until the counter is unlocked.
  fileprivate func isAhead(of time: Int64) -> Bool {
    guard period != nil, !isLocked, let began else { return false }
    return Ledger.isBack(time, before: began)
  }
}
