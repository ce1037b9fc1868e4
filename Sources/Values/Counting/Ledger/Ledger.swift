public import Calendars

/// The state of all counters, groups and formulas, and the rules for changes.
///
/// Events are the truth: ``perform(_:at:cause:)`` checks a change against the rules and turns it into events, and
/// ``apply(_:reviving:)`` is the only function that changes the state. Each step is logged, so that ``rollback(to:)``
/// can restore an earlier state until ``clearUndoLog()``.
public struct Ledger: Sendable {
  var counters: Registry<Counter>
  var groupRegistry: Registry<Group>
  var formulaRegistry: Registry<Formula>
  var mentions = FormulaDependencies()
  var lastID: Int64

  /// The counter to which changes without a name apply. It exists as long as any counter exists.
  public internal(set) var current: Counter.ID?

  /// The sequence number of the last event; 0 before the first.
  public internal(set) var lastSequence: Int64

  /// The time within which a second request confirms a reset, in microseconds.
  public var resetWindow: Int64 = 3_000_000

  /// The current boot, for stopwatches; without it they use the wall clock.
  public var boot: Boot?

  /// Whether the clock has been set from a server since boot. The core sets it.
  public var isClockSynchronized = false

  /// The latest start of counting, of any counter, that was in the future of the clock when the core started: until then,
  /// this clock is back, because it was lost while the core was off. `nil` if the clock was not back then.
  var lostUntil: Int64?

  /// The shared counters, with the share of this station in the value. A fleet sets it.
  public var shares: [Counter.ID: Int64] = [:]

  /// The events of shared counters whose counts a reset of another station removed, by sequence numbers. A fleet sets
  /// it.
  public var gone: [Counter.ID: [ClosedRange<Int64>]] = [:]

  /// The last event of each counter whose counts were dropped when a fleet began to count there. A fleet sets it.
  public var dropped: [Counter.ID: Int64] = [:]

  /// The time of the earliest count in the value of a counter whose rate a formula uses, if the count is earlier than
  /// ``Counter/began``. The core sets it, because an undo of that count needs the history.
  public var earliest: [Counter.ID: Int64] = [:]

  /// Returns the time zone of a name, or the local one for `nil`. The default returns UTC for all.
  public var zone: @Sendable (String?) throws(ZoneError) -> Zone = { _ throws(ZoneError) in .utc }

  /// The person who makes the next change, such as the name of a terminal; `nil` if unknown. Only the same person
  /// confirms a reset.
  public var person: String?

  /// The first requests of resets that nothing has cancelled, in order. Not kept across a restart.
  var pendingResets: [PendingReset] = []
  /// The latest setback of the clock before the period of a counter. At most one for each counter.
  var setbacks: [Counter.ID: Setback] = [:]

  private(set) var lastOrders = LastOrders()

  private var undoLog: [UndoEntry] = []

  struct PendingReset: Equatable, Sendable {
    let scope: ResetScope
    let person: String?
    /// The time in microseconds since 1970.
    let time: Int64
    /// The time within which the second request confirms the first, in microseconds.
    let window: Int64
    let boot: Boot?
  }

  /// The counters of a reset, by ID.
  enum ResetScope: Equatable, Sendable {
    case counter(Counter.ID)
    case group(Counter.ID)
    case all
  }

  /// The state before one step, as far as the step changed it.
  private struct UndoEntry: Sendable {
    let content: UndoContent
    let current: Counter.ID?
    let pendingResets: [PendingReset]
    let lastSequence: Int64
    let lastID: Int64
  }

  enum UndoContent: Sendable {
    /// A step that changed only the parts that every entry stores.
    case nothing
    /// The old value of a counter of which only the value changed: the common case, and a counter is large.
    case value(Counter.ID, Int64)
    indirect case entity(Entity.Key, Entity?)
  }

  /// Creates a ledger from stored entities.
  ///
  /// - Parameter lastID: the highest ID ever given to a counter, a group or a formula, removed ones included.
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
  public var all: [Counter] { inOrder(counters) { $0.group } }

  /// All groups in order.
  public var groups: [Group] { groupRegistry.entries.values.sorted { $0.place < $1.place } }

  /// All formulas in order: those without a group first, then those of each group.
  public var formulas: [Formula] { inOrder(formulaRegistry) { $0.group } }

  private func inOrder<Element>(_ registry: Registry<Element>, _ group: (Element) -> Counter.ID?) -> [Element] {
    registry.entries.values.map { element in
      let group = group(element).flatMap { groupRegistry[$0] }
      return (place: (group?.order ?? .min, group?.id.number ?? 0, element.order, element.id.number), element: element)
    }
    .sorted { $0.place < $1.place }.map(\.element)
  }

  /// The formulas of a group, or those without a group, in order.
  public func formulas(of group: Counter.ID?) -> [Formula] {
    formulaRegistry.entries.values.filter { $0.group == group }.sorted { $0.place < $1.place }
  }

