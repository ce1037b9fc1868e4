public import Calendars

/// Counters, groups and formulas with their history, for transfer between cores. IDs and sequence numbers are those of
/// the core that wrote the archive.
public struct Archive: Sendable {
  /// The state of an entity at the time of the export.
  public struct Entry: Equatable, Sendable {
    public var entity: Entity
    /// Whether the entity had been removed.
    public var isRemoved: Bool
    /// The line of the file, from 1; `nil` if unknown.
    public let line: Int64?
    /// Whether the history counts also where an earlier import set the counter to a value that may contain it.
    public let isFurther: Bool

    public init(_ entity: Entity, isRemoved: Bool = false, line: Int64? = nil, isFurther: Bool = false) {
      self.entity = entity
      self.isRemoved = isRemoved
      self.line = line
      self.isFurther = isFurther
    }
  }

  /// A count recorded by another program.
  public struct Count: Equatable, Sendable {
    public let name: String
    /// The time in microseconds since 1970.
    public let time: Int64
    /// A decimal number; negative for a subtraction.
    public let amount: String
    /// The title of a counter that does not exist yet.
    public let title: String?
    /// The treatment of a count that an earlier import brought with another amount; `nil` if none was chosen.
    public let again: Again?
    /// The line of the file, from 1; `nil` if unknown.
    public let line: Int64?
    /// The day, if the file has one without a time; `time` is its midnight then. The day of the counter may begin
    /// later.
    public let day: CalendarDate?

    public init(
      name: String, time: Int64, amount: String, title: String? = nil, again: Again? = nil, line: Int64? = nil,
      day: CalendarDate? = nil
    ) {
      self.line = line
      self.day = day
      self.name = name
      self.title = title
      self.time = time
      self.amount = amount
      self.again = again
    }

    /// How a later import treats the amount that an earlier one has counted for the same counter and time.
    public enum Again: String, Sendable {
      /// The later amount replaces the earlier one: only the difference is counted.
      case replace
      /// The later amount is counted in addition to the earlier one.
      case add
    }
  }

  /// A counter value recorded by another program.
  public struct Value: Equatable, Sendable {
    public let name: String
    public let title: String?
    /// A decimal number.
    public let value: String
    /// The time since which the counter has the value, in microseconds since 1970; `nil` if unknown.
    public let time: Int64?
    /// The line of the file, from 1; `nil` if unknown.
    public let line: Int64?

    public init(name: String, title: String?, value: String, time: Int64? = nil, line: Int64? = nil) {
      self.time = time
      self.line = line
      self.name = name
      self.title = title
      self.value = value
    }
  }

  /// The name of the file, as the device of a cause; `nil` if unknown.
  public var file: String?
  public private(set) var entries: [Entry] = []
  /// The current counter.
  public var current: Counter.ID?
  public var values: [Value] = []
  public var counts: [Count] = []
  /// The events in order. Each call of `forEach` reads them again, so that they need not be in memory.
  public var events: any ArchivedEvents = [Event]()

  /// The first event of each entity.
  public private(set) var firstEvents: [Counter.ID: Event] = [:]
  /// The undos and redos of the first event of each entity, if there are any.
  public private(set) var creationChains: [Counter.ID: UndoChain] = [:]
  /// The entities by the number of their first event, or of the latest undo or redo of that event.
  private var creations: [Int64: Counter.ID] = [:]
  /// The times of the first and the last event, in microseconds since 1970.
  public private(set) var span: ClosedRange<Int64>?
  /// Whether the archive has events of all counters together.
  public private(set) var concernsAll = false
  private var lastSequence: Int64 = 0
  private var numbers: Set<Counter.ID> = []
  /// The names in use by groups, and those in use by counters and formulas.
  private var names: (groups: Set<CounterName>, others: Set<CounterName>) = ([], [])

  public init() {}

  /// The treatment of a counter or formula whose name is in use. The raw value is that of the interface.
  public enum Clash: String, CaseIterable, Sendable {
    /// The import is refused.
    case refuse
    /// The existing entity stays, and the imported one is left out.
    case keep
    /// The imported entity gets a name with a number appended.
    case rename
    /// The existing entity receives the new events of the imported history.
    case merge
  }

