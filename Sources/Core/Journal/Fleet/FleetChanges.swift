public import Fleet

/// The rows of a station that the next commit saves.
public struct FleetChanges: Sendable {
  /// Rows of a counter in a period.
  struct Rows {
    var registers: Set<WriterID> = []
    /// Own resets, with all their rows.
    var resets: Set<Entry> = []
    /// Resets of other stations, which come in parts, with the writers of the rows that have changed.
    var parts: [Entry: Set<WriterID>] = [:]
    var undone: Set<Entry> = []

    fileprivate mutating func note(from before: Replica, to after: Replica) {
      for (writer, register) in after.registers where before.registers[writer] != register { registers.insert(writer) }
      for (entry, reset) in after.resets where before.resets[entry] != reset {
        let former = before.resets[entry]?.seen ?? [:]
        parts[entry, default: []].formUnion(reset.seen.lazy.filter { former[$0] != $1 }.map(\.key))
      }
      undone.formUnion(after.undone.subtracting(before.undone))
    }
  }

  /// An own reset.
  public struct Act: Equatable, Sendable {
    public let period: CounterPeriod
    public let entry: Entry

    public init(period: CounterPeriod, entry: Entry) {
      self.period = period
      self.entry = entry
    }
  }

  private(set) var rows: [CounterPeriod: Rows] = [:]
  /// Periods of which the journal keeps nothing but `rows`.
  private(set) var dropped: Set<CounterPeriod> = []
  /// The own resets by their events.
  public var acts: [Int64: Act] = [:]
  /// The numbers of the last acts of own writers.
  public var lasts: [WriterID: Int64] = [:]
  public var isNewWriter = false
  public var history = HistoryChanges()

  public init() {}

  public var isEmpty: Bool {
    rows.isEmpty && dropped.isEmpty && acts.isEmpty && lasts.isEmpty && !isNewWriter && history.isEmpty
  }

  /// The changed rows of each counter and period.
  public var changed: [CounterPeriod: [Station.Row]] {
    rows.mapValues { rows in
      rows.registers.map(Station.Row.register) + rows.resets.union(rows.parts.keys).map(Station.Row.reset)
        + rows.undone.map(Station.Row.undone)
    }
  }

  /// The number of changed rows. Own resets, which are saved whole, are left out.
  public var count: Int {
    rows.values.reduce(history.heard.count) { sum, rows in
      sum + rows.registers.count + rows.undone.count + rows.parts.values.reduce(0) { $0 + $1.count }
    }
  }

  /// Records that no row of these periods is kept any more.
  public mutating func drop(_ periods: Set<CounterPeriod>) {
    for period in periods { rows[period] = nil }
    dropped.formUnion(periods)
  }

  /// Adds a row of a counter in a period.
  public mutating func note(_ row: Station.Row, of period: CounterPeriod) {
    switch row {
    case .register(let writer): rows[period, default: Rows()].registers.insert(writer)
    case .reset(let entry): rows[period, default: Rows()].resets.insert(entry)
    case .undone(let entry): rows[period, default: Rows()].undone.insert(entry)
    }
  }

  /// Adds rows of a counter in a period.
  ///
  /// - Parameters:
  ///   - before: the former rows of a message, as ``Replica/rows(of:)`` returns them.
  ///   - after: the present ones. Unchanged rows are left out.
  public mutating func note(of period: CounterPeriod, from before: Replica, to after: Replica) {
    if before != after { rows[period, default: Rows()].note(from: before, to: after) }
  }
}

extension Replica {
  /// The rows known here that the message also contains. Does not copy all rows, which would make the next change copy
  /// them too.
  public func rows(of part: Replica) -> Replica {
    var registers: [WriterID: Register] = [:]
    for writer in part.registers.keys { registers[writer] = self.registers[writer] }
    for reset in part.resets.values {
      for writer in reset.seen.keys { registers[writer] = self.registers[writer] }
    }
    var resets: [Entry: Reset] = [:]
    for (entry, reset) in part.resets { resets[entry] = self.resets[entry]?.rows(of: reset.seen.keys) }
    return Replica(registers: registers, resets: resets, undone: undone.intersection(part.undone))
  }
}
