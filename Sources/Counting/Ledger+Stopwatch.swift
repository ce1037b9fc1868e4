/// Stopwatches. What one has run is counted when it is stopped and at each lap; in between, the moment it was started is
/// all that is kept, so that neither a crash nor a sleeping machine loses a second.
extension Ledger {
  mutating func clock(_ counter: Counter, _ verb: Change.StopwatchVerb, _ occasion: Occasion) throws(CountingError)
    -> Event
  {
    guard counter.isStopwatch else { throw .notStopwatch(counter.name.text) }
    try checkUnlocked(counter)
    var counter = counter
    defer { disarm(counter) }
    let isRunning = counter.since != nil
    switch verb {
    case .start where isRunning: throw .alreadyRunning(counter.name.text)
    case .stop where !isRunning, .lap where !isRunning: throw .notRunning(counter.name.text)
    case .start: return go(&counter, occasion)
    case .toggle where !isRunning: return go(&counter, occasion)
    case .stop, .toggle: return halt(&counter, occasion)
    case .lap: return lap(&counter, occasion)
    }
  }

  mutating func go(_ counter: inout Counter, _ occasion: Occasion) -> Event {
    let alterations = Self.beginning(at: occasion.time, in: boot, of: counter)
    counter.apply(alterations)
    replace(counter)
    return record(.started, counter, occasion, alterations: alterations)
  }

  /// Stops one that runs, at what it shows: at the end of 64 bits where it has run beyond. Nothing refuses that; one that
  /// could not be stopped could not begin anew with its period either.
  mutating func halt(_ counter: inout Counter, _ occasion: Occasion) -> Event {
    let (before, value) = (counter.value, counter.elapsed(at: occasion.time, in: boot))
    let alterations = [Field.since, .boottime, .boot].map { Alteration($0, from: counter[$0], to: .none) }
    counter.apply(alterations)
    let result = move(&counter, to: value, occasion, alterations)
    replace(counter)
    return record(.stopped, counter, occasion, change: value &- before, alterations: result.alterations)
  }

  private mutating func lap(_ counter: inout Counter, _ occasion: Occasion) -> Event {
    let (before, value) = (counter.value, counter.elapsed(at: occasion.time, in: boot))
    let alterations = Self.beginning(at: occasion.time, in: boot, of: counter)
    counter.apply(alterations)
    var result = move(&counter, to: value, occasion, alterations)
    let lapped = Alteration(.lapped, from: counter[.lapped], to: .integer(counter.value))
    counter.apply([lapped])
    result.alterations.append(lapped)
    replace(counter)
    return record(.lapped, counter, occasion, change: value &- before, alterations: result.alterations)
  }

  /// What makes one that runs go on from now; nothing for any other counter.
  func moment(_ occasion: Occasion, of counter: Counter) -> [Alteration] {
    counter.since == nil ? [] : Self.beginning(at: occasion.time, in: boot, of: counter)
  }

  private static func beginning(at time: Int64, in boot: Boot?, of counter: Counter) -> [Alteration] {
    [
      Alteration(.since, from: counter[.since], to: .integer(time)),
      Alteration(.boottime, from: counter[.boottime], to: .init(boot.map { time &- $0.began })),
      Alteration(.boot, from: counter[.boot], to: .init(boot?.id)),
    ]
  }
}

extension Counter {
  mutating func apply(_ alterations: [Alteration]) {
    for alteration in alterations { self[alteration.field] = alteration.after }
  }
}

extension Event {
  /// How long the lap was that it ended, in microseconds.
  public var lap: Int64? {
    guard kind == .lapped, let lapped = alterations.first(where: { $0.field == .lapped }) else { return nil }
    let (lap, overflow) = (lapped.after.integer ?? 0).subtractingReportingOverflow(lapped.before.integer ?? 0)
    return overflow ? nil : lap
  }
}
