/// The rule by which clocks change each year, as POSIX's `TZ` writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Equatable, Sendable {
  /// Seconds east of universal time in winter, and all year where there is no daylight saving.
  let standard: Int
  let daylight: Daylight?

  /// Daylight saving: from `start`, by the clock of the winter, to `end`, by the clock of the summer.
  struct Daylight: Equatable, Sendable {
    let offset: Int
    let start: Moment
    let end: Moment
  }

  /// A moment that each year has.
  struct Moment: Equatable, Sendable {
    let day: Day
    /// Seconds from midnight of that day, up to a week before or after it.
    let second: Int

    enum Day: Equatable, Sendable {
      /// 1 to 365; 29 February is not counted.
      case julian(Int)
      /// 0 to 365; 29 February is counted.
      case ordinal(Int)
      /// The `week`th such day of the week in a month, 5 for the last one; Sunday is 0.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    /// Seconds on the wall since 1970.
    func seconds(in year: Int) -> Int64 {
      let newYear = Self.daysSince1970(year, 1)
      let days: Int64
      switch day {
      case .julian(let number): days = newYear + Int64(number - (number > 59 && CalendarDate.isLeap(year) ? 0 : 1))
      case .ordinal(let number): days = newYear + Int64(number)
      case .weekday(let month, let week, let weekday):
        let first = Self.daysSince1970(year, month)
        // 1970-01-01 was a Thursday, number 4.
        let ahead = (Int64(weekday) - (first + 4)).divided(by: 7).remainder
        var found = first + ahead + Int64(week - 1) * 7
        if found >= first + Int64(CalendarDate.days(inMonth: month, of: year)) { found -= 7 }
        days = found
      }
      return days * Int64(WallTime.secondsPerDay) + Int64(second)
    }

    private static func daysSince1970(_ year: Int, _ month: Int) -> Int64 {
      CalendarDate(unchecked: year, month, 1).daysSince1970
    }
  }

  func offset(at time: Int64) -> Int {
    guard daylight != nil else { return standard }
    // What changed last says what is in force; at most two years back there was something.
    return transitions(around: time).last { $0.time <= time }?.offset ?? standard
  }

  func transition(after time: Int64) -> ZoneRules.Transition? {
    guard daylight != nil else { return nil }
    return transitions(around: time).first { $0.time > time }
  }

  /// All changes from the year before to the year after, in order.
  private func transitions(around time: Int64) -> [ZoneRules.Transition] {
    guard let daylight else { return [] }
    let year = WallTime(secondsSince1970: time).date.year
    var found: [ZoneRules.Transition] = []
    for year in (year - 1)...(year + 1) {
      found.append(.init(time: daylight.start.seconds(in: year) - Int64(standard), offset: daylight.offset))
      found.append(.init(time: daylight.end.seconds(in: year) - Int64(daylight.offset), offset: standard))
    }
    // In a zone whose daylight saving never ends, each end falls together with the next beginning, which counts.
    let starts = Set(found.filter { $0.offset != standard }.map(\.time))
    return found.filter { $0.offset != standard || !starts.contains($0.time) }.sorted { $0.time < $1.time }
  }
}
