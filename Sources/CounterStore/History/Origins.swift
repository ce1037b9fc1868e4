import Counting

/// What of an event the sums need.
struct Counted {
  let sequence: Int64
  let time: Int64
  /// `nil` for one that this version does not know.
  let kind: Event.Kind?
  let counter: Int64
  let change: Int64
  let undoes: Int64?
  let cause: Int64
  /// The number of its counter's decimals; `nil` where it is none that counts things.
  let decimals: Int64?

  /// What is read of an event, in this order.
  static let columns = """
    sequence, time, kind, counter, change, undoes, cause,
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
    decimals = row.optionalInteger(7)
  }

  /// An event that is being written.
  ///
  /// - Parameter cause: the number of its cause.
  init(_ event: Event, cause: Int64) {
    sequence = event.sequence
    time = event.time
    kind = event.kind
    counter = event.counter.number
    change = event.change
    undoes = event.undoes
    self.cause = cause
    decimals = if event.subject == .counter, case .decimal(let decimals) = event.unit { decimals } else { nil }
  }
}

/// Leads what was undone and redone back to the count that it was about, so that a count which was taken back is missing
/// where it was made and not where it was taken back.
final class Origins {
  private let event: Statement
  /// Of undos and redos that were looked at: the count, and whether it stands after them. Toggling the same count again
  /// and again makes chains of any length, which must not be followed anew from each link.
  private var known: [Int64: Origin] = [:]

  private struct Origin {
    let event: Counted
    let stands: Bool
  }

  init(_ database: Database) throws(StoreError) {
    event = try database.prepare(
      "SELECT \(Counted.columns) FROM event WHERE sequence = ?")
  }

  /// What an event adds to the sums of the time at which its count was made; `nil` for one that is about no count.
  func contribution(of event: Counted) throws(StoreError) -> (time: Int64, Quarter.Summary)? {
    let origin = try origin(of: event)
    guard let kind = origin.event.kind, kind.isCount || kind.isTiming else { return nil }
    var summary = Quarter.Summary()
    summary.totals = Totals(counts: origin.stands ? 1 : -1)
    // A count takes off where it was one that takes off, whatever an undo of it does.
    if kind == .subtracted {
      summary.totals.subtracted = -max(event.change, -.max)
    } else {
      summary.totals.added = event.change
    }
    if event.undoes == nil { (summary.first, summary.last) = (event.time, event.time) }
    return (origin.event.time, summary)
  }

  private func origin(of event: Counted) throws(StoreError) -> Origin {
    // Nearly all are such, and need no looking up.
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
    // Bounded: what is not remembered is followed again.
    if known.count > 4096 { forget() }
    for (index, link) in links.reversed().enumerated() {
      origin = Origin(event: origin.event, stands: !origin.stands)
      if links.count - index <= 4096 { known[link] = origin }
    }
    return origin
  }

  /// The numbers of events that were taken back with their transaction are given out again.
  func forget() { known.removeAll(keepingCapacity: true) }

  private func read(_ sequence: Int64) throws(StoreError) -> Counted? {
    try event.rows(.integer(sequence)) { row throws(StoreError) in Counted(row) }.first
  }
}
