/// Counters with their groups and their history, as they go from one machine to another. The numbers of counters, groups
/// and events are those of the machine that they come from.
public struct Archive: Sendable {
  /// A counter, and whether it was removed since.
  public struct Entry: Sendable {
    public var counter: Counter
    public var isRemoved: Bool

    public init(_ counter: Counter, isRemoved: Bool) {
      self.counter = counter
      self.isRemoved = isRemoved
    }
  }

  public var groups: [Group] = []
  public var counters: [Entry] = []
  /// The counter that gestures meant.
  public var current: Counter.ID?
  public var formulas: [Formula] = []
  /// Those of the groups and formulas that were removed since.
  public var removed: Set<Counter.ID> = []
  /// In order.
  public var events: [Event] = []
  /// Counters that are to stand at a value, which is written as people write it.
  public var values: [(name: String, title: String?, value: String)] = []
  /// Counts that were made elsewhere: when, and how much.
  public var counts: [(name: String, time: Int64, amount: String)] = []

  public init() {}

  /// What happens to a counter of a name that there is here already. The raw value is what the socket calls it.
  public enum Clash: String, CaseIterable, Sendable {
    /// Nothing is taken in at all.
    case refuse
    /// What is here stays, and the other one is left out.
    case keep
    /// The other one gets a name with a number behind it.
    case rename
    /// What is new of its history is added here.
    case merge
  }

  /// Makes sure that all of it fits together, whoever wrote it.
  ///
  /// - Throws: an ``ArchiveError`` that says what does not.
  public func check() throws(ArchiveError) {
    try checkNames()
    var numbers: Set<Counter.ID> = []
    for group in groups {
      guard group.id.number > 0, numbers.insert(group.id).inserted else {
        throw .twice(group.id.number)
      }
      try Self.check(group.name) { field throws(CountingError) in
        group[field] == .none ? .none : try field.checked(group[field], for: nil)
      }
    }
    let groupNumbers = numbers
    for formula in formulas {
      guard formula.id.number > 0, numbers.insert(formula.id).inserted else {
        throw .twice(formula.id.number)
      }
      try Self.check(formula.name) { field throws(CountingError) in
        formula[field] == .none ? .none : try field.checked(formula[field], for: nil)
      }
    }
    var values: [Counter.ID: Int64] = [:]
    for entry in counters {
      let counter = entry.counter
      guard counter.id.number > 0, numbers.insert(counter.id).inserted else {
        throw .twice(counter.id.number)
      }
      try Self.check(counter.name) { field throws(CountingError) in
        counter[field] == .none ? .none : try field.checked(counter[field], for: counter)
      }
      do throws(CountingError) { try counter.check() } catch { throw .counting(error) }
      if let group = counter.group, !groupNumbers.contains(group) { throw .missing(group.number) }
      values[counter.id] = counter.value
    }
    try checkEvents(values, numbers)
    for count in counts where !(Event.times ~= count.time) { throw .time(count.name) }
  }

  /// Those that are there have names of their own.
  private func checkNames() throws(ArchiveError) {
    var (names, groupNames): (Set<CounterName>, Set<CounterName>) = ([], [])
    for group in groups where !removed.contains(group.id) && !groupNames.insert(group.name).inserted {
      throw .twiceNamed(group.name.text)
    }
    let standing =
      counters.filter { !$0.isRemoved }.map(\.counter.name)
      + formulas.filter { !removed.contains($0.id) }.map(\.name)
    for name in standing where !names.insert(name).inserted { throw .twiceNamed(name.text) }
  }

  private static func check(
    _ name: CounterName, _ checked: (Field) throws(CountingError) -> Field.Value
  ) throws(ArchiveError) {
    do throws(CountingError) {
      _ = try CounterName(name.text)
      for field in Field.allCases where field.isSetting && field != .group {
        _ = try checked(field)
      }
    } catch {
      throw .counting(error)
    }
  }

  /// Events must be in order, and the values their fold.
  private func checkEvents(_ values: [Counter.ID: Int64], _ numbers: Set<Counter.ID>)
    throws(ArchiveError)
  {
    var (standing, last) = ([Counter.ID: Int64](), Int64(0))
    for event in events {
      guard event.sequence > last else { throw .event(event.sequence, "it is out of order") }
      last = event.sequence
      guard Event.times ~= event.time else { throw .event(event.sequence, "its time is none") }
      // What happened to a formula that an earlier version left out is left out, too.
      guard [.all, .formula].contains(event.subject) || numbers.contains(event.counter) else {
        throw .missing(event.counter.number)
      }
      for earlier in [event.undoes, event.about].compactMap(\.self)
      where !(1..<event.sequence ~= earlier) {
        throw .event(event.sequence, "it refers to event \(earlier)")
      }
      if let note = event.note, note.utf8.count > 8000 {
        throw .event(event.sequence, "its note is too long")
      }
      let labels = [event.cause.producer, event.cause.device, event.cause.gesture].compactMap(
        \.self)
      guard labels.allSatisfy({ 1...128 ~= $0.utf8.count }) else {
        throw .event(event.sequence, "its cause is none")
      }
      guard event.subject == .counter else { continue }
      if let before = standing[event.counter],
        before.addingReportingOverflow(event.change) != (event.value, false)
      {
        throw .event(event.sequence, "\(before) changed by \(event.change) is not \(event.value)")
      }
      standing[event.counter] = event.value
    }
    for (id, value) in standing where values[id] != value {
      throw .event(last, "the value of counter \(id.number) is not what its events add up to")
    }
  }
}

extension Field {
  /// A setting as it is kept, for anything.
  ///
  /// - Throws: why it cannot be that.
  public func accepted(_ value: Value) throws(CountingError) -> Value {
    try checked(value, for: nil)
  }
}

extension Ledger {
  /// The highest number ever given out to a counter, a group or a formula.
  public var lastNumber: Int64 { lastID }
}

/// Why an archive is not taken in. Nothing has changed when one of these is thrown.
public enum ArchiveError: Error, Equatable, Sendable {
  case twice(Int64)
  case twiceNamed(String)
  case missing(Int64)
  case event(Int64, String)
  /// A count of this name was made at a time that no calendar shows.
  case time(String)
  case counting(CountingError)
  /// There is a counter or a formula of this name here already.
  case clash(String)
  /// There is a counter of this name here already that counts something else: other decimals, or time.
  case otherKind(String)

  /// What is wrong, in a sentence.
  public var message: String {
    switch self {
    case .twice(let number): "The number \(number) is given twice."
    case .twiceNamed(let name): "The name “\(name.shortened)” is given twice."
    case .missing(let number): "Counter or group \(number) is referred to and missing."
    case .event(let sequence, let reason): "Event \(sequence) makes no sense: \(reason)."
    case .time(let name): "A count of “\(name.shortened)” lies before 1970 or behind the year 9999."
    case .counting(let error): error.message
    case .clash(let name): "There is a counter called “\(name)” here already."
    case .otherKind(let name):
      "“\(name)” counts in another unit here, so the two cannot become one."
    }
  }
}
