public import Counting

/// Finds the events for the undo of an import. The undo is one step.
extension CounterStore {
  /// The event whose undo ends the effect of `event`: the event itself or, if the undo of an import redid it, that
  /// undo. `nil` if the event is not in effect, or if a redo put it into effect: the redo must be undone first.
  func standing(_ event: Event) throws(StoreError) -> Event? {
    guard let taker = try taker(of: event.sequence) else { return event }
    guard try importSpan(holding: taker) != nil else { return nil }
    let last = try reader.lastLink(of: event.sequence)
    return last.stands ? try recorded(last.sequence) : nil
  }

  /// The undos and redos of an event.
  func undoChain(of event: Event) throws(StoreError) -> UndoChain {
    var (chain, last) = (UndoChain(), event)
    // The undo of an event comes after it, except in a damaged journal.
    while let next = try taker(of: last.sequence), next > last.sequence, let taker = try recorded(next) {
      chain.add(taker)
      last = taker
    }
    return chain
  }

  /// The event with a sequence number; `nil` if there is none.
  func recorded(_ sequence: Int64) throws(StoreError) -> Event? {
    try statements.eventsBetween.rows(.integer(sequence), .integer(sequence)) { row throws(StoreError) in
      try event(row)
    }.first
  }

  /// Whether an event came with an import, or is an undo or redo of an imported event. Only the last 1,024 undos and
  /// redos of a chain are searched, to bound the time.
  public func isImported(_ event: Event) throws(StoreError) -> Bool {
    if try importSpan(holding: event.sequence) != nil { return true }
    guard let undone = event.undoes else { return false }
    return try statements.importInChain.number(.integer(undone)) == 1
  }

  /// All events in effect of an import, and their counters, groups and formulas.
  public func wholeImport(
    _ span: ClosedRange<Int64>, in ledger: Ledger
  ) throws(StoreError) -> (events: Undoable, subjects: Set<Counter.ID>) {
    let (sequences, ends, subjects) = try effectiveEvents(of: span, nil, in: ledger)
    return (try undoable(found(sequences, ends)), subjects)
  }

  /// Whether more than ``Undoable/mostAtOnce`` events of an import were never undone. Stops at that number;
  /// otherwise reads the whole import.
  public func isLarge(_ span: ClosedRange<Int64>, in ledger: Ledger) throws(StoreError) -> Bool {
    try flush(ledger.head)
    return try statements.manyEffectiveInImport.number(
      .null, .integer(span.upperBound), .null, .integer(span.lowerBound), .integer(Int64(Undoable.mostAtOnce))) == 1
  }

  /// Whether an event came with this import, or is an undo or redo of one of its events.
  public func belongs(_ event: Event, to span: ClosedRange<Int64>) throws(StoreError) -> Bool {
    var link = event
    while !span.contains(link.sequence), let undone = link.undoes, undone < link.sequence,
      let before = try recorded(undone)
    {
      link = before
    }
    return span.contains(link.sequence)
  }

  /// The sequence numbers of the import that an event came with.
  public func importSpan(holding sequence: Int64) throws(StoreError) -> ClosedRange<Int64>? {
    try statements.importHolding.rows(.integer(sequence)) { row throws(StoreError) in
      row.integer(0)...max(row.integer(0), row.integer(1))
    }.first
  }

  /// The key of ``effective``.
  struct ImportOfCounter: Hashable {
    let first: Int64
    let counter: Counter.ID?
  }

  /// An event that the undo of an import also undoes, if the event is known or can be found quickly. A search for all
  /// these events takes long.
  ///
  /// - Parameter last: the last event of the import that can be undone.
  func oneEffective(
    of span: ClosedRange<Int64>, _ counter: Counter.ID?, until last: Int64, in ledger: Ledger
  ) throws(StoreError) -> Event? {
    if let sequence = effective[.init(first: span.lowerBound, counter: counter)], let event = try recorded(sequence),
      try !isTakenBack(event)
    {
      return event
    }
    // If an entity still exists, its creation and its counts are always undone with the import.
    let summarised = try past.rollups.count() * Rollups.blockSize
    let found = try statements.effectiveInImport.rows(
      .init(counter?.number), .integer(last), .integer(summarised), .integer(span.lowerBound)
    ) { row throws(StoreError) in try event(row) }.first
    if let found { rememberEffective(found.sequence, of: span, counter) }
    return found
  }

  func rememberEffective(_ sequence: Int64?, of span: ClosedRange<Int64>, _ counter: Counter.ID?) {
    if effective.count >= 1024 { effective.removeAll() }
    effective[.init(first: span.lowerBound, counter: counter)] = sequence
  }

  /// The data of an imported event that its undo needs. Kept small, because there may be millions.
  private struct Link {
    let sequence: Int64
    let key: Entity.Key
    let presence: Event.Presence
    /// The first event of the chain in the import.
    var root: Int64
    /// Whether the first event of the chain is the end of a period.
    var isRenewal: Bool
    let closesEndedPeriod: Bool
    /// Whether the event is a count, or an undo or redo of one.
    var counts: Bool
    /// Whether the import added an odd number of events to the chain.
    var isOdd = true
    /// Whether the event is the last one of its chain.
    var isLast = true

    /// - Parameter row: a row of ``Statements/changesBetween``.
    init(_ row: Statement) {
      sequence = row.integer(0)
      root = sequence
      let kind = Event.Kind(rawValue: row.text(1))
      key = .init(subject: Event.Subject(rawValue: row.text(3)) ?? .counter, id: .init(row.integer(2)))
      presence = Event.Presence(rawValue: row.integer(5)) ?? .unchanged
      isRenewal = kind == .renewed
      closesEndedPeriod = isRenewal && !Event.Marks(rawValue: row.integer(7)).contains(.altered)
      counts = row.integer(4) != 0 || isRenewal || kind?.isCount ?? false || kind?.isTiming ?? false
    }

