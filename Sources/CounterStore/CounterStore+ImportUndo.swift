public import Counting

/// Finds the events for the undo of an import, which is one step.
extension CounterStore {
  /// An event with its undo, the redo of that, and so on; at least the event.
  func chain(of event: Event) throws(StoreError) -> [Event] {
    var chain = [event]
    // The undo of an event comes after it, except in a damaged journal.
    while let last = chain.last, let next = try taker(of: last.sequence), next > last.sequence,
      let taker = try recorded(next)
    {
      chain.append(taker)
    }
    return chain
  }

  /// The event whose undo undoes an event that stands: the event itself or, if an import undid it, the undo of the
  /// import. `nil` if the event is undone, or was redone by a redo, which is undone first.
  func standing(_ event: Event) throws(StoreError) -> Event? {
    guard var last = try taker(of: event.sequence) else { return event }
    guard try importSpan(holding: last) != nil else { return nil }
    var stands = false
    while let next = try taker(of: last), next > last { (last, stands) = (next, !stands) }
    return stands ? try recorded(last) : nil
  }

  /// Follows the undos of the import that a link of a chain came with, and the redos and repetitions of that import.
  ///
  /// - Parameter isEnd: whether to stop before a link.
  /// - Returns: the index in the chain of the last of them, or of the link itself, and whether it is an undo.
  func importTail(
    of chain: [Event], from start: Int = 0, until isEnd: (Event) -> Bool = { _ in false }
  ) throws(StoreError) -> (place: Int, isUndone: Bool) {
    var place = start
    guard place + 1 < chain.count, try importSpan(holding: chain[place].sequence) != nil else { return (place, false) }
    while place + 1 < chain.count, !isEnd(chain[place + 1]), try importSpan(holding: chain[place + 1].sequence) == nil {
      guard place + 2 < chain.count else { return (place + 1, true) }
      place += 2
    }
    return (place, false)
  }

  /// The event with a sequence number; `nil` if there is none.
  func recorded(_ sequence: Int64) throws(StoreError) -> Event? {
    try statements.eventsBetween.rows(.integer(sequence), .integer(sequence)) { row throws(StoreError) in
      try event(row)
    }.first
  }

  /// Whether an event came with an import, or took back one that did.
  public func isImported(_ event: Event) throws(StoreError) -> Bool {
    if try importSpan(holding: event.sequence) != nil { return true }
    guard let undone = event.undoes else { return false }
    return try importSpan(holding: undone) != nil
  }

  /// The sequence numbers of the import that an event came with.
  func importSpan(holding sequence: Int64) throws(StoreError) -> ClosedRange<Int64>? {
    try statements.importHolding.rows(.integer(sequence)) { row throws(StoreError) in
      row.integer(0)...max(row.integer(0), row.integer(1))
    }.first
  }

  /// The key of ``effective``.
  struct ImportOfCounter: Hashable {
    let first: Int64
    let counter: Counter.ID?
  }

  /// An event whose undo is a part of the undo of an import, if one is known: to find all of them takes long.
  func oneEffective(of span: ClosedRange<Int64>, _ counter: Counter.ID?) throws(StoreError) -> Event? {
    guard let sequence = effective[.init(first: span.lowerBound, counter: counter)],
      let event = try recorded(sequence), try !isTakenBack(event)
    else { return nil }
    return event
  }

  func rememberEffective(_ event: Event?, of span: ClosedRange<Int64>, _ counter: Counter.ID?) {
    if effective.count >= 1024 { effective.removeAll() }
    effective[.init(first: span.lowerBound, counter: counter)] = event?.sequence
  }

