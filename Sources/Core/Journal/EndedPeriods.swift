import Counting

/// The end of a counter's period. The end is in effect: it is not undone, or it was redone.
public struct PeriodEnd: Sendable {
  /// The event that ended the period. The period contains the events before it, and the late counts after which it was
  /// closed again.
  public let sequence: Int64
  /// The start of counting in that period, in microseconds since 1970.
  public let start: Int64?
  /// The end of the period, in microseconds since 1970.
  public let time: Int64
  /// Whether the event changed no value. Such an end may stand for several consecutive empty periods.
  public let isEmpty: Bool
}

/// The ends of counters' periods that were read from the journal, and the values there. Each recorded event updates
/// them. Without them, each late count would read the ends of all periods since, and all late counts of its period.
struct EndedPeriods {
  private struct Known {
    /// All ends from ``first`` on, in the order of their sequence numbers; after a setback of the clock, not of their
    /// times.
    var ends: [PeriodEnd] = []
    var first: Int64
    /// The values at the ends of periods, by the times of these ends.
    var values: [Int64: Int128] = [:]

    var count: Int { 1 + ends.count + values.count }
  }

  private var known: [Counter.ID: Known] = [:]
  private var count = 0

  /// The maximum number of ends, values and counters: 30 years of hourly ends, about 10 MB.
  private static let most = 1 << 18

  /// The value of a counter at the end of a period, in microseconds since 1970; `nil` if unknown.
  func value(of counter: Counter.ID, endingAt end: Int64) -> Int128? { known[counter]?.values[end] }

  mutating func remember(_ value: Int128, of counter: Counter.ID, endingAt end: Int64) {
    change(counter) { $0.values[end] = value }
  }

  /// The known ends, and the sequence number from which all are known.
  func ends(of counter: Counter.ID) -> (ends: [PeriodEnd], first: Int64) {
    known[counter].map { ($0.ends, $0.first) } ?? ([], .max)
  }

  /// - Parameter ends: the ends from `first` to those that are known, in order.
  mutating func remember(_ ends: [PeriodEnd], of counter: Counter.ID, from first: Int64) {
    change(counter) { known in
      if !ends.isEmpty { known.ends.insert(contentsOf: ends, at: 0) }
      known.first = first
    }
  }

  private mutating func change(_ counter: Counter.ID, _ body: (inout Known) -> Void) {
    if count >= Self.most {
      // The known ends of the counter itself are needed below.
      let own = known[counter]
      removeAll()
      known[counter] = own
      count = own?.count ?? 0
    }
    count -= known[counter]?.count ?? 0
    body(&known[counter, default: Known(first: .max)])
    count += known[counter]?.count ?? 0
  }

  /// Records the next event of the journal.
  mutating func note(_ event: Event) {
    guard count > 0, let former = known[event.counter] else { return }
    if event.closesEndedPeriod {
      known[event.counter]?.values[event.time]? -= Int128(event.change)
    } else if let undone = event.undoes, event[.began] != nil || former.ends.contains(where: { $0.sequence == undone })
    {
      // The event may undo or redo the end of a period.
      forget(event.counter)
    } else if event.undoes != nil || event.presence != .unchanged || event[.began] != nil || event[.start] != nil {
      // The event may undo a late count, end a period or change the start value.
      change(event.counter) { known in
        known.values.removeAll()
        if known.first < .max, let end = PeriodEnd(event) { known.ends.append(end) }
      }
    }
  }

  private mutating func forget(_ counter: Counter.ID) { count -= known.removeValue(forKey: counter)?.count ?? 0 }

  mutating func removeAll() {
    known.removeAll()
    count = 0
  }
}

extension PeriodEnd {
  /// `nil` for any other event.
  init?(_ event: Event) {
    guard event.kind == .renewed, let start = event.alterations.first(where: { $0.field == .began }) else { return nil }
    self.init(sequence: event.sequence, start: start.before.integer, time: event.time, isEmpty: event.change == 0)
  }
}
