/// All counters as they stand: what the events so far fold into, and the rules for what may happen next.
///
/// A change either happens whole, answers the events that it made, and is noted so that ``rollback(to:)`` can take it
/// back until ``settle()``; or it throws, and nothing has changed.
public struct Ledger: Sendable {
  var counters: [Counter.ID: Counter]
  var ids: [CounterName: Counter.ID]
  var lastID: Int64

  /// The counter that gestures mean when they name none. There is one as long as there is any counter.
  public internal(set) var current: Counter.ID?

  /// The sequence number of the last event; 0 before the first.
  public internal(set) var lastSequence: Int64

  /// How long after the first request for a reset the second one does it, in microseconds.
  public var resetWindow: Int64 = 3_000_000

  private var notes: [Note] = []

  /// How things stood before one step.
  private struct Note: Sendable {
    let id: Counter.ID
    let counter: Counter?
    let current: Counter.ID?
    let lastSequence: Int64
    let lastID: Int64
  }

  /// A ledger as it was stored.
  ///
  /// - Parameter lastID: the highest counter number ever given out, removed counters included.
  public init(counters: [Counter] = [], current: Counter.ID? = nil, lastSequence: Int64 = 0, lastID: Int64 = 0) {
    self.counters = Dictionary(counters.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.ids = Dictionary(counters.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    self.lastID = max(lastID, counters.lazy.map(\.id.number).max() ?? 0)
    self.lastSequence = lastSequence
    self.current = current.flatMap { self.counters[$0] == nil ? nil : $0 } ?? counters.lazy.map(\.id).min()
  }

  // MARK: Asking

  public subscript(id: Counter.ID) -> Counter? { counters[id] }

  /// All counters, in the order in which they were made.
  public var all: [Counter] { counters.values.sorted { $0.id < $1.id } }

  public var isEmpty: Bool { counters.isEmpty }

  /// - Throws: ``CountingError/noSuchCounter(_:)``, or ``CountingError/noCurrentCounter`` where there is none.
  public func find(_ target: Change.Target) throws(CountingError) -> Counter {
    switch target {
    case .current:
      guard let current, let counter = counters[current] else { throw .noCurrentCounter }
      return counter
    case .named(let name):
      guard name.utf8.count <= CounterName.longest * 4, let id = ids[CounterName(trusted: name)],
        let counter = counters[id]
      else { throw .noSuchCounter(name.shortened) }
      return counter
    }
  }

  // MARK: Taking back

  mutating func note(_ id: Counter.ID) {
    notes.append(Note(id: id, counter: counters[id], current: current, lastSequence: lastSequence, lastID: lastID))
  }

  /// A point that ``rollback(to:)`` can return to until ``settle()``.
  public struct Mark: Sendable {
    fileprivate let notes: Int

    /// The last ``settle()``.
    public static let beginning = Mark(notes: 0)
  }

  public var mark: Mark { Mark(notes: notes.count) }

  /// Makes everything as it was at `mark`.
  public mutating func rollback(to mark: Mark) {
    while notes.count > mark.notes, let note = notes.popLast() {
      if let now = counters[note.id] { ids[now.name] = nil }
      counters[note.id] = note.counter
      if let before = note.counter { ids[before.name] = note.id }
      current = note.current
      lastSequence = note.lastSequence
      lastID = note.lastID
    }
  }

  /// The counters that changed since the last ``settle()``; `nil` for one that was removed.
  public var unsettled: [Counter.ID: Counter?] {
    var changed: [Counter.ID: Counter?] = [:]
    for note in notes { changed.updateValue(counters[note.id], forKey: note.id) }
    return changed
  }

  /// What happened so far is on disk: it is not taken back any more.
  public mutating func settle() { notes.removeAll(keepingCapacity: true) }
}