  /// The formula with this ID.
  public func formula(_ id: Counter.ID) -> Formula? { formulaRegistry[id] }

  /// The group with this ID.
  public func group(_ id: Counter.ID) -> Group? { groupRegistry[id] }

  /// The counters of a group, or those without a group, in order.
  public func members(of group: Counter.ID?) -> [Counter] {
    counters.entries.values.filter { $0.group == group }.sorted { $0.place < $1.place }
  }

  public var isEmpty: Bool { counters.entries.isEmpty }

  /// The parts of the state that are saved with each commit. A copy of the whole ledger would retain all its parts.
  public struct Head: Sendable {
    /// See ``Ledger/lastSequence``.
    public let sequence: Int64
    /// See ``Ledger/current``.
    public let current: Counter.ID?
  }

  public var head: Head { Head(sequence: lastSequence, current: current) }

  /// The highest ID ever given to a counter, a group or a formula.
  public var lastNumber: Int64 { lastID }

  /// The counter that counts without a name apply to. An archived counter is hidden, so it is not the current one.
  public var currentCounter: Counter? {
    current.flatMap { counters[$0] }.flatMap { $0.isArchived ? nil : $0 }
  }

  /// - Throws: ``CountingError/noSuchCounter(_:)``, or ``CountingError/noCurrentCounter`` without any counter.
  public func find(_ target: Change.Target) throws(CountingError) -> Counter {
    switch target {
    case .current:
      guard let counter = currentCounter else { throw .noCurrentCounter }
      return counter
    case .named(let name):
      guard name.utf8.count <= CounterName.longest * 4, let counter = counters[CounterName(trusted: name)] else {
        throw formula(named: name) == nil ? .noSuchCounter(name.shortened) : .isFormula(name)
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

  // MARK: Changing

  /// Replaces an entity; `nil` removes it.
  mutating func set(_ key: Entity.Key, to entity: Entity?) {
    logUndo(.entity(key, self.entity(key.subject, key.id)))
    put(key, entity)
  }

  private mutating func put(_ key: Entity.Key, _ entity: Entity?) {
    switch key.subject {
    case .counter: put(key.id, entity?.counter)
    case .group: groupRegistry.set(key.id, to: entity?.group)
    case .formula:
      mentions.replace(formulaRegistry[key.id], with: entity?.formula)
      formulaRegistry.set(key.id, to: entity?.formula)
    case .all: break
    }
  }

  private mutating func put(_ id: Counter.ID, _ counter: Counter?) {
    let before = counters[id]
    counters.set(id, to: counter)
    lastOrders.replace(before, with: counter)
    if before == nil, let counter, lastOrders[counter.group] == nil {
      lastOrders[counter.group] = lastOrder(in: counter.group)
    }
  }

  /// Sets only the value of a counter, if it exists.
  mutating func setValue(of id: Counter.ID, to value: Int64) {
    var before: Int64?
    counters.change(id) { counter in
      before = counter.value
      counter.value = value
    }
    logUndo(before.map { .value(id, $0) } ?? .nothing)
  }

  // MARK: Rolling back

  /// Logs how to restore `content`, and everything that is not part of a counter, group or formula.
  mutating func logUndo(_ content: UndoContent) {
    undoLog.append(
      UndoEntry(
        content: content, current: current, pendingResets: pendingResets, lastSequence: lastSequence, lastID: lastID))
  }

  /// A state that ``rollback(to:)`` can restore until ``clearUndoLog()``.
  public struct Mark: Sendable {
    fileprivate let steps: Int

    /// The last ``clearUndoLog()``.
    public static let beginning = Mark(steps: 0)
  }

  public var mark: Mark { Mark(steps: undoLog.count) }

  /// Restores the state at `mark`.
  public mutating func rollback(to mark: Mark) {
    while undoLog.count > mark.steps, let entry = undoLog.popLast() {
      switch entry.content {
      case .nothing: break
      case .value(let id, let value): counters.change(id) { $0.value = value }
      case .entity(let key, let entity): put(key, entity)
      }
      current = entry.current
      pendingResets = entry.pendingResets
      lastSequence = entry.lastSequence
      lastID = entry.lastID
    }
  }

  /// An entity that was removed since the last ``clearUndoLog()``, as it was then.
  public func removedEntity(_ key: Entity.Key) -> Entity? {
    for entry in undoLog.reversed() {
      if case .entity(key, let entity?) = entry.content { return entity }
    }
    return nil
  }

  /// Makes the state permanent: it is on disk and cannot be rolled back any more.
  public mutating func clearUndoLog() { undoLog.removeAll(keepingCapacity: true) }

  /// The number of counters, groups and formulas.
  public var size: (counters: Int, groups: Int, formulas: Int) {
    (counters.entries.count, groupRegistry.entries.count, formulaRegistry.entries.count)
  }
}
