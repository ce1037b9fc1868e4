/// Setting counters back to their start, which is asked for twice.
extension Ledger {
  mutating func reset(_ scope: Change.Scope, _ isConfirmed: Bool, _ occasion: Occasion) throws(CountingError)
    -> [Event]
  {
    switch scope {
    case .one(let target):
      let counter = try find(target)
      try checkUnlocked(counter)
      guard confirm(.counter(counter.id), isConfirmed, occasion) else {
        return [record(.armed, counter, occasion)]
      }
      var occasion = occasion
      // One that runs is stopped as well, and both are taken back as one.
      if counter.since != nil { occasion.batch = lastSequence &+ 1 }
      return try reset(counter, occasion)
    case .group(let name):
      let group = try findGroup(name)
      return try reset(members(of: group.id), group, .group(group.id), isConfirmed, occasion)
    case .all:
      return try reset(all, nil, .all, isConfirmed, occasion)
    }
  }

  private mutating func reset(
    _ members: [Counter], _ group: Group?, _ scope: ResetScope, _ isConfirmed: Bool, _ occasion: Occasion
  ) throws(CountingError) -> [Event] {
    guard confirm(scope, isConfirmed, occasion) else { return [record(.armed, group, occasion)] }
    var occasion = occasion
    occasion.batch = lastSequence &+ 1
    var events = [record(.reset, group, occasion)]
    for counter in members where !counter.isLocked && !counter.isArchived && !counter.isAtStart {
      events += try reset(counter, occasion)
    }
    return events
  }

  /// Whether a reset is done now; otherwise it is armed now.
  ///
  /// Judged by the times of the two requests, not by when they arrive: what was done while the core was away counts
  /// the same as it would have then.
  private mutating func confirm(_ scope: ResetScope, _ isConfirmed: Bool, _ occasion: Occasion) -> Bool {
    let isSecond = armed.map { $0.scope == scope && isSoon(occasion, after: $0) } ?? false
    note(.all)
    armed = isConfirmed || isSecond ? nil : Armed(scope: scope, time: occasion.time, boot: boot)
    return isConfirmed || isSecond
  }

  /// Whether so little time has passed that both are one intention. A machine that slept in between, or whose clock was
  /// set so that the two seem close, has begun something new.
  private func isSoon(_ occasion: Occasion, after armed: Armed) -> Bool {
    let window = 0...max(0, resetWindow)
    let (waited, overflow) = occasion.time.subtractingReportingOverflow(armed.time)
    guard !overflow, window ~= waited else { return false }
    guard let boot, let former = armed.boot, boot.id == former.id else { return true }
    let (asleep, isLong) = boot.asleep.subtractingReportingOverflow(former.asleep)
    guard !isLong, asleep < Self.shortestSleep else { return false }
    let (set, isFar) = boot.began.subtractingReportingOverflow(former.began)
    let (passed, isFarther) = waited.subtractingReportingOverflow(set)
    // A correction by the network is no more than that.
    return !isFar && !isFarther && -Self.shortestSleep...window.upperBound ~= passed
  }

  /// In microseconds: less is what it takes to read several clocks, and what the network corrects.
  private static let shortestSleep: Int64 = 50_000

  /// Whoever goes on counting does not mean to reset.
  mutating func disarm(_ counter: Counter) {
    guard let armed else { return }
    switch armed.scope {
    case .counter(counter.id), .all: self.armed = nil
    case .group(let id) where id == counter.group: self.armed = nil
    case .counter, .group: break
    }
  }

  private mutating func reset(_ counter: Counter, _ occasion: Occasion) throws(CountingError) -> [Event] {
    var counter = counter
    var events: [Event] = []
    // What it ran stays in the history.
    if counter.since != nil { events.append(halt(&counter, occasion)) }
    let change = try Self.way(of: counter, to: counter.start)
    var alterations = [Alteration(.began, from: counter[.began], to: .integer(occasion.time))]
    counter.began = occasion.time
    if counter.lapped != 0 {
      alterations.append(Alteration(.lapped, from: counter[.lapped], to: .integer(0)))
      counter.lapped = 0
    }
    let result = try move(&counter, by: change, occasion, alterations)
    replace(counter)
    events.append(record(.reset, counter, occasion, change: change, alterations: result.alterations))
    return events
  }
}

extension Counter {
  /// Whether a reset would change nothing.
  fileprivate var isAtStart: Bool { value == start && since == nil && lapped == 0 }
}
