public import Counting
public import Varlink

extension Counters {
  /// The reply to `History`: a page of events.
  public struct EventPage: Structure {
    public enum Member: MemberName, InterfaceMember { case events, more, next }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var events: [Event] { self[.events] ?? [] }
    public var hasMore: Bool { self[.more] ?? false }
    /// The event after or before which the next page begins; `nil` on the last page.
    public var next: Int64? { self[.next] }
  }

  /// Sums of the counts from one moment to the next one.
  public struct Total: Structure {
    public enum Member: MemberName, InterfaceMember { case start, counts, added, subtracted }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    /// In microseconds since 1970.
    public var start: Int64 { self[.start] ?? 0 }
    public var counts: Int64 { self[.counts] ?? 0 }
    public var added: Int64 { self[.added] ?? 0 }
    public var subtracted: Int64 { self[.subtracted] ?? 0 }
    /// Wraps around beyond 64 bits.
    public var net: Int64 { added.subtractingReportingOverflow(subtracted).partialValue }
  }

  /// The reply to `Totals`.
  public struct Totals: Structure {
    public enum Member: MemberName, InterfaceMember { case totals, decimals, stopwatches, counters }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var totals: [Total] { self[.totals] ?? [] }
    /// The sums of each counter, where they were asked for.
    public var counters: [CounterTotals] { self[.counters] ?? [] }
    /// The unit of ``totals``.
    public var unit: Unit { Unit(isTime: self[.stopwatches] ?? false, decimals: self[.decimals]) }
  }

  /// The sums of one counter.
  public struct CounterTotals: Structure {
    public enum Member: MemberName, InterfaceMember { case name, totals, decimals, stopwatches }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var name: String { self[.name] ?? "" }
    public var totals: [Total] { self[.totals] ?? [] }
    public var unit: Unit { Unit(isTime: self[.stopwatches] ?? false, decimals: self[.decimals]) }
  }

  /// The reply to `Statistics`.
  public struct Statistics: Structure {
    public enum Member: MemberName, InterfaceMember { case total, first, last, busiest, gap, decimals, stopwatches }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var total: Total { self[.total] ?? Total() }
    /// When something was counted first, in microseconds since 1970; `nil` for never.
    public var first: Int64? { self[.first] }
    public var last: Int64? { self[.last] }
    /// The hour with the most counts.
    public var busiest: Total? { self[.busiest] }
    /// The longest time between two counts.
    public var gap: Gap? { self[.gap] }
    public var unit: Unit { Unit(isTime: self[.stopwatches] ?? false, decimals: self[.decimals]) }
  }

  /// A time without a count, in microseconds since 1970.
  public struct Gap: Structure {
    public enum Member: MemberName, InterfaceMember { case start, end }

    public var object: JSONObject
    public init(_ object: JSONObject) { self.object = object }

    public var start: Int64 { self[.start] ?? 0 }
    public var end: Int64 { self[.end] ?? 0 }
  }
}
