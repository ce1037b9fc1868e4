/// Clocks that are behind. A clock is back if a period would start in its future. It was lost if it was found back when
/// the core started, as that of a board without a hardware clock; otherwise it may have been ahead before, and be right
/// now.
extension Ledger {
  /// A period whose start was in the future of a clock.
  struct Setback: Sendable {
    /// The start of the period before the clock was back.
    let start: Int64
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
      let isLost = isStarting && earlier?.isLost ?? true
      if isLost { marks.insert(.clockLost) }
      setbacks[counter.id] = Setback(
        start: earlier?.start ?? start, since: occasion.time, time: occasion.time, isLost: isLost,
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
    guard let setback = setback(of: counter), let end = counter.renewsAt, end > setback.start, !isShared(counter.id)
    else { return counter.began }
    return setback.start
  }

  /// Records an end of a period or a reset. While the clock is back, this does not make it right.
  mutating func recordWithSetback(
    _ kind: Event.Kind, _ counter: Counter, since began: Int64?, _ occasion: Context, change: Int64,
    _ alterations: [Alteration]
  ) -> Event {
    var setback = setbacks[counter.id].flatMap { setback -> Setback? in
      let (passed, overflow) = occasion.time.subtractingReportingOverflow(setback.since)
      let isBack = began.map { setback.since <= $0 && $0 <= setback.time } ?? false && occasion.time < setback.start
      return isBack && !overflow && passed < Self.longestSetback ? setback : nil
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
    public let event: Int64
    public let kind: Event.Kind?
    public let change: Int64
    public let marks: Event.Marks
    /// The start before the event and after it, in microseconds since 1970.
    public let before: Int64
    public let after: Int64

    public init(
      event: Int64, kind: Event.Kind?, change: Int64, marks: Event.Marks, before: Int64, after: Int64
    ) {
      (self.event, self.kind, self.change, self.marks) = (event, kind, change, marks)
      (self.before, self.after) = (before, after)
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
    guard let present = counters[counter]?.began else { return }
    var (start, latest, ends) = (present, present, [Int64]())
    for event in starts {
      guard event.after == start, event.goesOn else { return }
      start = event.before
      latest = max(latest, event.after)
      if event.isSetback {
        let later = setbacks[counter]
        setbacks[counter] = Setback(
          start: start, since: later?.since ?? event.after, time: later?.time ?? latest,
          isLost: event.marks.contains(.clockLost) && later?.isLost ?? true, ends: ends.reversed())
      } else if event.kind == .renewed, event.change != 0 {
        ends.append(event.event)
      }
    }
  }

  /// Has the setbacks that were read from the journal judged by the steps of the clock of this boot from now on.
  public mutating func adoptSetbacks() {
    for (id, setback) in setbacks where setback.boot == nil { setbacks[id]?.boot = boot }
  }

  /// The counters whose last period ended after a time that is still to come, and that end, the latest first. A clock
  /// that was ahead has ended the period. Without locked counters, and without those of a fleet, which has its own periods.
  public func earlyEnds(after time: Int64) -> [(id: Counter.ID, end: Int64)] {
    counters.entries.values.lazy.filter { $0.period != nil && !$0.isLocked }.compactMap { counter in
      guard let end = setback(of: counter)?.start ?? counter.began, end > time, !isShared(counter.id)
      else { return nil }
      return (counter.id, end)
    }
    .sorted { ($0.end, $0.id.number) > ($1.end, $1.id.number) }
  }

  /// The end of a period that seems to have ended by a time but goes on, because a clock that was back is right again, or
  /// has reached the period that was current before; and the ends before that are false then. `nil` if the period has
  /// really ended.
  private func continuation(of counter: Counter, at time: Int64) -> (end: Int64, falseEnds: [Int64])? {
    guard let end = counter.renewsAt, end <= time, let setback = setback(of: counter),
      let next = renewal(of: counter, after: setback.start), time < next,
      setback.start <= time || setback.isLost && renewal(of: counter, after: time) == next
    else { return nil }
    if let boot, let former = setback.boot, boot.id == former.id {
      let (step, overflow) = boot.began.subtractingReportingOverflow(former.began)
      if !overflow, step > Self.smallestSetback { return (next, setback.ends) }
      // The clock ran on without being set.
      return setback.isLost ? (next, []) : nil
    }
    // A clock that was lost is right again. Another one may have been ahead before: then it is right since it was set
    // back, and soon reaches the next period. It is unlikely that it reaches a later one.
    guard setback.isLost || renewal(of: counter, after: end).map({ $0 <= setback.start }) ?? false else { return nil }
    return (next, setback.ends)
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
