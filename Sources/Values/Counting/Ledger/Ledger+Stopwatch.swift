/// Stopwatches. The time of a run is added to the value at each stop and lap. Meanwhile only the start is stored, so
/// that neither a crash nor a suspend loses time.
extension Ledger {
  mutating func clock(_ counter: Counter, _ verb: Change.StopwatchVerb, _ occasion: Context) throws(CountingError)
    -> Event
  {
    guard counter.isStopwatch else { throw .notStopwatch(counter.name.text) }
    try checkUnlocked(counter)
    var counter = counter
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

  /// Starts, stops or laps all stopwatches of a group, or of all counters for `nil`, as one batch. Its first event is
  /// that of the group or of all counters.
  mutating func clockAll(of group: Group?, _ verb: Change.StopwatchVerb, _ occasion: Context) throws(CountingError)
    -> [Event]
  {
    let stopwatches = (group.map { members(of: $0.id) } ?? all).filter {
      $0.isStopwatch && !$0.isLocked && !$0.isArchived
    }
    if stopwatches.isEmpty { throw .noStopwatch(group: group?.name.text, .any) }
    let running = stopwatches.filter { $0.since != nil }
    let verb = verb == .toggle ? running.isEmpty ? .start : .stop : verb
    let meant = verb == .start ? stopwatches.filter { $0.since == nil } : running
    if meant.isEmpty { throw .noStopwatch(group: group?.name.text, verb == .start ? .stopped : .running) }
    var occasion = occasion
    occasion.batch = occasion.batch ?? lastSequence &+ 1
    let kind: Event.Kind = verb == .start ? .started : verb == .stop ? .stopped : .lapped
    let subject: any EventSubject = if let group { group } else { AllCounters() }
    var events = [record(kind, subject, occasion)]
    for stopwatch in meant { events.append(try clock(stopwatch, verb, occasion)) }
    return events
  }

  /// Starts a stopped stopwatch.
  ///
  /// - Parameter time: the start of the run in microseconds since 1970; `nil` for the time of the event.
  mutating func go(_ counter: inout Counter, _ occasion: Context, since time: Int64? = nil) -> Event {
    let alterations = Self.beginning(at: time ?? occasion.time, in: boot, of: counter)
    counter.apply(alterations)
    return record(.started, counter, occasion, alterations: alterations)
  }

  /// Stops a running stopwatch; a value beyond 64 bits is clamped. Never fails, because a stopwatch that cannot be
  /// stopped could not start a new period either.
  mutating func halt(_ counter: inout Counter, _ occasion: Context) -> Event {
    let (before, value) = (counter.value, counter.elapsed(at: occasion.time, in: boot))
    let alterations = [Field.since, .boottime, .boot].map { Alteration($0, from: counter[$0], to: .none) }
    counter.apply(alterations)
    let result = move(&counter, to: value, occasion, alterations)
    return record(.stopped, counter, occasion, change: value &- before, alterations: result.alterations)
  }

  /// Stops a running stopwatch before another event in the same batch, so that the time of its run stays in the
  /// history; does nothing with any other counter.
  mutating func haltFirst(_ counter: inout Counter, _ occasion: inout Context) -> [Event] {
    guard counter.since != nil else { return [] }
    occasion.batch = occasion.batch ?? lastSequence &+ 1
    return [halt(&counter, occasion)]
  }

  private mutating func lap(_ counter: inout Counter, _ occasion: Context) -> Event {
    let (before, value) = (counter.value, counter.elapsed(at: occasion.time, in: boot))
    let alterations = Self.beginning(at: occasion.time, in: boot, of: counter)
    counter.apply(alterations)
    var result = move(&counter, to: value, occasion, alterations)
    let lapped = Alteration(.lapped, from: counter[.lapped], to: .integer(counter.value))
    counter.apply([lapped])
    result.alterations.append(lapped)
    return record(.lapped, counter, occasion, change: value &- before, alterations: result.alterations)
  }

  private static func beginning(at time: Int64, in boot: Boot?, of counter: Counter) -> [Alteration] {
    [
      Alteration(.since, from: counter[.since], to: .integer(time)),
      Alteration(.boottime, from: counter[.boottime], to: .init(boot.map { time &- $0.began })),
      Alteration(.boot, from: counter[.boot], to: .init(boot?.id)),
    ]
  }
}

extension Event {
  /// The duration of the lap that the event ended, in microseconds.
  public var lap: Int64? {
    guard kind == .lapped, let lapped = alterations.first(where: { $0.field == .lapped }) else { return nil }
    let (lap, overflow) = (lapped.after.integer ?? 0).subtractingReportingOverflow(lapped.before.integer ?? 0)
    return overflow ? nil : lap
  }
}
