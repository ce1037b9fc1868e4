import Counting

/// The columns of an event that totals need.
struct EventRow {
  let sequence: Int64
  let time: Int64
  /// The kind; `nil` for a kind that this version does not know.
  let kind: Event.Kind?
  let counter: Int64
  let change: Int64
  let undoes: Int64?
  let cause: Int64
  /// The counter's value after the event; `nil` for a note, whose column is 0 if the counter was removed.
  let value: Int64?
  /// The decimals of the counter; `nil` for a stopwatch.
  let decimals: Int64?

  /// The columns of the query, in this order.
  static let columns = """
    sequence, time, kind, counter, change, undoes, cause, CASE WHEN about IS NULL THEN value END,
      (SELECT decimals FROM counter WHERE id = event.counter AND kind = 'counter')
    """

  init(_ row: Statement) {
    sequence = row.integer(0)
    time = row.integer(1)
    kind = Event.Kind(rawValue: row.text(2))
    counter = row.integer(3)
    change = row.integer(4)
    undoes = row.optionalInteger(5)
    cause = row.integer(6)
    value = row.optionalInteger(7)
    decimals = row.optionalInteger(8) == nil ? nil : row.decimals(8)
  }

  /// Creates the row of an event that is being written.
  ///
  /// - Parameter cause: the ID of the cause.
  init(_ event: borrowing Event, cause: Int64) {
    sequence = event.sequence
    time = event.time
    kind = event.kind
    counter = event.counter.number
    change = event.change
    undoes = event.undoes
    self.cause = cause
    value = event.about == nil ? event.value : nil
    decimals = if event.subject == .counter, case .decimal(let decimals) = event.unit { decimals } else { nil }
  }
}

/// Follows undos and redos back to the original count, so that an undone count is missing at the time of the count, not
/// of the undo.
final class UndoChains {
  private let event: Statement
  /// For each undo or redo that was followed: its count, and whether the count is effective after it. Repeated undo and
  /// redo of one count makes long chains; following them again from each link would take quadratic time.
  private var known: [Int64: Origin] = [:]

  struct Origin {
    /// The first event of the chain, which is neither an undo nor a redo.
    let event: EventRow
    let stands: Bool
  }

  init(_ database: Database) {
    event = database.statement(
      "SELECT \(EventRow.columns) FROM event WHERE sequence = ?")
  }

  /// The contribution of an event to the totals at the time of its count; `nil` if it does not concern a count.
  func contribution(of event: EventRow) throws(StoreError) -> (time: Int64, QuarterHour.Summary)? {
    let origin = try origin(of: event)
    // A count that a limit reduced to 0 is not a count. A stop of all stopwatches is a separate event, without a time
    // to count.
    guard let kind = origin.event.kind, kind.isCount && origin.event.change != 0 || kind.isTiming,
      event.counter != Counter.ID.all.number
    else { return nil }
    var summary = QuarterHour.Summary()
    summary.totals = Totals(counts: origin.stands ? 1 : -1)
    // An undone subtraction changes the sum of subtractions, although the undo adds.
    if kind == .subtracted {
      summary.totals.exactSubtracted = -Int128(event.change)
    } else {
      summary.totals.exactAdded = Int128(event.change)
    }
    if event.undoes == nil { (summary.first, summary.last) = (event.time, event.time) }
    return (origin.event.time, summary)
  }

  /// The event behind an undo or a redo; of any other event, the event itself.
  func origin(of event: EventRow) throws(StoreError) -> Origin {
    // Most events are not undos and need no lookup.
    if event.undoes == nil { return Origin(event: event, stands: true) }
    var links: [Int64] = []
    var link = event
    var found: Origin?
    while found == nil {
      if let origin = known[link.sequence] {
        found = origin
      } else if let undone = link.undoes, undone < link.sequence, let before = try read(undone) {
        links.append(link.sequence)
        link = before
      } else {
        found = Origin(event: link, stands: true)
      }
    }
    guard var origin = found else { return Origin(event: event, stands: true) }
    // The cache is bounded; chains that are not cached are followed again.
    if known.count > 4096 { forget() }
    for (index, link) in links.reversed().enumerated() {
      origin = Origin(event: origin.event, stands: !origin.stands)
      if links.count - index <= 4096 { known[link] = origin }
    }
    return origin
  }

  /// Forgets all chains, because sequence numbers of rolled back events are used again.
  func forget() { known.removeAll(keepingCapacity: true) }

  private func read(_ sequence: Int64) throws(StoreError) -> EventRow? {
    try event.rows(.integer(sequence)) { row throws(StoreError) in EventRow(row) }.first
  }
}
