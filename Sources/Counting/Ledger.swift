public import Calendars

/// All counters as they stand: what the events so far fold into, and the rules for what may happen next.
///
/// A change either happens whole, answers the events that it made, and is noted so that ``rollback(to:)`` can take it
/// back until ``settle()``; or it throws, and nothing has changed.
public struct Ledger: Sendable {
  var counters: Registry<Counter>
  var groupRegistry: Registry<Group>
  var formulaRegistry: Registry<Formula>
  var mentions = Mentions()
  var lastID: Int64

  /// The counter that gestures mean when they name none. There is one as long as there is any counter.
  public internal(set) var current: Counter.ID?

  /// The sequence number of the last event; 0 before the first.
  public internal(set) var lastSequence: Int64

  /// How long after the first request for a reset the second one does it, in microseconds.
  public var resetWindow: Int64 = 3_000_000

  /// The run of the machine, for stopwatches; without it they go by the time that people read.
  public var boot: Boot?

  /// The time zone of a name, or this machine's for `nil`. Without anybody who knows zones there is universal time.
  public var zone: @Sendable (String?) throws(ZoneError) -> Zone = { _ throws(ZoneError) in .utc }

  /// The reset that was asked for once and that nothing has followed yet. Not kept across a restart.
  var armed: Armed?

  private var notes: [Note] = []

  struct Armed: Equatable, Sendable {
    let scope: ResetScope
    /// Microseconds since 1970.
    let time: Int64
    let boot: Boot?
  }

  /// What a reset means, whatever it is called.
  enum ResetScope: Equatable, Sendable {
    case counter(Counter.ID)
    case group(Counter.ID)
    case all
  }

  /// How things stood before one step.
  private struct Note: Sendable {
    let entry: Entry
    let current: Counter.ID?
    let armed: Armed?
    let lastSequence: Int64
    let lastID: Int64

    enum Entry: Sendable {
      /// What a counter stood at, where nothing else of it changed: nearly always, and a counter is large.
      case value(Counter.ID, Int64)
      indirect case counter(Counter.ID, Counter?)
      indirect case group(Counter.ID, Group?)
      indirect case formula(Counter.ID, Formula?)
    }
  }

  /// A ledger as it was stored.
  ///
  /// - Parameter lastID: the highest number ever given out to a counter or a group, removed ones included.
  public init(
    counters: [Counter] = [], groups: [Group] = [], formulas: [Formula] = [], current: Counter.ID? = nil,
    lastSequence: Int64 = 0, lastID: Int64 = 0
  ) {
    self.counters = Registry(counters)
    groupRegistry = Registry(groups)
    formulaRegistry = Registry(formulas)
    for formula in formulas { mentions.replace(nil, with: formula) }
    self.lastID = max(lastID, (counters.map(\.id) + groups.map(\.id) + formulas.map(\.id)).max()?.number ?? 0)
    self.lastSequence = lastSequence
    self.current = current.flatMap { self.counters[$0] == nil ? nil : $0 } ?? all.first?.id
  }

  // MARK: Asking

  public subscript(id: Counter.ID) -> Counter? { counters[id] }

  /// All counters in order: those without a group first, then those of each group.
  public var all: [Counter] {
    counters.entries.values
      .map { counter in (place: counter.place(in: counter.group.flatMap { groupRegistry[$0] }), counter: counter) }
      .sorted { $0.place < $1.place }.map(\.counter)
  }

  /// All groups in order.
  public var groups: [Group] { groupRegistry.entries.values.sorted { $0.place < $1.place } }

  /// All formulas in order.
  public var formulas: [Formula] { formulaRegistry.entries.values.sorted { $0.place < $1.place } }

  /// The formula with this number.
  public func formula(_ id: Counter.ID) -> Formula? { formulaRegistry[id] }

  /// The group with this number.
  public func group(_ id: Counter.ID) -> Group? { groupRegistry[id] }

  /// The counters of a group, or those of none, in order.
  public func members(of group: Counter.ID?) -> [Counter] {
    counters.entries.values.filter { $0.group == group }.sorted { $0.place < $1.place }
  }

  public var isEmpty: Bool { counters.entries.isEmpty }