    /// - Parameter link: an earlier event of the same chain.
    init(_ event: Event, _ link: Link) {
      (sequence, key, presence) = (event.sequence, Entity.Key(event), event.presence)
      (root, isRenewal, closesEndedPeriod) = (link.root, link.isRenewal, event.closesEndedPeriod)
      counts = link.counts
    }
  }

  /// The sequence numbers of the events whose undo reverts an import, in the order of their undo: all events in effect,
  /// without undos and redos that cancel out within the import. Also the ends of periods among them.
  ///
  /// An entity that the import created loses its counts and is removed: changes of its name and settings need not be
  /// undone, and a name with a new owner causes no conflict. Entities that the import also removed come last, one after
  /// the other, when the names of the others are free.
  func effectiveEvents(
    of span: ClosedRange<Int64>, _ counter: Counter.ID?, in ledger: Ledger
  ) throws(StoreError) -> (sequences: [Int64], ends: Set<Int64>, subjects: Set<Counter.ID>) {
    var links: [Link] = []
    var created: Set<Entity.Key> = []
    func place(of sequence: Int64) -> Int? {
      let place = links.partitioningIndex { $0.sequence >= sequence }
      return place < links.count && links[place].sequence == sequence ? place : nil
    }
    _ = try statements.changesBetween.each([.integer(span.lowerBound), .integer(span.upperBound)]) {
      row throws(StoreError) in
      var link = Link(row)
      if row.text(1) == Event.Kind.created.rawValue { created.insert(link.key) }
      if let before = row.optionalInteger(6).flatMap({ place(of: $0) }), links[before].isLast {
        links[before].isLast = false
        (link.root, link.isRenewal) = (links[before].root, links[before].isRenewal)
        (link.counts, link.isOdd) = (links[before].counts, !links[before].isOdd)
      }
      links.append(link)
    }
    var undone: Set<Int64> = []
    _ = try statements.undoneSince.each([.integer(span.lowerBound), .integer(span.upperBound)]) {
      row throws(StoreError) in undone.insert(row.integer(0))
    }
    func standing(_ link: Link) throws(StoreError) -> Link? {
      guard undone.contains(link.sequence) else { return link }
      guard let event = try recorded(link.sequence), let standing = try self.standing(event) else { return nil }
      return Link(standing, link)
    }
    var effective: [Link] = []
    for link in links where link.isLast && link.isOdd && (counter == nil || link.key.id == counter) {
      if link.closesEndedPeriod {
        // The end of a period is undone with its late count, and has no effect if that count is undone.
        guard let count = place(of: link.sequence - 1), links[count].isLast, links[count].isOdd,
          try standing(links[count]) != nil
        else { continue }
      }
      if let link = try standing(link) { effective.append(link) }
    }
    links = []
    let removed = Set(effective.lazy.filter { $0.presence == .disappeared }.map(\.key))
    var ranked: [ImportRank: [Int64]] = [:]
    var (ends, subjects) = (Set<Int64>(), Set<Counter.ID>())
    for link in effective {
      let origin: ImportRank.Origin =
        if !created.contains(link.key) {
          .older
        } else if ledger.entity(link.key.subject, link.key.id) != nil {
          .created
        } else {
          removed.contains(link.key) ? .removed : .cancelled
        }
      guard let rank = ImportRank(link.key, link.presence, counts: link.counts, of: origin) else { continue }
      ranked[rank, default: []].append(link.sequence)
      subjects.insert(link.key.id)
      if link.isRenewal { ends.insert(link.root) }
    }
    let sequences = ranked.sorted { $0.key < $1.key }.flatMap { $0.value.sorted(by: >) }
    return (sequences, ends, subjects)
  }

  /// The position of an event in the undo of an import. The counts of an entity come after its revival and before the
  /// undo of its creation. The sequence numbers cannot give this order: if the creation was undone and redone, the redo
  /// is undone instead.
  private struct ImportRank: Comparable, Hashable {
    private let step: Step
    private let entity: Int64
    private let phase: Phase

    /// The origin of an event's entity, relative to the import.
    enum Origin {
      /// The entity existed before.
      case older
      /// The import created the entity, and did not remove it.
      case created
      /// The import created and removed the entity.
      case removed
      /// The import created the entity and took the creation back.
      case cancelled
    }

    private enum Step: Int {
      case counts
      case creations
      /// Removed entities, one after the other.
      case removed
      /// Groups are removed after their members.
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
    init?(_ key: Entity.Key, _ presence: Event.Presence, counts: Bool, of origin: Origin) {
      let phase: Phase =
        switch presence {
        case .disappeared: .revival
        case .unchanged: .counts
        case .appeared: .creation
        }
      let place: (step: Step, entity: Int64, phase: Phase)
      switch (origin, key.subject) {
      case (.older, _): place = (.counts, 0, .counts)
      case (.cancelled, _): return nil
      case (_, .counter) where phase == .counts && !counts: return nil
      case (.removed, .counter): place = (.removed, key.id.number, phase)
      // A removed group or formula has no effect on other entities.
      case (.removed, _): return nil
      case (.created, .counter): place = (phase == .counts ? .counts : .creations, 0, phase)
      case (.created, _) where phase == .counts: return nil
      case (.created, let subject): place = (subject == .group ? .groups : .creations, 0, phase)
      }
      (step, entity, self.phase) = place
    }

    static func < (one: ImportRank, other: ImportRank) -> Bool {
      (one.step.rawValue, one.entity, one.phase.rawValue) < (other.step.rawValue, other.entity, other.phase.rawValue)
    }
  }
}
