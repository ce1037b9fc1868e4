/// Checks changes and turns them into events.
extension Ledger {
  /// Performs `change` and returns its events in order.
  ///
  /// - Parameters:
  ///   - batch: the batch of several changes that are undone together.
  ///   - past: the answer to ``question(before:at:)``.
  public mutating func perform(
    _ change: Change, at time: Int64, cause: Cause, in batch: Batch = .none, past: Answer? = nil
  ) throws(CountingError) -> [Event] {
    let before = mark
    do throws(CountingError) {
      return try events(of: change, Context(time: time, cause: cause, batch: first(of: batch), past: past))
    } catch {
      rollback(to: before)
      throw error
    }
  }

  /// Undoes or redoes a piece of the events of one step.
  ///
  /// - Parameter kind: undone or redone.
  public mutating func takeBack(
    _ piece: [Change.Takeback], as kind: Event.Kind, _ scope: Change.UndoScope,
    at time: Int64, cause: Cause, in batch: Batch
  ) throws(CountingError) -> [Event] {
    let before = mark
    do throws(CountingError) {
      let occasion = Context(time: time, cause: cause, batch: first(of: batch))
      return try takeBack(piece, as: kind, scope, occasion)
    } catch {
      rollback(to: before)
      throw error
    }
  }

  /// The first event of the batch that the next event belongs to.
  public func first(of batch: Batch) -> Int64? {
    switch batch {
    case .none: nil
    case .begins: lastSequence &+ 1
    case .goesOn(let first): first
    }
  }

  /// The time, the cause and the batch of a change, and the answer to ``question(before:at:)``.
  struct Context {
    let time: Int64
    let cause: Cause
    var batch: Int64?
    var past: Answer?

    init(time: Int64, cause: Cause, batch: Int64? = nil, past: Answer? = nil) {
      (self.time, self.cause, self.batch, self.past) = (time, cause, batch, past)
    }
  }

  /// A question about the history, which the ledger does not have.
  public enum Question {
    /// The ended period of a counter to which a count of this time belongs, in microseconds since 1970.
    case endedPeriod(Counter, at: Int64)
    /// The time of the earliest count in the value of a counter that gets another period, if it is earlier than
    /// ``Counter/began``.
    case earliestCount(Counter)
  }

  /// The answer to a question.
  public enum Answer: Equatable, Sendable {
    /// The end of the period in microseconds since 1970, and the value then, which a late count must keep within the
    /// limits and 64 bits.
    case endedPeriod(end: Int64, value: Int64)
    /// The time of the earliest count, in microseconds since 1970.
    case earliestCount(Int64)
  }

  /// The question to answer before a change is performed; `nil` for none.
  ///
  /// - Parameter now: the present time by the clock, which may be back; `nil` if the time of the change was entered.
  public func question(before change: Change, at time: Int64, clock now: Int64? = nil) -> Question? {
    switch change {
    case .add(let target, _), .subtract(let target, _), .merge(let target, _, _):
      guard let counter = try? find(target), let beginning = now == nil ? beginning(of: counter) : counter.began,
        time < beginning
      else { return nil }
      // By a clock that is back, no time tells the last period from this one.
      if let now, Self.isBack(now, before: beginning) { return nil }
      return .endedPeriod(counter, at: time)
    case .set(let target, let settings) where settings[.period] != nil:
      return (try? find(target)).map { .earliestCount($0) }
    default: return nil
    }
  }