  /// - Throws: ``CountingError/noSuchCounter(_:)``, or ``CountingError/noCurrentCounter`` where there is none.
  public func find(_ target: Change.Target) throws(CountingError) -> Counter {
    switch target {
    case .current:
      guard let current, let counter = counters[current] else { throw .noCurrentCounter }
      return counter
    case .named(let name):
      guard name.utf8.count <= CounterName.longest * 4, let counter = counters[CounterName(trusted: name)] else {
        throw .noSuchCounter(name.shortened)
      }
      return counter
    }
  }

  /// - Throws: ``CountingError/noSuchGroup(_:)``.
  public func findGroup(_ name: String) throws(CountingError) -> Group {
    guard name.utf8.count <= CounterName.longest * 4, let group = groupRegistry[CounterName(trusted: name)] else {
      throw .noSuchGroup(name.shortened)
    }
    return group
  }

  // MARK: Writing

  /// Puts a counter in the place of the one with its number; `nil` takes that one away.
  mutating func set(_ id: Counter.ID, to counter: Counter?) {
    note(.counter(id, counters[id]))
    counters.set(id, to: counter)
  }

  /// The same for a counter that keeps its name.
  mutating func replace(_ counter: Counter) {
    note(.counter(counter.id, counters[counter.id]))
    counters.replace(counter)
  }

  /// The same for a counter of which only the value has changed.
  mutating func replaceValue(of counter: Counter, before: Int64) {
    note(.value(counter.id, before))
    counters.change(counter.id) { $0.value = counter.value }
  }

  /// Puts a group in the place of the one with its number; `nil` takes that one away.
  mutating func setGroup(_ id: Counter.ID, to group: Group?) {
    note(.group(id, groupRegistry[id]))
    groupRegistry.set(id, to: group)
  }

  /// Puts a formula in the place of the one with its number; `nil` takes that one away.
  mutating func setFormula(_ id: Counter.ID, to formula: Formula?) {
    note(.formula(id, formulaRegistry[id]))
    mentions.replace(formulaRegistry[id], with: formula)
    formulaRegistry.set(id, to: formula)
  }

  // MARK: Taking back

  private mutating func note(_ entry: Note.Entry) {
    notes.append(Note(entry: entry, current: current, armed: armed, lastSequence: lastSequence, lastID: lastID))
  }

  /// Notes everything but the counters and groups themselves, which is about to change.
  mutating func note(_ id: Counter.ID) { note(.counter(id, counters[id])) }

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
      switch note.entry {
      case .value(let id, let value): counters.change(id) { $0.value = value }
      case .counter(let id, let counter): counters.set(id, to: counter)
      case .group(let id, let group): groupRegistry.set(id, to: group)
      case .formula(let id, let formula):
        mentions.replace(formulaRegistry[id], with: formula)
        formulaRegistry.set(id, to: formula)
      }
      current = note.current
      armed = note.armed
      lastSequence = note.lastSequence
      lastID = note.lastID
    }
  }

  /// The counters that changed since the last ``settle()``; `nil` for one that was removed.
  public var unsettled: [Counter.ID: Counter?] {
    var changed: [Counter.ID: Counter?] = [:]
    for note in notes {
      switch note.entry {
      case .value(let id, _), .counter(let id, _):
        if changed.index(forKey: id) == nil { changed.updateValue(counters[id], forKey: id) }
      case .group, .formula: break
      }
    }
    return changed
  }

  /// What happened so far is on disk: it is not taken back any more.
  public mutating func settle() { notes.removeAll(keepingCapacity: true) }
}

extension Counter {
  /// What its place among its group's counters is judged by: the older one comes first among equals.
  var place: (Int64, Int64) { (order, id.number) }

  /// The same among all counters; those without a group come first.
  fileprivate func place(in group: Group?) -> (Int64, Int64, Int64, Int64) {
    (group?.order ?? .min, group?.id.number ?? 0, order, id.number)
  }
}

extension Formula {
  /// What its place among the formulas is judged by.
  var place: (Int64, Int64) { (order, id.number) }
}

extension Group {
  /// What its place among the groups is judged by.
  var place: (Int64, Int64) { (order, id.number) }
}
