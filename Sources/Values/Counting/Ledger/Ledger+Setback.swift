/// Clocks that are behind. A clock is back if a period would start in its future. It was lost if it was found back when
/// the core started, as that of a board without a hardware clock; otherwise it may have been ahead before, and be right
/// now. A lost clock ends no period that may still go on by a right one.
extension Ledger {
  /// A period whose start was in the future of a clock.
  struct Setback: Sendable {
    /// The starts of the period, each before the clock was found back, in order.
    let starts: [Int64]
    /// The time of the clock when it was found back.
    let since: Int64
    /// The latest start of the period by this clock.
    var time: Int64
    /// See ``Event/Marks/clockLost``.
    let isLost: Bool
    /// The ends of the period by this clock, by their sequence numbers. One before a reset is not undone.
    var ends: [Int64] = []
    /// The boot; `nil` if the setback was read from the journal: the clocks of another boot cannot be compared.
    var boot: Boot?

    /// Whether a clock that shows a time may be back still.
    func mayBeBack(at time: Int64) -> Bool { starts.contains { time < $0 } }

    /// The start of the period for a clock that is right; `nil` if each start is in its future.
    func start(until time: Int64) -> Int64? { starts.lazy.filter { $0 <= time }.max() }
  }

  /// The time that a clock may run on before the period of before is given up, in microseconds: one day. A machine that
  /// nothing sets right has its days by its own clock.
  private static let longestSetback: Int64 = 86_400_000_000

  /// Continues a period whose start is in the future, because the wall clock is back, and sets its end by the present
  /// clock. Otherwise all counts until that start would seem to belong to an ended period.
  mutating func setBack(_ counter: Counter, _ occasion: Context) -> Event {
    let before = counter
    var counter = counter
    counter.began = occasion.time
    counter.renewsAt = renewal(of: counter, after: occasion.time)
    let alterations = counter.alterations(of: [.began, .renewsAt], since: before)
    var marks = Event.Marks.notUndoable
    if let start = before.began {
      let earlier = setback(of: before)
      let isLost = isClockLost(at: occasion.time) && earlier?.isLost ?? true
      if isLost { marks.insert(.clockLost) }
      setbacks[counter.id] = Setback(
        starts: (earlier?.starts ?? []) + [start], since: occasion.time, time: occasion.time, isLost: isLost,
        ends: earlier?.ends ?? [], boot: boot)
    }
    return record(.changed, counter, occasion, marks: marks, alterations: alterations)
  }

  /// The setback before the present period of a counter; `nil` if the clock was not back. After the undo of a reset, or
  /// of an end, the period has an earlier start by that clock.
  private func setback(of counter: Counter) -> Setback? {
    guard let setback = setbacks[counter.id], let began = counter.began, setback.since <= began, began <= setback.time
    else { return nil }
    return setback
  }

  /// The start of counting before which a time may be of an ended period. If the clock was back and is right again,
  /// ``Counter/began`` is a time of the clock that was back. A fleet has its own periods.
  func beginning(of counter: Counter) -> Int64? {
    guard let setback = setback(of: counter), let end = counter.renewsAt, let start = setback.start(until: end &- 1),
      !isShared(counter.id)
    else { return counter.began }
    return start
  }

  /// Notes the time that the clock shows when the core starts. The clock was lost if counting starts in its
  /// future.
  public mutating func noteClockAtStart(_ time: Int64) {
    let starts = counters.entries.values.map { setback(of: $0)?.starts.max() ?? $0.began ?? .min }
    lostUntil = starts.max().flatMap { Self.isBack(time, before: $0) ? $0 : nil }
  }

  /// Whether a clock that shows a time has been lost and not been set since.
  func isClockLost(at time: Int64) -> Bool { !isClockSynchronized && lostUntil.map { time < $0 } ?? false }

  /// Begins the first period of a counter. That of a lost clock begins when this clock was lost, as if it had been found
  /// back after that.
  func beginPeriod(of counter: inout Counter, at time: Int64) {
    guard isClockLost(at: time), let lostUntil else { return }
    counter.began = max(lostUntil, counter.began ?? lostUntil)
  }

  /// Records an end of a period or a reset. While the clock is back, this does not make it right.
  mutating func recordWithSetback(
    _ kind: Event.Kind, _ counter: Counter, since began: Int64?, _ occasion: Context, change: Int64,
    _ alterations: [Alteration]
  ) -> Event {
    var setback = setbacks[counter.id].flatMap { setback -> Setback? in
      let (passed, overflow) = occasion.time.subtractingReportingOverflow(setback.since)
      let isBack =
        began.map { setback.since <= $0 && $0 <= setback.time } ?? false && setback.mayBeBack(at: occasion.time)
      // A period that a lost clock has ended has really ended.
      return isBack && !overflow && passed < Self.longestSetback && !(setback.isLost && kind == .renewed)
        ? setback : nil
    }
    let event = record(
      kind, counter, occasion, change: change, marks: setback?.isLost == true ? .clockLost : [],
      alterations: alterations)
    setback?.time = occasion.time
    if kind == .renewed, change != 0 { setback?.ends.append(event.sequence) }
    setbacks[counter.id] = setback
    return event
  }

  /// The ends of the period of a counter that are false if the period goes on now, by their sequence numbers: a clock
  /// that was back has caused them.
  public func falseEnds(of id: Counter.ID, at time: Int64) -> [Int64] {
    counters[id].flatMap { continuation(of: $0, at: time) }?.falseEnds ?? []
  }