  private mutating func events(of change: Change, _ occasion: Context) throws(CountingError) -> [Event] {
    switch change {
    case .create(let name, let decimals, let isStopwatch, let settings):
      return [try create(name, decimals, isStopwatch, settings, occasion)]
    case .add(let target, let amount): return try count(target, .added, amount, sign: 1, occasion)
    case .subtract(let target, let amount): return try count(target, .subtracted, amount, sign: -1, occasion)
    case .select(let target): return [try select(try find(target), occasion)]
    case .selectNeighbour(let direction, let ofGroups):
      return [try select(try ofGroups ? neighbouringGroup(direction) : neighbour(direction), occasion)]
    case .remove(let target):
      if let formula = formula(target) { return [remove(formula, occasion)] }
      return try remove(try find(target), occasion)
    case .reset(let scope, let isConfirmed): return try reset(scope, isConfirmed, occasion)
    case .correct(let target, let value): return try correct(try find(target), to: value, occasion)
    case .merge(let target, let kind, let change): return try merge(try find(target), kind, by: change, occasion)
    case .set(let target, let settings):
      if let formula = formula(target) { return try setFormula(formula, settings, occasion) }
      return try set(try find(target), settings, occasion)
    case .lock(let target, let isLocked): return [lock(try find(target), isLocked, occasion)]
    case .move(let target, let place):
      if let formula = formula(target) { return try move(formula, to: place, occasion) }
      return try move(try find(target), to: place, occasion)
    case .clock(let target, let verb): return [try clock(try find(target), verb, occasion)]
    case .clockAll(let name, let verb):
      return try clockAll(of: try name.map { name throws(CountingError) in try findGroup(name) }, verb, occasion)
    case .createGroup(let name, let settings): return [try createGroup(name, settings, occasion)]
    case .setGroup(let name, let settings): return try set(try findGroup(name), settings, occasion)
    case .removeGroup(let name): return try removeGroup(try findGroup(name), occasion)
    case .moveGroup(let name, let place): return try moveGroup(try findGroup(name), to: place, occasion)
    case .renew(let id): return renew(id, occasion)
    case .learn(let id, let change): return try learn(id, by: change, occasion)
    case .createFormula(let name, let settings): return [try createFormula(name, settings, occasion)]
    case .setFormula(let name, let settings): return try setFormula(try findFormula(name), settings, occasion)
    case .note(let event, let text, let standing): return [try note(event, text, standing, occasion)]
    case .undo(let events, let scope): return try takeBack(events, as: .undone, scope, occasion)
    case .redo(let events, let scope): return try takeBack(events, as: .redone, scope, occasion)
    }
  }

  // MARK: Creation and removal

  mutating func create(
    _ name: String, _ decimals: Int64, _ isStopwatch: Bool, _ settings: Settings, _ occasion: Context
  ) throws(CountingError) -> Event {
    let name = try CounterName(name)
    try checkFree(name, for: .counter)
    guard 0...9 ~= decimals else { throw .badSetting("decimals", reason: "it must be from 0 to 9") }
    if isStopwatch, decimals != 0 { throw .badSetting("decimals", reason: "a stopwatch counts whole microseconds") }
    var counter = Counter(
      id: .init(lastID &+ 1), name: name, title: name.text, start: 0, step: Counter.usualStep(decimals, isStopwatch),
      value: 0, decimals: decimals, isStopwatch: isStopwatch)
    var settings = settings
    settings[.name] = nil
    counter.began = occasion.time
    var alterations = try apply(settings, to: &counter, at: occasion.time)
    if counter.period != nil, isClockLost(at: occasion.time) {
      beginPeriod(of: &counter, at: occasion.time)
      alterations.append(Alteration(.began, from: .none, to: counter[.began]))
    }
    if settings[.order] == nil, let order = crowdedOrder(of: .counter, in: counter.group) {
      alterations.append(Alteration(.order, from: counter[.order], to: .integer(order)))
    }
    counter.value = counter.start
    return record(
      .created, counter, occasion, presence: .appeared, marks: marksOfAppearance(of: counter), alterations: alterations)
  }

  /// The mark that makes a visible counter the current one, if there is no current counter.
  func marksOfAppearance(of counter: Counter) -> Event.Marks {
    currentCounter == nil && current != nil && !counter.isArchived ? .becameCurrent : []
  }

  private mutating func remove(_ counter: Counter, _ occasion: Context) throws(CountingError) -> [Event] {
    try checkUnlocked(counter)
    var (counter, occasion) = (counter, occasion)
    let stopped = haltFirst(&counter, &occasion)
    return stopped + [
      record(.removed, counter, occasion, presence: .disappeared, marks: marksOfRemoval(of: counter))
    ]
  }

  func marksOfRemoval(of counter: Counter) -> Event.Marks { current == counter.id ? .wasCurrent : [] }

  // MARK: The current counter

  private mutating func select(_ counter: Counter, _ occasion: Context) throws(CountingError) -> Event {
    if counter.isArchived { throw .archived(counter.name.text) }
    return record(.selected, counter, occasion)
  }

  private func neighbour(_ direction: Change.Direction) throws(CountingError) -> Counter {
    guard let current = currentCounter else {
      guard let first = all.first(where: { !$0.isArchived }) else { throw .noCurrentCounter }
      return first
    }
    let others = members(of: current.group).filter { !$0.isArchived && $0.id != current.id }
    let (behind, ahead) = (others.filter { $0.place < current.place }, others.filter { $0.place > current.place })
    switch direction {
    case .next: return ahead.first ?? behind.first ?? current
    case .previous: return behind.last ?? ahead.last ?? current
    }
  }

