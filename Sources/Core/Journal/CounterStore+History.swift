public import Counting

/// Queries of the history that changes need. They include uncommitted events.
extension CounterStore {
  /// The range and the order of a page of events.
  public typealias Page = JournalReader.Page

  /// The events from `first` to `last`, inclusive.
  public func events(_ range: ClosedRange<Int64>, in ledger: Ledger) throws(StoreError) -> [Event] {
    try flush(ledger.head)
    return try statements.eventsBetween.rows(.integer(range.lowerBound), .integer(range.upperBound)) {
      row throws(StoreError) in try event(row)
    }
  }

  /// See ``JournalReader/search(_:_:limit:)``.
  public func search(_ filter: EventFilter, _ page: Page, limit: Int64, in ledger: Ledger) throws(StoreError)
    -> JournalReader.Found
  {
    try flush(ledger.head)
    return try reader.search(filter, page, limit: limit)
  }

  /// The time of the earliest count in the value of a counter, if that time is earlier than the start of the value: the
  /// creation of the counter, its last reset or the start of its period.
  public func earliestCount(of counter: Counter, in ledger: Ledger) throws(StoreError) -> Int64? {
    guard let began = counter.began else { return nil }
    try flush(ledger.head)
    return try reader.earliestCount(of: counter.id, before: began) { !ledger.isOfEndedPeriod(counter, at: $0) }
  }

  /// The answer to a question of the ledger.
  public func answer(_ question: Ledger.Question, in ledger: Ledger) throws(StoreError) -> Int64? {
    switch question {
    case .value(let counter, let end):
      if let known = endedPeriods[counter.id, end] { return Int64(clamping: known) }
      try flush(ledger.head)
      let value = try reader.value(of: counter, endingAt: end)
      endedPeriods.remember(value, of: counter.id, endingAt: end)
      return Int64(clamping: value)
    case .earliestCount(let counter): return try earliestCount(of: counter, in: ledger)
    }
  }

  /// Whether the answer to a question needs no search.
  func knowsAnswer(to question: Ledger.Question) -> Bool {
    if case .value(let counter, let end) = question { endedPeriods[counter.id, end] != nil } else { false }
  }

  /// The end of a period and the events that closed it again after late counts, which are undone together; the last one
  /// first. `nil` if none of them changed a value.
  public func endings(with end: Event, in ledger: Ledger) throws(StoreError) -> Undoable? {
    try flush(ledger.head)
    // Empty periods in a row have one end, and late counts of each.
    let start = end.alterations.first { $0.field == .began }?.before.integer ?? .max
    var (sequences, isEmpty) = ([Int64](), true)
    try reader.eachEnding(of: end.counter, after: min(start, end.time &- 1), until: end.time) { event, latest in
      guard event.sequence >= end.sequence else { return }
      sequences.append(latest)
      if event.change != 0 { isEmpty = false }
    }
    return isEmpty ? nil : try undoable(found(sequences.sorted(by: >), [end.counter]))
  }

  /// The time of the count that a committed event made, undid or redid; `nil` if it does not concern a count.
  public func countTime(of event: Event) throws(StoreError) -> Int64? {
    try past.rollups.contribution(of: EventRow(event, cause: 0))?.time
  }

  /// The counter or formula with this name, or else those that had the name earlier, the latest first.
  public func bearers(of name: String, in ledger: Ledger) throws(StoreError) -> [Counter.ID] {
    if let id = (try? ledger.find(.named(name)))?.id ?? ledger.formula(named: name)?.id { return [id] }
    try flush(ledger.head)
    return try reader.bearersEver(of: name)
  }

  func event(_ row: Statement) throws(StoreError) -> Event { try reader.event(row) }
}

/// The values at the ends of periods for which late counts were entered, kept up to date with each recorded event.
/// Without them, each late count with a limit would read all earlier ones of its period.
struct EndedPeriods {
  private var values: [Counter.ID: [Int64: Int128]] = [:]
  private var count = 0

  /// The maximum number of values.
  private static let most = 4096

  /// The value of a counter at the end of a period, in microseconds since 1970; `nil` if unknown.
  subscript(counter: Counter.ID, end: Int64) -> Int128? { values[counter]?[end] }

  mutating func remember(_ value: Int128, of counter: Counter.ID, endingAt end: Int64) {
    if count >= Self.most { removeAll() }
    if values[counter, default: [:]].updateValue(value, forKey: end) == nil { count += 1 }
  }

  /// Records the next event of the journal.
  mutating func note(_ event: Event) {
    guard count > 0, values[event.counter] != nil else { return }
    if event.closesEndedPeriod {
      values[event.counter]?[event.time]? -= Int128(event.change)
    } else if event.undoes != nil || event.presence != .unchanged || !event.alterations.isEmpty {
      // The event may undo or redo the end of a period, end one, or change the start value.
      count -= values.removeValue(forKey: event.counter)?.count ?? 0
    }
  }

  mutating func removeAll() {
    values.removeAll()
    count = 0
  }
}