  /// The names of the counters to which the import may add.
  public var mergeableNames: Set<String> {
    Set(entries.map(\.entity.name.text)).union(counts.map(\.name)).union(values.map(\.name))
  }

  /// Adds an entity.
  ///
  /// - Throws: ``ArchiveError`` for an entity that breaks a rule, or whose ID or name is in use already.
  public mutating func add(_ entry: Entry) throws(ArchiveError) {
    let id = entry.entity.id
    guard id.number > 0, numbers.insert(id).inserted else { throw .repeatedNumber(id.number) }
    do throws(CountingError) {
      _ = try CounterName(entry.entity.name.text)
      for field in Field.allCases
      where !field.isPlausible(entry.entity[field]) && field.belongs(to: entry.entity.subject) {
        throw field.bad("it has the wrong type or is out of range")
      }
      if case .counter(let counter) = entry.entity { try counter.check() }
    } catch {
      throw .counting(error)
    }
    if !entry.isRemoved {
      let isNew =
        entry.entity.subject == .group
        ? names.groups.insert(entry.entity.name).inserted : names.others.insert(entry.entity.name).inserted
      guard isNew else { throw .repeatedName(entry.entity.name.text) }
    }
    entries.append(entry)
  }

  /// Checks and indexes an event. The caller must set ``events`` so that it contains the event.
  public mutating func add(_ event: Event) throws(ArchiveError) {
    guard event.sequence > lastSequence else { throw .event(event.sequence, "it is out of order") }
    lastSequence = event.sequence
    guard Event.times ~= event.time else {
      throw .event(event.sequence, "its time is not between the years 1970 and 9999")
    }
    for earlier in [event.undoes, event.about].compactMap(\.self) where !(1..<event.sequence ~= earlier) {
      throw .event(event.sequence, "it refers to event \(earlier), which is not an earlier event")
    }
    span = min(span?.lowerBound ?? event.time, event.time)...max(span?.upperBound ?? event.time, event.time)
    if event.subject == .all { concernsAll = true }
    if let id = event.undoes.flatMap({ creations.removeValue(forKey: $0) }) {
      creations[event.sequence] = id
      creationChains[id, default: .init()].add(event)
    }
    if event.about == nil, event.subject != .all, firstEvents[event.counter] == nil {
      firstEvents[event.counter] = event
      creations[event.sequence] = event.counter
    }
  }

  /// Adds a count recorded by another program.
  public mutating func add(_ count: Count) throws(ArchiveError) {
    guard Event.times ~= count.time else { throw .time(count.name) }
    counts.append(count)
  }
}

/// Events that can be read repeatedly, in order.
public protocol ArchivedEvents: Sendable {
  func each(_ body: (Event) throws -> Void) throws
}

extension Array: ArchivedEvents where Element == Event {
  public func each(_ body: (Event) throws -> Void) throws { for event in self { try body(event) } }
}

/// The reason for refusing an archive. The error is thrown before any change.
public enum ArchiveError: Error, Equatable, Sendable {
  case repeatedNumber(Int64)
  case repeatedName(String)
  /// An event refers to an entity that the archive does not contain.
  case missing(Int64)
  case event(Int64, String)
  /// The time of a count of this name is before 1970 or after the year 9999.
  case time(String)
  case counting(CountingError)
  /// A counter or formula with this name exists.
  case clash(String)
  /// A counter with this name exists, and the two differ in decimals or in being a stopwatch.
  case otherKind(String, line: Int64?)
  /// An earlier import brought another amount for this counter and time.
  case otherAmount(name: String, before: String, now: String, _ time: String, line: Int64?)
  /// The time of a count or a value is still to come, or out of range.
  case toCome(String, _ time: String, line: Int64?)
  /// The counts of the file may be in what is here; an undo here lets them be imported.
  case undoFirst(UndoFirst)
  /// A day without a time that has not begun for the counter of this name, and the time at which it begins.
  case dayToCome(String, CalendarDate, _ start: String, line: Int64?)
  /// A rule of a counter refuses a count of this time, or a value.
  case refused(Place, _ time: String?, CountingError)
  /// Several counters had this name when imports filled them, and have these names now.
  case renamed(String, [String])
  /// One counter had one of these names when an import filled it, and has or had the other; its name now.
  case oneCounter([String], String)
  /// Several counters have this title.
  case titled(String, [String])
  /// This counter is shared with a fleet, whose total an import would contradict.
  case sharedCounter(String)

