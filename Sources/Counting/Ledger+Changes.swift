/// The rules for what may happen, and what it becomes.
extension Ledger {
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
      return [select(try find(target), time, cause)]
    case .selectNeighbour(let direction):
      return [select(try neighbour(direction), time, cause)]
    case .remove(let target):
      let counter = try find(target)
      discard(counter)
      return [record(.removed, counter, change: 0, time, cause, presence: .disappeared)]
    case .reset(let target, let isConfirmed):
      return [try reset(try find(target), isConfirmed, time, cause)]
    case .correct(let target, let value):
      return [try set(try find(target), to: value, .corrected, time, cause)]
    case .undo(let event, let revived):
      return [try takeBack(event, as: .undone, revived, time, cause)]
    case .redo(let event, let revived):
      return [try takeBack(event, as: .redone, revived, time, cause)]
    }
  }

  private mutating func select(_ counter: Counter, _ time: Int64, _ cause: Cause) -> Event {
    note(counter.id)
    current = counter.id
    return record(.selected, counter, change: 0, time, cause)
  }

  private func neighbour(_ direction: Change.Direction) throws(CountingError) -> Counter {
    let current = try find(.current)
    let others = counters.values.filter { $0.id != current.id }
    let (behind, ahead) = (others.filter { $0.id < current.id }, others.filter { $0.id > current.id })
    func first(_ counters: [Counter]) -> Counter? { counters.min { $0.id < $1.id } }
    func last(_ counters: [Counter]) -> Counter? { counters.max { $0.id < $1.id } }
    switch direction {
    case .next: return first(ahead) ?? first(behind) ?? current
    case .previous: return last(behind) ?? last(ahead) ?? current
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
    return record(.created, counter, change: 0, time, cause, presence: .appeared)
  }

  private mutating func count(
    _ target: Change.Target, _ kind: Event.Kind, _ amount: Int64?, sign: Int64, _ time: Int64, _ cause: Cause
  ) throws(CountingError) -> [Event] {
    if let amount, amount < 1 { throw .badAmount(amount) }
    var events: [Event] = []
    if target == .current, isEmpty { events.append(try create(CounterName.first.text, nil, 0, 1, time, cause)) }
    var counter = try find(target)
    // Whoever goes on counting does not mean to reset.
    counter.armedAt = nil
    // An amount is 1 or more, so its negative exists.
    let change = sign * (amount ?? counter.step)
    counter.value = try Self.sum(counter, change)
    replace(counter)
    events.append(record(kind, counter, change: change, time, cause))
    return events
  }

  /// Judged by the times of the two requests, not by when they arrive: what was done while the core was away counts
  /// the same as it would have then.
  private mutating func reset(
    _ counter: Counter, _ isConfirmed: Bool, _ time: Int64, _ cause: Cause
  ) throws(CountingError) -> Event {
    let waited = counter.armedAt.map { time.subtractingReportingOverflow($0) }
    let isSecond = waited.map { !$0.overflow && 0...resetWindow ~= $0.partialValue } ?? false
    var counter = counter
    counter.armedAt = nil
    if isConfirmed || isSecond { return try set(counter, to: counter.start, .reset, time, cause) }
    counter.armedAt = time
    replace(counter)
    return record(.armed, counter, change: 0, time, cause)
  }

  private mutating func set(
    _ counter: Counter, to value: Int64, _ kind: Event.Kind, _ time: Int64, _ cause: Cause
  ) throws(CountingError) -> Event {
    let (change, overflow) = value.subtractingReportingOverflow(counter.value)
    // The history holds the change as well, which must fit like any other number.
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: value) }
    var counter = counter
    counter.value = value
    replace(counter)
    return record(kind, counter, change: change, time, cause)
  }

  /// Takes back an event: whatever it did to the value and to the counter's being there.
  private mutating func takeBack(
    _ event: Event, as kind: Event.Kind, _ revived: Counter?, _ time: Int64, _ cause: Cause
  ) throws(CountingError) -> Event {
    var counter: Counter
    var change: Int64 = 0
    switch event.presence {
    case .appeared:
      counter = try self.counter(of: event)
      discard(counter)
    case .disappeared:
      guard let revived else { throw .noSuchCounter(event.name.text) }
      guard ids[revived.name] == nil else { throw .counterExists(revived.name.text) }
      counter = revived
      put(counter)
    case .unchanged:
      counter = try self.counter(of: event)
      let (inverse, overflow) = (0 as Int64).subtractingReportingOverflow(event.change)
      if overflow { throw .overflow(counter.name.text, value: counter.value, change: event.change) }
      change = inverse
      counter.value = try Self.sum(counter, change)
      replace(counter)
    }
    return record(
      kind, counter, change: change, time, cause, presence: event.presence.inverse, undoes: event.sequence)
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

  private mutating func replace(_ counter: Counter) {
    note(counter.id)
    counters[counter.id] = counter
  }

  private mutating func record(
    _ kind: Event.Kind, _ counter: Counter, change: Int64, _ time: Int64, _ cause: Cause,
    presence: Event.Presence = .unchanged, undoes: Int64? = nil
  ) -> Event {
    lastSequence &+= 1
    return Event(
      sequence: lastSequence, time: time, kind: kind, counter: counter.id, name: counter.name, change: change,
      value: counter.value, presence: presence, undoes: undoes, cause: cause)
  }
}