  /// An event that altered the start of a counter's period.
  public struct StartAlteration {
    public let kind: Event.Kind?
    public let marks: Event.Marks
    /// The start before the event and after it, in microseconds since 1970.
    public let before: Int64
    public let after: Int64

    public init(
      kind: Event.Kind?, marks: Event.Marks, before: Int64, after: Int64
    ) {
      (self.kind, self.marks, self.before, self.after) = (kind, marks, before, after)
    }

    /// Whether the event is the one of a clock that was found back.
    fileprivate var isSetback: Bool { kind == .changed && after < before }

    /// Whether an earlier such event may tell that the clock is back.
    public var goesOn: Bool { isSetback || marks.contains(.clockLost) || kind == .undone || kind == .redone }
  }

  /// Restores what the journal tells of a clock that is back.
  ///
  /// - Parameter starts: the events that altered the start of the counter's period, the latest first, up to the first
  ///   one that does not go on.
  public mutating func recallStarts(of counter: Counter.ID, _ starts: [StartAlteration]) {
    guard let known = counters[counter], let present = known.began, setback(of: known) == nil else { return }
    setbacks[counter] = nil
    var (start, latest) = (present, present)
    for event in starts {
      guard event.after == start, event.goesOn else { return }
      start = event.before
      latest = max(latest, event.after)
      if event.isSetback {
        let later = setbacks[counter]
        setbacks[counter] = Setback(
          starts: [start] + (later?.starts ?? []), since: later?.since ?? event.after, time: later?.time ?? latest,
          isLost: event.marks.contains(.clockLost) && later?.isLost ?? true)
      }
    }
  }

  /// Has the setbacks that were read from the journal judged by the steps of the clock of this boot from now on, if the
  /// clock may be back still.
  public mutating func adoptSetbacks(at time: Int64) {
    for (id, setback) in setbacks where setback.boot == nil && setback.mayBeBack(at: time) { setbacks[id]?.boot = boot }
  }

  /// The counters whose last period ended after a time that is still to come, and that end, the latest first. A clock
  /// that was ahead has ended the period. Without locked counters, and without those of a fleet, which has its own periods.
  public func earlyEnds(after time: Int64) -> [(id: Counter.ID, end: Int64)] {
    counters.entries.values.lazy.filter { $0.period != nil && !$0.isLocked }.compactMap { counter in
      guard let end = setback(of: counter)?.starts.max() ?? counter.began, end > time, !isShared(counter.id)
      else { return nil }
      return (counter.id, end)
    }
    .sorted { ($0.end, $0.id.number) > ($1.end, $1.id.number) }
  }

  /// The end of a period that seems to have ended by a time but goes on, because a clock that was back is right again, or
  /// has reached the period that was current before, or was lost and is back still; and the ends before that are false
  /// then. `nil` if the period has really ended.
  private func continuation(of counter: Counter, at time: Int64) -> (end: Int64, falseEnds: [Int64])? {
    guard let end = counter.renewsAt, end <= time, let setback = setback(of: counter) else { return nil }
    if setback.isLost, setback.mayBeBack(at: time), !isClockSynchronized, mayGoOn(counter, setback, at: time),
      let next = renewal(of: counter, after: time)
    {
      return (next, [])
    }
    guard let start = setback.start(until: time), let next = renewal(of: counter, after: start) else { return nil }
    if setback.isLost {
      // The clock ran on, and is right.
      if isClockSynchronized, let step = step(since: setback), step <= Self.smallestSetback { return nil }
      return next == end ? nil : (next, [])
    }
    guard time < next else { return nil }
    if let step = step(since: setback) { return step > Self.smallestSetback ? (next, setback.ends) : nil }
    // The clock may have been ahead before: then it is right since it was set back, and soon reaches the next period. It
    // is unlikely that it reaches a later one.
    return renewal(of: counter, after: end).map { $0 <= start } ?? false ? (next, setback.ends) : nil
  }

  /// The step of the clock since a setback in this boot, in microseconds; `nil` after a setback in another boot.
  private func step(since setback: Setback) -> Int64? {
    guard let boot, let former = setback.boot, boot.id == former.id else { return nil }
    let (step, overflow) = boot.began.subtractingReportingOverflow(former.began)
    return overflow ? nil : step
  }

  /// Whether a period may still go on by a right clock, while a lost one runs on: for as long as the period lasts, but
  /// for less than ``longestSetback``.
  private func mayGoOn(_ counter: Counter, _ setback: Setback, at time: Int64) -> Bool {
    let (passed, overflow) = time.subtractingReportingOverflow(setback.since)
    guard !overflow, 0..<Self.longestSetback ~= passed else { return false }
    return setback.starts.contains { start in
      guard let end = renewal(of: counter, after: start) else { return true }
      let (length, overflow) = end.subtractingReportingOverflow(start)
      return overflow || passed < length
    }
  }

  /// Continues a period; `nil` if it has really ended.
  mutating func resume(_ counter: Counter, _ occasion: Context) -> Event? {
    guard let (end, _) = continuation(of: counter, at: occasion.time) else { return nil }
    // The start stays as it is, so that counts made since belong to the period.
    var counter = counter
    let before = counter[.renewsAt]
    counter.renewsAt = end
    setbacks[counter.id]?.ends = []
    return record(
      .changed, counter, occasion, marks: .notUndoable,
      alterations: [Alteration(.renewsAt, from: before, to: counter[.renewsAt])])
  }
}
