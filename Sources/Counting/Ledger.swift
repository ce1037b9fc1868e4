/// All counters as they stand: what the events so far fold into, and the rules for what may happen next.
///
/// A change either happens whole, answers the events that it made, and is noted so that ``rollback(to:)`` can take it
/// back until ``settle()``; or it throws, and nothing has changed.
public struct Ledger: Sendable {
  private var counters: [Counter.ID: Counter]
  private var ids: [CounterName: Counter.ID]
  private var lastID: Int64

  /// The counter that gestures mean when they name none. There is one as long as there is any counter.
  public private(set) var current: Counter.ID?

  /// The sequence number of the last event; 0 before the first.
  public private(set) var lastSequence: Int64

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

  // MARK: Changing

  /// Does `change`, and answers what happened in order.
  public mutating func perform(_ change: Change, at time: Int64, cause: Cause) throws(CountingError) -> [Event] {
    switch change {
    case .create(let name, let title, let start, let step):
      return [try create(name, title, start, step, time, cause)]
    case .add(let target, let amount):
      return try count(target, .added, amount, sign: 1, time, cause)
    case .subtract(let target, let amount):
      return try count(target, .subtracted, amount, sign: -1, time, cause)
    case .select(let target):
      let counter = try find(target)
      note(counter.id)
      current = counter.id
      return [event(.selected, counter, change: 0, time, cause)]
    case .remove(let target):
      let counter = try find(target)
      discard(counter)
      return [event(.removed, counter, change: 0, time, cause)]
    case .undo(let undone, let revived):
      return [try undo(undone, revived, time, cause)]
    }
  }

  private mutating func create(
    _ name: String, _ title: String?, _ start: Int64, _ step: Int64, _ time: Int64, _ cause: Cause
  ) throws(CountingError) -> Event {
    let name = try CounterName(name)
    if let title { try Counter.checkTitle(title) }
    guard step >= 1 else { throw .badAmount(step) }
    guard ids[name] == nil else { throw .counterExists(name.text) }
    let id = Counter.ID(lastID &+ 1)
    let counter = Counter(id: id, name: name, title: title ?? name.text, start: start, step: step, value: start)
    put(counter)
    lastID = id.number
    return event(.created, counter, change: 0, time, cause)
  }

  private mutating func count(
    _ target: Change.Target, _ kind: Event.Kind, _ amount: Int64?, sign: Int64, _ time: Int64, _ cause: Cause
  ) throws(CountingError) -> [Event] {
    if let amount, amount < 1 { throw .badAmount(amount) }
    var events: [Event] = []
    if target == .current, isEmpty { events.append(try create(CounterName.first.text, nil, 0, 1, time, cause)) }
    var counter = try find(target)
    // An amount is 1 or more, so its negative exists.
    let change = sign * (amount ?? counter.step)
    counter.value = try Self.sum(counter, change)
    note(counter.id)
    counters[counter.id] = counter
    events.append(event(kind, counter, change: change, time, cause))
    return events
  }

  private mutating func undo(_ undone: Event, _ revived: Counter?, _ time: Int64, _ cause: Cause)
    throws(CountingError) -> Event
  {
    switch undone.kind {
    case .removed:
      guard let revived else { throw .nothingToUndo }
      guard ids[revived.name] == nil else { throw .counterExists(revived.name.text) }
      put(revived)
      return event(.undone, revived, change: 0, time, cause, undoes: undone.sequence)
    case .created:
      let counter = try counter(of: undone)
      discard(counter)
      return event(.undone, counter, change: 0, time, cause, undoes: undone.sequence)
    case .added, .subtracted, .selected, .undone:
      var counter = try counter(of: undone)
      let (change, overflow) = (0 as Int64).subtractingReportingOverflow(undone.change)
      if overflow { throw .overflow(counter.name.text, value: counter.value, change: undone.change) }
      counter.value = try Self.sum(counter, change)
      note(counter.id)
      counters[counter.id] = counter
      return event(.undone, counter, change: change, time, cause, undoes: undone.sequence)
    }
  }

  private func counter(of event: Event) throws(CountingError) -> Counter {
    guard let counter = counters[event.counter] else { throw .noSuchCounter(event.name.text) }
    return counter
  }

  private static func sum(_ counter: Counter, _ change: Int64) throws(CountingError) -> Int64 {
    let (value, overflow) = counter.value.addingReportingOverflow(change)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: change) }
    return value
  }

  private mutating func put(_ counter: Counter) {
    note(counter.id)
    counters[counter.id] = counter
    ids[counter.name] = counter.id
    if current == nil { current = counter.id }
  }

  /// Takes a counter away; the next one in order becomes the current one, or else the one before.
  private mutating func discard(_ counter: Counter) {
    note(counter.id)
    counters[counter.id] = nil
    ids[counter.name] = nil
    if current == counter.id {
      current = counters.keys.filter { $0 > counter.id }.min() ?? counters.keys.max()
    }
  }

  private mutating func event(
    _ kind: Event.Kind, _ counter: Counter, change: Int64, _ time: Int64, _ cause: Cause, undoes: Int64? = nil
  ) -> Event {
    lastSequence &+= 1
    return Event(
      sequence: lastSequence, time: time, kind: kind, counter: counter.id, name: counter.name, change: change,
      value: counter.value, undoes: undoes, cause: cause)
  }

  // MARK: Taking back

  private mutating func note(_ id: Counter.ID) {
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
