/// What may happen, and what it becomes.
extension Ledger {
  /// Does `change`, and answers what happened in order.
  public mutating func perform(_ change: Change, at time: Int64, cause: Cause) throws(CountingError) -> [Event] {
    let before = mark
    do throws(CountingError) {
      return try events(of: change, Occasion(time: time, cause: cause))
    } catch {
      rollback(to: before)
      throw error
    }
  }

  /// When something is done, on whose account, and as a part of what.
  struct Occasion {
    let time: Int64
    let cause: Cause
    var batch: Int64?
  }

  private mutating func events(of change: Change, _ occasion: Occasion) throws(CountingError) -> [Event] {
    switch change {
    case .create(let name, let decimals, let isStopwatch, let settings):
      return [try create(name, decimals, isStopwatch, settings, occasion)]
    case .add(let target, let amount): return try count(target, .added, amount, sign: 1, occasion)
    case .subtract(let target, let amount): return try count(target, .subtracted, amount, sign: -1, occasion)
    case .select(let target): return [select(try find(target), occasion)]
    case .selectNeighbour(let direction): return [select(try neighbour(direction), occasion)]
    case .remove(let target):
      if case .named(let name) = target, let formula = formula(named: name) { return [remove(formula, occasion)] }
      return [try remove(try find(target), occasion)]
    case .reset(let scope, let isConfirmed): return try reset(scope, isConfirmed, occasion)
    case .correct(let target, let value): return [try correct(try find(target), to: value, occasion)]
    case .set(let target, let settings): return try set(try find(target), settings, occasion)
    case .lock(let target, let isLocked): return [lock(try find(target), isLocked, occasion)]
    case .move(let target, let place): return try move(try find(target), to: place, occasion)
    case .clock(let target, let verb): return [try clock(try find(target), verb, occasion)]
    case .createGroup(let name, let settings): return [try createGroup(name, settings, occasion)]
    case .setGroup(let name, let settings): return try setGroup(try findGroup(name), settings, occasion)
    case .removeGroup(let name): return try removeGroup(try findGroup(name), occasion)
    case .moveGroup(let name, let place): return try moveGroup(try findGroup(name), to: place, occasion)
    case .renew(let id): return renew(id, occasion)
    case .createFormula(let name, let settings): return [try createFormula(name, settings, occasion)]
    case .setFormula(let name, let settings): return try setFormula(try findFormula(name), settings, occasion)
    case .note(let event, let text): return [try note(event, text, occasion)]
    case .undo(let events, let reach): return try takeBack(events, as: .undone, reach, occasion)
    case .redo(let events, let reach): return try takeBack(events, as: .redone, reach, occasion)
    }
  }

  // MARK: Being there

  mutating func create(
    _ name: String, _ decimals: Int64, _ isStopwatch: Bool, _ settings: Settings, _ occasion: Occasion
  ) throws(CountingError) -> Event {
    let name = try CounterName(name)
    try checkFree(name)
    guard 0...9 ~= decimals else { throw .badSetting("decimals", reason: "it is not from 0 to 9") }
    if isStopwatch, decimals != 0 { throw .badSetting("decimals", reason: "a stopwatch counts whole microseconds") }
    var counter = Counter(
      id: .init(lastID &+ 1), name: name, title: name.text, start: 0, step: Counter.usualStep(decimals, isStopwatch),
      value: 0, decimals: decimals, isStopwatch: isStopwatch)
    var settings = settings
    settings[.name] = nil
    counter.began = occasion.time
    let alterations = try apply(settings, to: &counter, at: occasion.time)
    if settings[.order] == nil { counter.order = behindLast(of: counter.group) }
    counter.value = counter.start
    put(counter)
    lastID = counter.id.number
    return record(.created, counter, occasion, presence: .appeared, alterations: alterations)
  }

  private mutating func remove(_ counter: Counter, _ occasion: Occasion) throws(CountingError) -> Event {
    try checkUnlocked(counter)
    let marks: Event.Marks = discard(counter) ? .wasCurrent : []
    return record(.removed, counter, occasion, presence: .disappeared, marks: marks)
  }

  mutating func put(_ counter: Counter) {
    set(counter.id, to: counter)
    if current == nil { current = counter.id }
  }