  /// The first counter of the next or previous non-empty group; the counters without a group are the first group.
  private func neighbouringGroup(_ direction: Change.Direction) throws(CountingError) -> Counter {
    var firsts: [Counter] = []
    for counter in all where !counter.isArchived && (firsts.isEmpty || firsts.last?.group != counter.group) {
      firsts.append(counter)
    }
    if firsts.isEmpty { throw .noCurrentCounter }
    guard firsts.count > 1 || firsts.first?.group != currentCounter?.group, let current = currentCounter,
      let place = firsts.firstIndex(where: { $0.group == current.group })
    else { return firsts.count > 1 ? firsts[0] : currentCounter ?? firsts[0] }
    let step = direction == .next ? 1 : firsts.count - 1
    return firsts[(place + step) % firsts.count]
  }

  /// The next current counter when this one is removed or archived: the next one of its group, else the previous one,
  /// else the first of all; archived ones only if there are no others.
  func successor(of counter: Counter) -> Counter? {
    let others = members(of: counter.group).filter { !$0.isArchived && $0.id != counter.id }
    if let next = others.first(where: { $0.place > counter.place }) ?? others.last { return next }
    let rest = all.filter { $0.id != counter.id }
    return rest.first { !$0.isArchived } ?? rest.first
  }

  // MARK: Recording

  func checkUnlocked(_ counter: Counter) throws(CountingError) {
    if counter.isLocked { throw .locked(counter.name.text) }
  }

  /// Records an event and applies it. The first event of an entity states its name and fields, so that the events alone
  /// contain the whole state.
  ///
  /// - Parameter entity: the entity after the event.
  mutating func record(
    _ kind: Event.Kind, _ entity: some EventSubject, _ occasion: Context, change: Int64 = 0,
    presence: Event.Presence = .unchanged, undoes: Int64? = nil, marks: Event.Marks = [], boundary: Int64? = nil,
    alterations: [Alteration] = [], reviving removed: Entity? = nil
  ) -> Event {
    var alterations = alterations
    if kind == .created { alterations.insert(Alteration(.name, from: .none, to: .text(entity.name.text)), at: 0) }
    return record(
      Event(
        sequence: lastSequence &+ 1, time: occasion.time, kind: kind, subject: entity.subject, counter: entity.id,
        name: entity.name, unit: entity.unit, change: change, value: entity.value, presence: presence, undoes: undoes,
        cause: occasion.cause, marks: alterations.isEmpty ? marks : marks.union(.altered), boundary: boundary,
        batch: occasion.batch, alterations: alterations),
      reviving: removed)
  }

  private mutating func record(_ event: Event, reviving removed: Entity?) -> Event {
    apply(event, reviving: removed)
    disarm(after: event)
    return event
  }

  /// Whether an entity is a locked counter.
  public func isLocked(_ key: Entity.Key) -> Bool { key.subject == .counter && counters[key.id]?.isLocked ?? false }

  /// Whether another entity has the name of a removed one.
  public func isTaken(_ removed: Entity) -> Bool { !isFree(removed.name, for: removed.subject) }

  /// Whether no counter and no formula has the name. Both share one namespace, because formulas refer to both.
  public func isFree(_ name: CounterName) -> Bool { counters[name] == nil && formulaRegistry[name] == nil }

  func isFree(_ name: CounterName, for subject: Event.Subject) -> Bool {
    subject == .group ? groupRegistry[name] == nil : isFree(name)
  }

  /// Throws if another entity has the name.
  func checkFree(_ name: CounterName, for subject: Event.Subject) throws(CountingError) {
    guard !isFree(name, for: subject) else { return }
    if subject == .group { throw .groupExists(name.text) }
    throw counters[name] != nil ? .counterExists(name.text) : .formulaExists(name.text)
  }
}

extension Counter.ID {
  /// The subject of events that concern all counters.
  public static let all = Counter.ID(0)
}

extension Counter {
  /// The default step: one whole unit, or a second for a stopwatch.
  public static func usualStep(_ decimals: Int64, _ isStopwatch: Bool) -> Int64 {
    isStopwatch ? 1_000_000 : (0..<decimals).reduce(1) { step, _ in step * 10 }
  }
}
