import Counting

/// What other counters write: counts at their times, and values.
extension Intake {
  mutating func takeCounts(_ archive: Archive) throws {
    for (name, moment, amount) in archive.counts {
      let counter = try counter(named: name, title: nil, like: amount)
      let change = try counter.unit.number(amount)
      let event = Event(
        sequence: 0, time: moment, kind: change < 0 ? .subtracted : .added, counter: counter.id,
        name: counter.name,
        change: change, value: 0, cause: Cause(producer: "import"))
      if counter.id.number <= ledger.lastNumber, try duplicate(event, of: counter.id) != nil {
        result.duplicates += 1
        continue
      }
      try self.change(counter, by: change, event)
    }
    for (name, title, text) in archive.values {
      let counter = try counter(named: name, title: title, like: text)
      let value = try counter.unit.number(text)
      let (change, overflow) = value.subtractingReportingOverflow(
        values[counter.id] ?? counter.value)
      if overflow {
        throw ArchiveError.counting(.overflow(name.shortened, value: counter.value, change: value))
      }
      guard change != 0 else {
        result.duplicates += 1
        continue
      }
      try self.change(
        counter, by: change,
        Event(
          sequence: 0, time: time, kind: .corrected, counter: counter.id, name: counter.name,
          change: change, value: 0,
          cause: Cause(producer: "import")))
    }
  }

  private mutating func change(_ counter: Counter, by change: Int64, _ event: Event) throws {
    let (value, overflow) = (values[counter.id] ?? counter.value).addingReportingOverflow(change)
    if overflow {
      throw ArchiveError.counting(
        .overflow(counter.name.text, value: counter.value, change: change))
    }
    values[counter.id] = value
    touched[counter.id] = counter.name.text
    try append(
      Event(
        sequence: 0, time: event.time, kind: event.kind, counter: counter.id, name: counter.name,
        change: change,
        value: value, cause: event.cause))
  }

  /// The counter of a name, which is made if there is none, with as many decimals as `text` has.
  private mutating func counter(named name: String, title: String?, like text: String) throws
    -> Counter
  {
    if let counter = made[name] { return counter }
    if let here = try? ledger.find(.named(name)) { return here }
    guard !taken.contains(name) else { throw ArchiveError.clash(name.shortened) }
    lastID += 1
    let id = Counter.ID(lastID)
    let decimals = Int64(
      min(9, text.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0))
    let checkedTitle = try Field.title.accepted(title.map(Field.Value.text) ?? .none).text
    let checked = try CounterName(name)
    var counter = Counter(
      id: id, name: checked, title: checkedTitle ?? checked.text, start: 0,
      step: (0..<decimals).reduce(1) { step, _ in step * 10 },
      value: 0, decimals: decimals)
    counter.order = id.number << 20
    made[name] = counter
    result.counters += 1
    touched[id] = name
    try store.statements.saveCounter.run(CounterRow.values(of: counter))
    try store.statements.addStanding.run(.integer(id.number), 0)
    try append(
      Event(
        sequence: 0, time: time, kind: .created, counter: id, name: checked, change: 0, value: 0,
        presence: .appeared,
        cause: Cause(producer: "import")))
    values[id] = 0
    return counter
  }
}