  /// The events whose undo takes an import back, in the order of their undo: all that are not undone, without undos and
  /// redos that cancel out within the import.
  ///
  /// An entity that the import created loses its counts and is removed: changes of its name and settings need not be
  /// undone, and a name that has a new owner causes no conflict. Those that the import also removed come last, one
  /// after the other, when the names of the others are free.
  func effectiveEvents(
    of span: ClosedRange<Int64>, _ counter: Counter.ID?, in ledger: Ledger
  ) throws(StoreError) -> [Event] {
    // The last event of each chain of an event, its undo, its redo and so on, as far as the import added to it.
    var open: [Int64: (event: Event, steps: Int, counts: Bool)] = [:]
    var created: Set<Entity.Key> = []
    _ = try statements.changesBetween.each([.integer(span.lowerBound), .integer(span.upperBound)]) {
      row throws(StoreError) in
      let event = try self.event(row)
      if event.kind == .created { created.insert(Entity.Key(event)) }
      let before = event.undoes.flatMap { open.removeValue(forKey: $0) }
      open[event.sequence] = (event, (before?.steps ?? 0) + 1, before?.counts ?? event.counts)
    }
    var standing: [(event: Event, counts: Bool)] = []
    for (sequence, (event, steps, counts)) in open
    where !steps.isMultiple(of: 2) && (counter == nil || event.counter == counter) {
      if event.closesEndedPeriod {
        // It is undone with its count, and without effect if that is undone.
        guard let (count, steps, _) = open[sequence - 1], !steps.isMultiple(of: 2), try self.standing(count) != nil
        else { continue }
      }
      if let event = try self.standing(event) { standing.append((event, counts)) }
    }
    let removed = Set(standing.lazy.filter { $0.event.presence == .disappeared }.map { Entity.Key($0.event) })
    let effective = standing.compactMap { event, counts in
      let key = Entity.Key(event)
      let origin: ImportRank.Origin =
        if !created.contains(key) {
          .older
        } else if ledger.entity(key.subject, key.id) != nil {
          .created
        } else {
          removed.contains(key) ? .removed : .cancelled
        }
      return ImportRank(event, counts: counts, of: origin).map { (event: event, rank: $0) }
    }
    return effective.sorted { ($0.rank, $1.event.sequence) < ($1.rank, $0.event.sequence) }.map(\.event)
  }

  /// The place of an event in the undo of an import. The counts of an entity come between its revival and the undo of its
  /// creation, whose event may be earlier: an undo and a redo of the creation leave the redo.
  private struct ImportRank: Comparable {
    private let place: (step: Step, entity: Int64, phase: Phase)

    /// The origin of an event's entity, as far as the import is concerned.
    enum Origin {
      /// The entity existed before.
      case older
      /// The import created the entity, which still exists.
      case created
      /// The import created and removed the entity.
      case removed
      /// The import created the entity and took the creation back.
      case cancelled
    }

    private enum Step: Int {
      case counts
      case creations
      /// One entity after the other.
      case removed
      /// Groups go after their members.
      case groups
    }

    private enum Phase: Int {
      case revival
      case counts
      case creation
    }

    /// `nil` if the event need not be undone.
    ///
    /// - Parameter counts: whether the event is a count, or an undo or redo of one.
    init?(_ event: Event, counts: Bool, of origin: Origin) {
      let phase: Phase =
        switch event.presence {
        case .disappeared: .revival
        case .unchanged: .counts
        case .appeared: .creation
        }
      switch (origin, event.subject) {
      case (.older, _): place = (.counts, 0, .counts)
      case (.cancelled, _): return nil
      case (_, .counter) where phase == .counts && !counts: return nil
      case (.removed, .counter): place = (.removed, event.counter.number, phase)
      // Nothing is counted with the others; once removed, they leave nothing.
      case (.removed, _): return nil
      case (.created, .counter): place = (phase == .counts ? .counts : .creations, 0, phase)
      case (.created, _) where phase == .counts: return nil
      case (.created, let subject): place = (subject == .group ? .groups : .creations, 0, phase)
      }
    }

    private var order: (Int, Int64, Int) { (place.step.rawValue, place.entity, place.phase.rawValue) }

    static func < (one: ImportRank, other: ImportRank) -> Bool { one.order < other.order }
    static func == (one: ImportRank, other: ImportRank) -> Bool { one.order == other.order }
  }
}

extension Event {
  /// Whether the event is a count, or changed a value or a running stopwatch.
  fileprivate var counts: Bool { change != 0 || kind.isCount || kind.isTiming }
}
