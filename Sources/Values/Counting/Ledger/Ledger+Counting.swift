/// Changes of values.
extension Ledger {
  mutating func count(
    _ target: Change.Target, _ kind: Event.Kind, _ quantity: Quantity?, sign: Int64, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    guard target == .current, currentCounter == nil, all.allSatisfy(\.isArchived) else {
      return try count(try find(target), kind, quantity, sign: sign, occasion)
    }
    // An undo reverts only the count.
    var making = try create(freeName.text, 0, false, [:], Context(time: occasion.time, cause: occasion.cause))
    making.marks.insert(.madeToCount)
    var occasion = occasion
    if occasion.batch == making.sequence { occasion.batch = lastSequence &+ 1 }
    return [making] + (try count(try find(target), kind, quantity, sign: sign, occasion))
  }

  private mutating func count(
    _ counter: consuming Counter, _ kind: Event.Kind, _ quantity: Quantity?, sign: Int64, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    let amount = try quantity?.number(in: counter.unit)
    if let amount, amount < 1 { throw .badAmount(amount) }
    let step = sign < 0 ? counter[.stepDown].integer ?? counter.step : counter.step
    // The step may have any value if the journal was edited by hand.
    let (change, overflow) = sign.multipliedReportingOverflow(by: amount ?? step)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: .max, unit: counter.unit) }
    return try merge(counter, kind, by: change, occasion)
  }

  /// The name of the counter that the first gesture creates: `count`, or `count-2` if that name is taken.
  private var freeName: CounterName {
    var (name, number) = (CounterName.first, 2)
    while formulaRegistry.id(of: name) != nil || counters[name] != nil {
      name = CounterName(trusted: "\(CounterName.first)-\(number)")
      number += 1
    }
    return name
  }

  mutating func correct(_ counter: Counter, to value: Quantity, _ occasion: Context) throws(CountingError) -> [Event] {
    let value = try value.number(in: counter.unit)
    try checkUnlocked(counter)
    var (counter, occasion) = (counter, occasion)
    var events = haltFirst(&counter, &occasion)
    if !events.isEmpty { events.append(go(&counter, occasion)) }
    events.append(try count(counter, .corrected, by: try Self.delta(of: counter, to: value), occasion))
    return events
  }

  /// Changes the value by the amount of an event from elsewhere, under the rules for local counts.
  mutating func merge(
    _ counter: consuming Counter, _ kind: Event.Kind, by change: Int64, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    if case .endedPeriod(let end, let value)? = occasion.past {
      return try countLate(counter, kind, by: change, from: value, until: end, occasion)
    }
    return [try count(counter, kind, by: change, occasion)]
  }

  /// The change that brings a counter to `value`, if an undo can revert it: the smallest number has no opposite.
  static func delta(of counter: Counter, to value: Int64) throws(CountingError) -> Int64 {
    let (change, overflow) = value.subtractingReportingOverflow(counter.value)
    guard !overflow, change != .min else {
      throw .overflow(
        counter.name.text, value: counter.value, change: value > counter.value ? .max : .min, unit: counter.unit)
    }
    return change
  }

  private mutating func count(
    _ counter: consuming Counter, _ kind: Event.Kind, by wanted: Int64, _ occasion: Context,
    alterations: [Alteration] = []
  ) throws(CountingError) -> Event {
    try checkUnlocked(counter)
    let change = try Self.limited(wanted, of: counter)
    counter.apply(alterations)
    let event = try move(&counter, by: change, occasion, alterations)
    return record(
      kind, counter, occasion, change: change, marks: event.marks.union(change == wanted ? [] : .limited),
      boundary: event.boundary, alterations: event.alterations)
  }

  /// The value after a change, and the effect on the goal.
  func move(_ counter: inout Counter, by change: Int64, _ occasion: Context, _ alterations: [Alteration] = [])
    throws(CountingError) -> (marks: Event.Marks, boundary: Int64?, alterations: [Alteration])
  {
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: change, unit: counter.unit) }
    return move(&counter, to: value, occasion, alterations)
  }

  /// Moves a counter to a known new value, and updates the goal.
  func move(_ counter: inout Counter, to value: Int64, _ occasion: Context, _ alterations: [Alteration] = [])
    -> (marks: Event.Marks, boundary: Int64?, alterations: [Alteration])
  {
    let before = counter.value
    counter.value = value
    let boundary = counter.boundaryPassed(from: before)
    guard let reached = counter.updateReached(at: occasion.time) else { return ([], boundary, alterations) }
    return (reached.after.integer == nil ? [] : .reached, boundary, alterations + [reached])
  }

  /// The part of a change that the limits allow. Changes towards the limits from outside are always allowed.
  static func limited(_ change: Int64, of counter: Counter) throws(CountingError) -> Int64 {
    guard let limit = limit(crossedBy: change, of: counter) else { return change }
    guard counter.limits == .stop else { throw .limitReached(counter.name.text, limit: limit, unit: counter.unit) }
    let isBeyond = change > 0 ? counter.value > limit : counter.value < limit
    // The limit lies between the value and the result, so the difference fits.
    return isBeyond ? 0 : limit &- counter.value
  }

  /// The limit that the value would be beyond after the change; `nil` for none, or if the change leads back.
  static func limit(crossedBy change: Int64, of counter: Counter) -> Int64? {
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if change > 0, let maximum = counter.maximum, overflow || value > maximum { return maximum }
    if change < 0, let minimum = counter.minimum ?? (counter.isStopwatch ? 0 : nil), overflow || value < minimum {
      return minimum
    }
    return nil
  }
}

extension Counter {
  /// Whether any change of the value can cross a limit; the time of a stopwatch is never negative.
  public var isLimited: Bool { minimum != nil || maximum != nil || isStopwatch }

  /// Updates the time at which the target was reached.
  ///
  /// - Returns: the field change, if any.
  mutating func updateReached(at time: Int64) -> Alteration? {
    guard isReached != (reachedAt != nil) else { return nil }
    let before = self[.reachedAt]
    reachedAt = isReached ? time : nil
    return Alteration(.reachedAt, from: before, to: self[.reachedAt])
  }
}
