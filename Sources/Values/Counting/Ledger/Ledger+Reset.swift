/// Resets, which need two requests.
extension Ledger {
  mutating func reset(_ scope: Change.Scope, _ isConfirmed: Bool, _ occasion: Context) throws(CountingError)
    -> [Event]
  {
    switch scope {
    case .one(let target):
      let counter = try find(target)
      try checkUnlocked(counter)
      guard confirm(.counter(counter.id), isConfirmed, occasion) else {
        return [record(.armed, counter, occasion)]
      }
      return try reset(counter, occasion)
    case .group(let name):
      let group = try findGroup(name)
      return try reset(members(of: group.id), group, .group(group.id), isConfirmed, occasion)
    case .all:
      return try reset(all, AllCounters(), .all, isConfirmed, occasion)
    }
  }

  private mutating func reset(
    _ members: [Counter], _ subject: some EventSubject, _ scope: ResetScope, _ isConfirmed: Bool, _ occasion: Context
  ) throws(CountingError) -> [Event] {
    let meant = members.filter { !$0.isLocked && !$0.isArchived }
    guard !meant.isEmpty else { throw .noneToReset(group: (subject as? Group)?.name.text) }
    guard confirm(scope, isConfirmed, occasion) else { return [record(.armed, subject, occasion)] }
    var occasion = occasion
    occasion.batch = occasion.batch ?? lastSequence &+ 1
    var events = [record(.reset, subject, occasion)]
    for counter in meant where !counter.isAtStart {
      events += try reset(counter, occasion)
    }
    return events
  }

  /// Whether to reset now; otherwise this records the first request.
  ///
  /// Uses the times of the requests, not of their arrival, so that gestures have the same effect if the core was not
  /// running when they were made.
  private mutating func confirm(_ scope: ResetScope, _ isConfirmed: Bool, _ occasion: Context) -> Bool {
    func isOwn(_ pending: PendingReset) -> Bool { pending.scope == scope && pending.person == person }
    let isSecond = pendingResets.contains { isOwn($0) && isSoon(occasion, after: $0) }
    logUndo(.nothing)
    pendingResets.removeAll(where: isOwn)
    if isConfirmed || isSecond { return true }
    // A short list is enough: only people reset in two steps, not programs.
    if pendingResets.count >= Self.mostPendingResets { pendingResets.removeFirst() }
    pendingResets.append(
      PendingReset(
        scope: scope, person: person, time: occasion.time, window: resetWindow, boot: boot))
    return false
  }

  private static let mostPendingResets = 16

  /// Whether the second request is close enough to the first. A suspend, or a step of the clock that makes the two seem
  /// close, cancels the first request.
  private func isSoon(_ occasion: Context, after pendingReset: PendingReset) -> Bool {
    let window = 0...max(0, min(resetWindow, pendingReset.window))
    let (waited, overflow) = occasion.time.subtractingReportingOverflow(pendingReset.time)
    guard !overflow, window ~= waited else { return false }
    guard let boot, let former = pendingReset.boot, boot.id == former.id else { return true }
    let (asleep, isLong) = boot.asleep.subtractingReportingOverflow(former.asleep)
    guard !isLong, asleep < Self.shortestSleep else { return false }
    let (set, isFar) = boot.began.subtractingReportingOverflow(former.began)
    let (passed, isFarther) = waited.subtractingReportingOverflow(set)
    // Corrections by the network are ignored.
    return !isFar && !isFarther && -Self.shortestSleep...window.upperBound ~= passed
  }

  /// The shortest suspend or step of a clock that is noticed, in microseconds. Reading several clocks and network
  /// corrections cause smaller differences.
  private static let shortestSleep: Int64 = 50_000

  /// Cancels the first request for a reset when one of its counters changes.
  mutating func disarm(after event: Event) {
    guard !pendingResets.isEmpty, event.subject == .counter, event.about == nil else { return }
    switch event.kind {
    // Events of these kinds do not cancel a reset, because other people and stations cause them all the time.
    case .armed, .selected, .locked, .unlocked, .created, .removed, .learned: return
    default: break
    }
    let group = counters[event.counter]?.group
    pendingResets.removeAll { pending in
      switch pending.scope {
      case .counter(let id): id == event.counter
      case .group(let id): id == group
      case .all: true
      }
    }
  }

  private mutating func reset(_ counter: Counter, _ occasion: Context) throws(CountingError) -> [Event] {
    var (counter, occasion) = (counter, occasion)
    var events = haltFirst(&counter, &occasion)
    let change = try Self.delta(of: counter, to: counter.start)
    let began = counter.began
    var alterations = [Alteration(.began, from: counter[.began], to: .integer(occasion.time))]
    counter.began = occasion.time
    if counter.lapped != 0 {
      alterations.append(Alteration(.lapped, from: counter[.lapped], to: .integer(0)))
      counter.lapped = 0
    }
    let result = try move(&counter, by: change, occasion, alterations)
    events.append(
      recordWithSetback(.reset, counter, since: began, occasion, change: change, result.alterations))
    return events
  }
}

extension Counter {
  /// Whether a reset would change nothing.
  var isAtStart: Bool { value == start && since == nil && lapped == 0 }
}
