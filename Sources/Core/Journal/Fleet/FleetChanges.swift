public import Fleet

/// The rows of a station that the next commit saves.
public struct FleetChanges: Sendable {
  /// Rows of a counter in a period.
  struct Rows {
    var registers: Set<WriterID> = []
    var resets: Set<Entry> = []
    var undone: Set<Entry> = []
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
      rows.registers.map(Station.Row.register) + rows.resets.map(Station.Row.reset)
        + rows.undone.map(Station.Row.undone)
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
  /// - Parameter before: the former rows of `part`; unchanged rows are left out.
  public mutating func note(
    _ part: Replica, of period: CounterPeriod, from before: Replica, to after: Replica
  ) {
    var rows = self.rows[period] ?? Rows()
    var writers = Set(part.registers.keys)
    for (entry, reset) in part.resets {
      writers.formUnion(reset.seen.keys)
      if before.resets[entry] != after.resets[entry] { rows.resets.insert(entry) }
    }
    for writer in writers where before.registers[writer] != after.registers[writer] { rows.registers.insert(writer) }
    rows.undone.formUnion(part.undone.subtracting(before.undone))
    if !(rows.registers.isEmpty && rows.resets.isEmpty && rows.undone.isEmpty) { self.rows[period] = rows }
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
    for entry in part.resets.keys { resets[entry] = self.resets[entry] }
    return Replica(registers: registers, resets: resets, undone: undone.intersection(part.undone))
  }
}
