/// Taking back what happened.
extension Ledger {
  /// Takes back events, the last first: whatever they did to values, to fields and to being there.
  mutating func takeBack(
    _ events: [Change.Takeback], as kind: Event.Kind, _ reach: Change.Reach, _ occasion: Occasion
  ) throws(CountingError) -> [Event] {
    var occasion = occasion
    if events.count > 1 { occasion.batch = lastSequence &+ 1 }
    let marks: Event.Marks =
      switch reach {
      case .one: []
      case .counter: .lastOfCounter
      case .all: [.lastOfAll, .lastOfCounter]
      }
    var taken: [Event] = []
    for takeback in events.sorted(by: { $0.event.sequence > $1.event.sequence }) {
      taken.append(try takeBack(takeback, as: kind, marks, occasion))
    }
    return taken
  }

  private mutating func takeBack(
    _ takeback: Change.Takeback, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Occasion
  ) throws(CountingError) -> Event {
    let event = takeback.event
    if event.about != nil, let alteration = event.alterations.first {
      return try note(event, alteration.inverse, kind, undoes: event.sequence, marks: marks, occasion)
    }
    switch event.subject {
    case .all:
      note(.all)
      return record(kind, nil, occasion, undoes: event.sequence, marks: marks)
    case .group: return try takeBackGroup(takeback, as: kind, marks, occasion)
    case .formula: return try takeBackFormula(takeback, as: kind, marks, occasion)
    case .counter: break
    }
    let marks = marks.union(event.marks.intersection(.madeToCount))
    switch event.presence {
    case .appeared:
      let counter = try self.counter(of: event)
      try checkUnlocked(counter)
      let marks = discard(counter) ? marks.union(.wasCurrent) : marks
      return record(
        kind, counter, occasion, presence: .disappeared, undoes: event.sequence, marks: marks)
    case .disappeared:
      guard case .counter(var counter)? = takeback.removed else { throw .noSuchCounter(event.name.text) }
      try checkFree(counter.name)
      // Its group may have gone meanwhile.
      if let group = counter.group, groupRegistry[group] == nil { counter.group = nil }
      put(counter)
      if event.marks.contains(.wasCurrent) { current = counter.id }
      return record(kind, counter, occasion, presence: .appeared, undoes: event.sequence, marks: marks)
    case .unchanged: return try takeBackChange(event, as: kind, marks, occasion)
    }
  }

  private mutating func takeBackChange(
    _ event: Event, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Occasion
  ) throws(CountingError) -> Event {
    var counter = try counter(of: event)
    try checkUnlocked(counter)
    let (change, overflow) = (0 as Int64).subtractingReportingOverflow(event.change)
    if overflow { throw .overflow(counter.name.text, value: counter.value, change: event.change) }
    let (value, beyond) = counter.value.addingReportingOverflow(change)
    if beyond { throw .overflow(counter.name.text, value: counter.value, change: change) }
    let before = counter
    // When it begins anew follows from the clock, whatever is taken back.
    for alteration in event.alterations where alteration.field != .renewsAt {
      if alteration.field == .group, let group = alteration.before.integer, groupRegistry[.init(group)] == nil {
        throw .noSuchGroup("\(group)")
      }
      counter[alteration.field] = alteration.before
    }
    counter.value = value
    if counter.period != before.period { counter.renewsAt = renewal(of: counter, after: occasion.time) }
    // What happened in between may have left another value than the one that was reached or not.
    _ = counter.updateReached(at: occasion.time)
    if counter.name != before.name { try checkFree(counter.name) }
    let alterations = Field.allCases.compactMap { field in
      before[field] == counter[field] ? nil : Alteration(field, from: before[field], to: counter[field])
    }
    var marks = marks
    let heir = counter.isArchived && !before.isArchived && current == counter.id ? successor(of: before) : nil
    set(counter.id, to: counter)
    disarm(counter)
    if event.marks.contains(.wasCurrent) { current = counter.id }
    if let heir, !heir.isArchived {
      current = heir.id
      marks.insert(.wasCurrent)
    }
    return record(
      kind, counter, occasion, change: change, undoes: event.sequence, marks: marks, alterations: alterations)
  }

  private mutating func takeBackGroup(
    _ takeback: Change.Takeback, as kind: Event.Kind, _ marks: Event.Marks, _ occasion: Occasion
  ) throws(CountingError) -> Event {
    let event = takeback.event
    if event.presence == .disappeared {
      guard case .group(let group)? = takeback.removed else { throw .noSuchGroup(event.name.text) }
      guard groupRegistry[group.name] == nil else { throw .groupExists(group.name.text) }
      setGroup(group.id, to: group)
      return record(kind, group, occasion, presence: .appeared, undoes: event.sequence, marks: marks)
    }
    guard var group = groupRegistry[event.counter] else { throw .noSuchGroup(event.name.text) }
    if event.presence == .appeared {
      guard members(of: group.id).isEmpty else { throw Field.group.bad("counters belong to “\(group.name)” by now") }
      setGroup(group.id, to: nil)
      return record(kind, group, occasion, presence: .disappeared, undoes: event.sequence, marks: marks)
    }
    let name = group.name
    for alteration in event.alterations { group[alteration.field] = alteration.before }
    if group.name != name, groupRegistry[group.name] != nil { throw .groupExists(group.name.text) }
    setGroup(group.id, to: group)
    return record(
      kind, group, occasion, undoes: event.sequence, marks: marks, alterations: event.alterations.map(\.inverse))
  }

  private func counter(of event: Event) throws(CountingError) -> Counter {
    guard let counter = counters[event.counter] else { throw .noSuchCounter(event.name.text) }
    return counter
  }
}
