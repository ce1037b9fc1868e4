import Counting

/// The counts of tables that the journal has already.
struct TableCounts {
  /// The counts of one time, as far as no count of the table has matched them.
  private struct Rest {
    /// The number of counts that a limit shortened.
    var shortened = 0
    /// The amounts of counts in the same second, where one of the two times has no part of a second.
    var ofSameSecond: [Int64] = []
    /// The sum of the counts with an amount that no count of the table has; `nil` for none.
    var other: Int128?
    /// The sum of the other counts.
    var sum: Int128 = 0
    /// Whether an import added a difference, so that the amount is the sum of all counts.
    var isReplaced = false
    /// Whether a limit shortened a count, or the last difference: that one left the amount of its table otherwise.
    var isLimited = false
    /// Whether a count of the table has matched one that a limit shortened, by an unknown amount.
    var isUncertain = false
    /// Whether all counts have been compared with one of the table.
    var isTaken = false
    /// The time of the count of a day.
    var timeOfDay: Int64?
    /// The sum of all counts, matched or not, and the last difference of them, or the first count.
    var imported: (sum: Int128, since: Int64) = (0, .max)

    mutating func note(_ event: Event) {
      let since = event.cause.isOfDifference ? event.sequence : min(imported.since, event.sequence)
      imported = (imported.sum + Int128(event.change), since)
    }

    /// Consumes the counts that no count of the table has matched; returns their sum.
    mutating func take() -> Int128 {
      let rest = (other ?? 0) + sum
      (other, sum) = (nil, 0)
      return isUncertain ? 0 : rest
    }

    mutating func takeSameSecond() -> Int128 {
      defer { ofSameSecond = [] }
      return ofSameSecond.reduce(0) { $0 + Int128($1) }
    }
  }

  private var exact: [CounterEvent: Int] = [:]
  private var rests: [CountMoment: Rest] = [:]

  /// - Parameter isExact: whether a count of the table has the amount as well.
  mutating func add(_ event: Event, isExact: Bool) {
    let isLimited = event.marks.contains(.limited)
    var rest = rests[CountMoment(event)] ?? Rest()
    rest.note(event)
    if event.cause.isOfDay { rest.timeOfDay = event.time }
    if event.cause.isOfDifference { (rest.isReplaced, rest.isLimited) = (true, false) }
    if isLimited { rest.isLimited = true }
    if isExact {
      exact[CounterEvent(event.counter, event), default: 0] += 1
    } else if isLimited {
      rest.shortened += 1
    }
    let change = Int128(event.change)
    if isExact || isLimited { rest.sum += change } else { rest.other = (rest.other ?? 0) + change }
    rests[CountMoment(event)] = rest
  }

  /// Adds a count in the second of a count of the table.
  ///
  /// - Parameter moment: that of the table.
  mutating func add(_ event: Event, inSecondOf moment: CountMoment) {
    rests[moment, default: Rest()].ofSameSecond.append(event.change)
    rests[moment]?.note(event)
  }

  /// Whether the journal has counts of the time of a count of a table.
  func has(_ count: Event) -> Bool { rests[CountMoment(count)] != nil }

  /// A difference to a count of the journal, at the time of that count.
  func difference(to count: Event) -> Event {
    Event(
      sequence: 0, time: rests[CountMoment(count)]?.timeOfDay ?? count.time, kind: count.kind, counter: count.counter,
      name: count.name, change: count.change, value: 0, cause: count.cause.ofDifference)
  }

  /// The sum of the journal's counts at the time of a table's count, and the event since which no import compared them
  /// with entries by hand.
  func imported(like count: Event) -> (sum: Int128, since: Int64) { rests[CountMoment(count)]?.imported ?? (0, .max) }

  enum Match {
    case none, same
    /// The sum of counts at the same time.
    case other(Int128)
  }

  /// Consumes the counts of the journal that match a count of a table.
  ///
  /// - Parameter again: whether the table has the present amounts; `nil` if a person has not said so.
  mutating func take(_ count: Event, _ again: Archive.Count.Again?) -> Match {
    let (moment, amount) = (CountMoment(count), Int128(count.change))
    guard var rest = rests[moment] else { return .none }
    defer { rests[moment] = rest }
    if rest.isTaken { return .none }
    if rest.isReplaced {
      rest.isTaken = true
      let sum = rest.take() + rest.takeSameSecond()
      // A limit has cut nothing off an amount that is nearer to 0 than what was counted.
      let isCut = rest.isLimited && (sum < 0 ? amount < sum : amount > sum)
      return sum == amount || isCut ? .same : .other(sum)
    }
    let event = CounterEvent(count.counter, count)
    if let number = exact[event], number > 0 {
      exact[event] = number - 1
      rest.sum -= amount
      return .same
    }
    if rest.shortened > 0 {
      rest.shortened -= 1
      let sum = (rest.other ?? 0) + rest.sum
      // If the amount in the table is nearer to 0 than the sum in the journal, the limit did not shorten this count.
      if again == .replace, sum > 0 && amount < sum || sum < 0 && amount > sum { return .other(rest.take()) }
      rest.isUncertain = true
      return .same
    }
    if let place = rest.ofSameSecond.firstIndex(of: count.change) {
      rest.ofSameSecond.remove(at: place)
      return .same
    }
    guard rest.other != nil || !rest.ofSameSecond.isEmpty else { return .none }
    let sum = (rest.other ?? 0) + rest.takeSameSecond()
    rest.other = nil
    return sum == amount ? .same : .other(sum)
  }

  /// Consumes the counts at the time of a table's count that no count of the table has matched; returns their sum.
  mutating func takeRest(of count: Event) -> Int128 { rests[CountMoment(count)]?.take() ?? 0 }
}