  /// The place of a count in a file.
  public enum Place: Equatable, Sendable {
    case event(Int64)
    case row(line: Int64?)

    /// The place and the time as the beginning of a sentence; empty if unknown.
    func text(_ time: String? = nil) -> String {
      let place: String? =
        switch self {
        case .event(let sequence): "Event \(sequence)"
        case .row(let line): line.map { "Line \($0)" }
        }
      let texts = [place, time].compactMap(\.self)
      return texts.isEmpty ? "" : texts.joined(separator: ", ") + ": "
    }
  }

  /// A sentence for the user.
  public var message: String {
    switch self {
    case .repeatedNumber(let number): "The number \(number) is not positive, or is used by two entries."
    case .repeatedName(let name): "The name “\(name.shortened)” is used by two entries."
    case .missing(let number): "An event concerns counter or group \(number), which the file does not define."
    case .event(let sequence, let reason): "Event \(sequence) is not valid: \(reason)."
    case .time(let name): "A count of “\(name.shortened)” has a time before 1970 or after the year 9999."
    case .counting(let error): error.message
    case .clash(let name):
      "There is already a counter or formula called “\(name)” here. Choose what to do with it: tally adopt with --on-clash keep, rename or merge."
    case .otherKind(let name, let line):
      "\(Place.row(line: line).text())“\(name)” cannot be merged: the number of decimals differs, or only one of the two is a stopwatch. Give it another name in the file, or here: tally rename \(name) NEW"
    case .otherAmount(let name, let before, let now, let time, let line):
      "\(Place.row(line: line).text(time))an earlier import brought \(before) for “\(name.shortened)”, and the file has \(now). Choose whether that is the present amount or a further one: tally import with --again replace or --again add."
    case .toCome(let name, let time, let line):
      "\(Place.row(line: line).text(time))“\(name.shortened)” has a time that has not passed, or is out of range. Correct it, or import the row then."
    case .undoFirst(let refusal): refusal.message
    case .dayToCome(let name, let day, let start, let line):
      "\(Place.row(line: line).text("\(day)"))this day of “\(name.shortened)” begins at \(start), which is still to come. Import the row then."
    case .refused(let place, let time, let error): place.text(time) + error.message + (error.remedyOfImport ?? "")
    case .renamed(let name, let present):
      "The counters \(present.joined(separator: ", ")) were called “\(name.shortened)” when they were imported. Give the right one its name back first, such as: tally rename \(present[0]) \(name)"
    case .oneCounter(let names, let present):
      "\(names.map { "“\($0.shortened)”" }.joined(separator: " and ")) of the file are the counter “\(present)” here. Rename one of them in the file, or the counter here: tally rename \(present) NEW"
    case .titled(let title, let names):
      "The counters \(names.joined(separator: ", ")) have the title “\(title.shortened)”. Write the name of the right one in the file, or give one of them another title, such as: tally set \(names[0]) --title TITLE"
    case .sharedCounter(let name):
      "“\(name.shortened)” is shared with a fleet, so nothing can be imported here; leave the fleet first: tally fleet leave"
    }
  }
}

extension CountingError {
  /// The next step for the person whose import the error refused, after a space.
  fileprivate var remedyOfImport: String? {
    switch self {
    case .locked(let name): " Write: tally unlock \(name)"
    case .archived(let name): " Write: tally archive \(name) --back"
    case .limitReached(let name, _, .decimal):
      " Change the limit, or let it cut off what is beyond: tally set \(name) --limits stop"
    case .formulaExists(let name):
      " Give the counter another name in the file, or the formula here: tally rename \(name) NEW"
    case .badQuantity: " Correct it in the file, or give the counter another name there."
    default: nil
    }
  }
}

extension Field {
  /// Checks a setting of an export and returns it as it is stored.
  ///
  /// - Throws: ``CountingError`` with the rule that `value` breaks.
  public func accepted(_ value: Value) throws(CountingError) -> Value {
    try checked(value, for: nil)
  }
}