  /// Takes a counter away; the next one in order becomes the current one, or else the one before.
  ///
  /// - Returns: whether it was the current one.
  mutating func discard(_ counter: Counter) -> Bool {
    let wasCurrent = current == counter.id
    let heir = wasCurrent ? successor(of: counter) : nil
    set(counter.id, to: nil)
    if wasCurrent { current = heir?.id }
    return wasCurrent
  }

  // MARK: The current counter

  private mutating func select(_ counter: Counter, _ occasion: Occasion) -> Event {
    note(counter.id)
    current = counter.id
    return record(.selected, counter, occasion)
  }

  private func neighbour(_ direction: Change.Direction) throws(CountingError) -> Counter {
    let current = try find(.current)
    let others = members(of: current.group).filter { !$0.isArchived && $0.id != current.id }
    let (behind, ahead) = (others.filter { $0.place < current.place }, others.filter { $0.place > current.place })
    switch direction {
    case .next: return ahead.first ?? behind.first ?? current
    case .previous: return behind.last ?? ahead.last ?? current
    }
  }

  /// Who becomes the current counter when this one goes: the next one of its group, else the one before, else the first
  /// of all; archived ones only where there are no others.
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

  mutating func record(
    _ kind: Event.Kind, _ counter: Counter, _ occasion: Occasion, change: Int64 = 0,
    presence: Event.Presence = .unchanged, undoes: Int64? = nil, marks: Event.Marks = [], boundary: Int64? = nil,
    about: Int64? = nil, alterations: [Alteration] = []
  ) -> Event {
    lastSequence &+= 1
    return Event(
      sequence: lastSequence, time: occasion.time, kind: kind, counter: counter.id, name: counter.name,
      unit: counter.unit, change: change,
      value: counter.value, presence: presence, undoes: undoes, cause: occasion.cause,
      marks: alterations.isEmpty ? marks : marks.union(.altered), boundary: boundary, about: about,
      batch: occasion.batch, alterations: alterations)
  }

  /// Counters and formulas share their names, since formulas mention both.
  func checkFree(_ name: CounterName) throws(CountingError) {
    if counters[name] != nil { throw .counterExists(name.text) }
    if formulaRegistry[name] != nil { throw .formulaExists(name.text) }
  }

  /// Records what happened to a formula.
  mutating func record(
    _ kind: Event.Kind, _ formula: Formula, _ occasion: Occasion, presence: Event.Presence = .unchanged,
    undoes: Int64? = nil, marks: Event.Marks = [], alterations: [Alteration] = []
  ) -> Event {
    lastSequence &+= 1
    return Event(
      sequence: lastSequence, time: occasion.time, kind: kind, subject: .formula, counter: formula.id,
      name: formula.name, change: 0, value: 0, presence: presence, undoes: undoes, cause: occasion.cause,
      marks: alterations.isEmpty ? marks : marks.union(.altered), batch: occasion.batch, alterations: alterations)
  }

  /// Records what happened to a group, or to all counters where there is none.
  mutating func record(
    _ kind: Event.Kind, _ group: Group?, _ occasion: Occasion, presence: Event.Presence = .unchanged,
    undoes: Int64? = nil, marks: Event.Marks = [], about: Int64? = nil, alterations: [Alteration] = []
  ) -> Event {
    lastSequence &+= 1
    return Event(
      sequence: lastSequence, time: occasion.time, kind: kind, subject: group == nil ? .all : .group,
      counter: group?.id ?? .all, name: group?.name ?? CounterName(trusted: ""), change: 0, value: 0,
      presence: presence, undoes: undoes, cause: occasion.cause,
      marks: alterations.isEmpty ? marks : marks.union(.altered), about: about, batch: occasion.batch,
      alterations: alterations)
  }
}

extension Counter.ID {
  /// What events refer to that concern all counters.
  public static let all = Counter.ID(0)
}

extension Counter {
  /// The step where none was asked for: one of what people count, a second for a stopwatch.
  static func usualStep(_ decimals: Int64, _ isStopwatch: Bool) -> Int64 {
    isStopwatch ? 1_000_000 : (0..<decimals).reduce(1) { step, _ in step * 10 }
  }
}
