/// What changes values.
extension Ledger {
  mutating func count(
    _ target: Change.Target, _ kind: Event.Kind, _ quantity: Quantity?, sign: Int64, _ occasion: Occasion
  ) throws(CountingError) -> [Event] {
    var events: [Event] = []
    if target == .current, isEmpty {
      var making = try create(CounterName.first.text, 0, false, [:], occasion)
      making.marks.insert(.madeToCount)
      events.append(making)
    }
    let counter = try find(target)
    let amount = try quantity.map { quantity throws(CountingError) in try quantity.number(in: counter.unit) }
    if let amount, amount < 1 { throw .badAmount(amount) }
    let step = sign < 0 ? counter.stepDown ?? counter.step : counter.step
    // A step of a journal that was edited by hand may be anything.
    let (change, overflow) = sign.multipliedReportingOverflow(by: amount ?? step)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: .max) }
    if let end = periodEnd(of: counter, at: occasion.time) {
      return events + (try countLate(counter, kind, by: change, until: end, occasion))
    }
    events.append(try count(counter, kind, by: change, occasion))
    return events
  }

  /// Says what the value should have been, now.
  mutating func correct(_ counter: Counter, to value: Quantity, _ occasion: Occasion) throws(CountingError) -> Event {
    let change = try Self.way(of: counter, to: try value.number(in: counter.unit))
    // What a stopwatch has run until now is part of what is corrected.
    return try count(counter, .corrected, by: change, occasion, alterations: moment(occasion, of: counter))
  }

  /// By how much a counter is to change to stand at `value`. The history holds the change as well, which must fit like any
  /// other number.
  static func way(of counter: Counter, to value: Int64) throws(CountingError) -> Int64 {
    let (change, overflow) = value.subtractingReportingOverflow(counter.value)
    guard !overflow else {
      throw .overflow(counter.name.text, value: counter.value, change: value > counter.value ? .max : .min)
    }
    return change
  }

  private mutating func count(
    _ counter: consuming Counter, _ kind: Event.Kind, by wanted: Int64, _ occasion: Occasion,
    alterations: [Alteration] = []
  ) throws(CountingError) -> Event {
    try checkUnlocked(counter)
    let change = try Self.limited(wanted, of: counter)
    let before = counter.value
    for alteration in alterations { counter[alteration.field] = alteration.after }
    let event = try move(&counter, by: change, occasion, alterations)
    if event.alterations.isEmpty { replaceValue(of: counter, before: before) } else { replace(counter) }
    disarm(counter)
    return record(
      kind, counter, occasion, change: change, marks: event.marks.union(change == wanted ? [] : .limited),
      boundary: event.boundary, alterations: event.alterations)
  }

  /// What becomes of a value, and what that means for its goal.
  func move(_ counter: inout Counter, by change: Int64, _ occasion: Occasion, _ alterations: [Alteration] = [])
    throws(CountingError) -> (marks: Event.Marks, boundary: Int64?, alterations: [Alteration])
  {
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: change) }
    return move(&counter, to: value, occasion, alterations)
  }

  /// The same where the new value is known.
  func move(_ counter: inout Counter, to value: Int64, _ occasion: Occasion, _ alterations: [Alteration] = [])
    -> (marks: Event.Marks, boundary: Int64?, alterations: [Alteration])
  {
    let before = counter.value
    counter.value = value
    let reached = counter.updateReached(at: occasion.time)
    return (
      reached?.after.integer == nil ? [] : .reached, counter.boundaryPassed(from: before),
      alterations + (reached.map { [$0] } ?? [])
    )
  }

  /// How much of a change the limits allow. What goes back towards them is always allowed.
  private static func limited(_ change: Int64, of counter: Counter) throws(CountingError) -> Int64 {
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    let limit: Int64
    if change > 0, let maximum = counter.maximum, overflow || value > maximum {
      limit = maximum
    } else if change < 0, let minimum = counter.minimum, overflow || value < minimum {
      limit = minimum
    } else {
      return change
    }
    guard counter.limits == .stop else { throw .limitReached(counter.name.text, limit: limit) }
    let isBeyond = change > 0 ? counter.value > limit : counter.value < limit
    // The limit lies between the value and where the change would lead, so the difference fits.
    return isBeyond ? 0 : limit &- counter.value
  }
}

extension Counter {
  /// Notes when the target was reached, or that it is not any more.
  ///
  /// - Returns: what that altered, if anything.
  mutating func updateReached(at time: Int64) -> Alteration? {
    guard isReached != (reachedAt != nil) else { return nil }
    let before = self[.reachedAt]
    reachedAt = isReached ? time : nil
    return Alteration(.reachedAt, from: before, to: self[.reachedAt])
  }
}
