public import Counting
import Varlink

/// The interface `org.tallymark.Counters` in Swift. `make types` writes the methods, types, replies, requests and
/// errors from the interface's description; the rest of this module is written by hand.
public enum Counters {}

/// A reply to a change, which states a cause.
public protocol ChangeReply: Structure {}

extension Counters.Change {
  /// The verbs; the raw value is the one on the wire.
  public enum Verb: String, CaseIterable, Sendable {
    case add, subtract, select, next, previous, reset, undo, redo, start, stop, toggle, lap

    /// The members of a change with this verb, besides those that every change can have.
    public var members: [Counters.Change.Member] {
      switch self {
      case .add, .subtract: [.counter, .amount, .quantity]
      case .select, .redo: [.counter]
      case .next, .previous: [.groups]
      case .reset, .start, .stop, .toggle, .lap: [.counter, .group, .all]
      case .undo: [.counter, .made]
      }
    }
  }

  /// The members that every change can have.
  public static let commonMembers: [Member] = [.verb, .time, .device, .gesture, .together]
}

extension Counters.Counter {
  public var isStopwatch: Bool { kind == Counting.Counter.Kind.stopwatch.rawValue }
  public var unit: Unit { Unit(isTime: isStopwatch, decimals: decimals) }
}

extension Counters.Event {
  /// The kind; `nil` for a kind that only a newer core has.
  public var knownKind: Counting.Event.Kind? { .init(rawValue: kind) }
  public var unit: Unit { Unit(isTime: isStopwatch, decimals: decimals) }
}

extension Counters.WatchReply {
  /// All counters; `nil` in a reply about an event or about formulas.
  public var state: [Counters.Counter]? { self[.counters] }
}

extension Counters.FleetStation {
  /// Whether the station is online; `nil` if the bridge has not reported, or is not connected.
  public var online: Bool? { self[.online] }
}

extension Counters.SharedCounter {
  public var unit: Unit { Unit(isTime: false, decimals: decimals) }
}

extension Counters.Publication {
  public init(_ topic: String, isRetained: Bool = false, _ payload: String) {
    self.init()
    self[.topic] = topic
    self[.retained] = isRetained ? true : nil
    self[.payload] = payload
  }
}

// MARK: Sums

extension Counters.Total {
  /// The difference; the nearest number of 64 bits.
  public var net: Int64 { difference ?? Int64(clamping: Int128(added) - Int128(subtracted)) }
}

extension Counters.OverviewReply {
  public var unit: Unit { Unit(isTime: isStopwatches, decimals: decimals) }
}

extension Counters.TotalsReply {
  public var unit: Unit { Unit(isTime: isStopwatches, decimals: decimals) }
}

extension Counters.CounterTotals {
  public var unit: Unit { Unit(isTime: isStopwatches, decimals: decimals) }
}

extension Unit {
  /// The unit of a reply's numbers, from its optional members about stopwatches and decimals.
  init(isTime: Bool, decimals: Int64?) { self = isTime ? .time : .decimal(decimals ?? 0) }
}
