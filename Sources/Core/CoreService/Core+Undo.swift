import Counting
import Journal

/// Checks of undos: which events are undone together, and which later events prevent that.
extension Core {
  /// Checks that events which were made together with an event can be undone with it: counts at any time, other events
  /// only as the last event of their counter, group or formula.
  ///
  /// - Parameter known: a counter, group or formula for which the check is known to succeed.
  /// - Throws: ``CountingError/cannotUndo(_:reason:)``.
  func check(_ what: Undoable, besides known: Counter.ID?, for event: Event, isRedo: Bool) throws {
    guard what.rest.isEmpty else {
      // If the event is of an import, the search for one counter has found only the counter's events, so the other
      // entities are not checked. If the event is of the redo of an import, the search has found all events, and all
      // their entities are checked.
      guard !isRedo, event.kind == .redone, let batch = event.batch else { return }
      let all = what.sequences
      for id in try storing({ () throws(StoreError) in try store.subjects(ofBatch: batch) }) where id != known {
        if let later = try lastUndo(of: id), !all.contains(later.sequence) {
          throw CountingError.cannotUndo(
            event.sequence, reason: "later events of “\(later.name)” follow it; undo them first")
        }
      }
      return
    }
    // The closing of an ended period follows from its late count.
    let others = Dictionary(
      grouping: what.events.lazy.map(\.event)
        .filter { $0.counter != known && $0.hasEffect && !$0.closesEndedPeriod }
    ) { $0.counter }
    for (id, events) in others.sorted(by: { $0.key.number < $1.key.number }) {
      guard let last = events.max(by: { $0.sequence < $1.sequence }) else { continue }
      var obstacle: String?
      if try events.allSatisfy(isPlainCount) {
        obstacle = try self.obstacle(toUndoing: events)
        if obstacle == nil { continue }
      }
      let found = try storing { () throws(StoreError) in
        try isRedo ? store.lastRedo(of: id, in: ledger) : store.lastUndo(of: id, in: ledger)
      }
      guard !found.contains(last.sequence) else { continue }
      let reason = obstacle ?? "later events of “\(last.name)” follow it; undo them first"
      throw CountingError.cannotUndo(
        last.sequence,
        reason: last.sequence == event.sequence
          ? reason : "\(reason). It was made together with event \(event.sequence)")
    }
  }

  /// - Throws: ``CountingError/noSuchEvent(_:)``.
  func event(_ sequence: Int64) throws -> Event {
    let found = try storing { () throws(StoreError) in
      try sequence < 1 ? [] : store.events(sequence...sequence, in: ledger)
    }
    guard let event = found.first else { throw CountingError.noSuchEvent(sequence) }
    return event
  }

  /// The events that an undo of `event` undoes.
  ///
  /// - Throws: ``CountingError/cannotUndo(_:reason:)`` if the event is undone already, or if a later event depends on
  ///   it; ``PermissionDenied`` for an event of an import.
  func undoable(_ event: Event, isAdministrators: Bool) throws -> Undoable {
    if let taker = try storing({ () throws(StoreError) in try store.undoer(of: event, in: ledger) }) {
      let last = try storing { () throws(StoreError) in try store.lastLink(after: taker) }
      guard !last.isUndone else {
        throw CountingError.cannotUndo(event.sequence, reason: "event \(last.sequence) has undone it already")
      }
      var remedy = ". Undo that one: tally undo \(last.sequence)"
      do {
        _ = try undoable(self.event(last.sequence), isAdministrators: isAdministrators)
      } catch CountingError.cannotUndo(_, let reason) {
        remedy = ", which cannot be undone: \(reason)"
      }
      throw CountingError.cannotUndo(
        event.sequence, reason: "event \(taker) undid it, and event \(last.sequence) did it again\(remedy)")
    }
    let isImported = try storing { () throws(StoreError) in try store.isImported(event) }
    // Refused before the long search for all other events of the import.
    if isImported, !isAdministrators {
      throw PermissionDenied.toTakeBackImport(isRedo: false, isOfGesture: deliverer != nil)
    }
    // Checked first, because the error must name the reset of the fleet, not a later event.
    if ledger.isGone(event) { throw Self.isGone(event) }
    if event.about == nil, ![.selected, .armed, .locked, .unlocked].contains(event.kind),
      let counter = ledger[event.counter], counter.isLocked
    {
      guard isImported else { throw CountingError.locked(counter.name.text) }
      throw CountingError.cannotUndo(event.sequence, reason: Self.reason(ofLocked: counter, isImported: true))
    }
    if event.kind.isCount, !isImported, let counts = try countAlone(event) {
      guard let obstacle = try obstacle(toUndoing: [event]) else { return counts }
      // If the event is the last one that can be undone, later resets and corrections are undone already.
      var last = try storing { () throws(StoreError) in
        try store.lastUndo(of: event.counter, in: ledger, wholeImports: isAdministrators)
      }
      last.scope = .one
      guard last.contains(event.sequence) else {
        throw CountingError.cannotUndo(event.sequence, reason: obstacle)
      }
      try checkLimits(last)
      return last
    }
    switch event.kind {
    case .learned:
      throw CountingError.cannotUndo(
        event.sequence, reason: "other stations of the fleet made it; undo it there, or correct the value")
    case .renewed where ledger.isShared(event.counter):
      throw CountingError.cannotUndo(event.sequence, reason: "the periods of a shared counter are those of its fleet")
    case .renewed where !event.closesEndedPeriod:
      do {
        return try endings(with: event)
      } catch let error as CountingError {
        guard isImported else { throw error }
      }
    case .selected, .armed, .locked, .unlocked, .renewed:
      if !isImported { throw Self.changesNoCount(event) }
    case .changed where event.marks.contains(.notUndoable):
      if !isImported { throw CountingError.cannotUndo(event.sequence, reason: "it changed nothing") }
    default: break
    }
    if let whole = try wholeImport(with: event) { return whole }
    if event.batch == nil, event.isLook, !isImported, let entity = ledger.entity(event.subject, event.counter),
      event.alterations.allSatisfy({ entity[$0.field] == $0.after })
    {
      return Undoable([.init(event)])
    }
    if event.batch != nil, event.kind != .undone {
      let whole = try storing { () throws(StoreError) in try store.wholeBatch(of: event) }
      try check(whole, besides: nil, for: event, isRedo: false)
      try checkLimits(whole)
      return whole
    }
    let isAll = event.subject == .all
    var last = try storing { () throws(StoreError) in
      try store.lastUndo(
        of: isAll ? nil : event.counter, in: ledger, passing: isAll, wholeImports: isAdministrators)
    }
    last.scope = .one
    guard last.contains(event.sequence) else {
      if event.kind == .undone { throw try refusalOfUndo(of: event, isAdministrators) }
      let others = isAll ? "later events" : "later events of “\(event.name)”"
      throw CountingError.cannotUndo(event.sequence, reason: "\(others) follow it; undo them first")
    }
    return last
  }

  /// The events of an import that are in effect, to be undone as a whole. Counts can be undone at any time, unless they
  /// are too many to be checked; other events can be undone while they are the last ones of their counter, group or
  /// formula. `nil` for an event that did not come with an import.
  private func wholeImport(with event: Event) throws -> Undoable? {
    let found = try storing { () throws(StoreError) in try store.importSpan(holding: event.sequence) }
    guard let span = found else { return nil }
    func refusal(_ name: CounterName, _ obstacle: String?) throws -> CountingError {
      .cannotUndo(
        event.sequence,
        reason: (obstacle ?? "later events of “\(name)” follow it; undo them first")
          + ". It came with an import of \(span.count == 1 ? "1 change" : "\(span.count) changes"), which is undone as a "
          + "whole" + (try remedy(for: event, besides: obstacle)))
    }
    // Refused before the long search for all events of a large import.
    if let last = try lastUndo(of: event.counter), !span.contains(last.sequence),
      try !storing({ () throws(StoreError) in try store.belongs(last, to: span) }),
      try storing({ () throws(StoreError) in try store.isLarge(span, in: ledger) })
    {
      throw try refusal(event.name, nil)
    }
    let (what, subjects) = try storing { () throws(StoreError) in try store.wholeImport(span, in: ledger) }
    if what.events.isEmpty {
      throw CountingError.cannotUndo(event.sequence, reason: "nothing that its import changed is in effect now")
    }
    if let locked = subjects.sorted().lazy.compactMap({ self.ledger[$0] }).first(where: \.isLocked) {
      throw CountingError.cannotUndo(event.sequence, reason: Self.reason(ofLocked: locked, isImported: true))
    }
    let ofSubjects = Dictionary(
      grouping: what.events.lazy.map(\.event).filter { !$0.closesEndedPeriod }, by: \.counter)
    for id in subjects.sorted() {
      if let last = try lastUndo(of: id), span.contains(last.sequence) || what.contains(last.sequence) { continue }
      let events = ofSubjects[id] ?? []
      var obstacle: String?
      if what.rest.isEmpty, try events.allSatisfy(isPlainCount) {
        obstacle = try self.obstacle(toUndoing: events)
        if obstacle == nil { continue }
      }
      throw try refusal(ledger[id]?.name ?? events.first?.name ?? event.name, obstacle)
    }
    try checkLimits(what)
    return what
  }

  /// The first event of the next undo of a counter, a group or a formula; `nil` for none.
  private func lastUndo(of id: Counter.ID) throws -> Event? {
    try storing { () throws(StoreError) in
      try store.lastUndo(of: id, in: ledger, wholeImports: false).events.first?.event
    }
  }

  private static func changesNoCount(_ event: Event) -> CountingError {
    .cannotUndo(event.sequence, reason: "events of kind “\(event.kind.rawValue)” change no count")
  }

  /// A count that was made alone, with the closing of its period if it was a late count; `nil` if it was made together
  /// with other events.
  private func countAlone(_ event: Event) throws -> Undoable? {
    try storing { () throws(StoreError) in
      let whole = try store.wholeBatch(of: event)
      let late = try store.lateCount(event)
      return event.batch == nil || late?.events.count == whole.events.count ? whole : nil
    }
  }

  /// The end of a period with its late counts, and the ends of empty periods after it. The end of the last period can
  /// be undone, because a wrong clock may have ended the period. The end of an earlier period cannot be undone.
  private func endings(with event: Event) throws -> Undoable {
    let ends = try storing { () throws(StoreError) in try store.ends(from: event) }
    guard let counter = ledger[event.counter], let last = ends.last, ends.first?.sequence == event.sequence,
      ends.dropFirst().allSatisfy(\.isEmpty)
    else {
      throw CountingError.cannotUndo(event.sequence, reason: "a later period of “\(event.name)” has ended since")
    }
    let endings = try storing { () throws(StoreError) in try store.endings(with: ends, of: counter.id, in: ledger) }
    guard let endings else { throw Self.changesNoCount(event) }
    let change = endings.events.reduce(Int128(0)) { $0 - Int128($1.event.change) }
    let obstacle =
      try setting(of: counter, since: event.sequence, last.time, until: nil)
      ?? Ledger.excess(of: Int64(clamping: change), counter)
    if let obstacle { throw CountingError.cannotUndo(event.sequence, reason: obstacle) }
    return endings
  }

  /// The last ends of periods that are still to come, because a clock that was ahead has ended them, the latest first;
  /// only those with a count that an undo would bring back now.
  ///
  /// - Parameters:
  ///   - counters: the counters; all for `nil`.
  ///   - time: the present time, in microseconds since 1970.
  func earlyEnds(of counters: Set<Counter.ID>?, at time: Int64) throws -> [Event] {
    let earliest = time &+ Ledger.smallestSetback
    let ahead = ledger.earlyEnds(after: earliest).filter { counters?.contains($0.id) ?? true }
    var ends: [Event] = []
    for (id, end) in ahead.prefix(Self.mostSearchedForEnds) where ends.count < Self.mostEarlyEnds {
      let last = try storing { () throws(StoreError) in
        try store.lastEnd(of: id, at: end, notBefore: earliest, in: ledger)
      }
      guard let last else { continue }
      do {
        if try !endings(with: last).events.isEmpty { ends.append(last) }
      } catch is CountingError {}
    }
    return ends
  }

  private static let mostEarlyEnds = 8

  /// The number of counters whose early ends are searched, to bound the time.
  private static let mostSearchedForEnds = 64

  /// The reason why an undo of counts of one counter needs an undo of later events first; `nil` without a reason.
  private func obstacle(toUndoing events: [Event]) throws -> String? {
    guard let counter = events.first.flatMap({ ledger[$0.counter] }) else { return nil }
    for event in events {
      if let obstacle = try setting(of: counter, since: event) { return obstacle }
    }
    return try excess(ofUndoing: events, counter)
  }

  /// Refuses an undo of the last counts if it would move a value further beyond a limit. This is possible after earlier
  /// counts were undone by their numbers. The total of a shared counter is not checked, nor are imports of many events.
  func checkLimits(_ what: Undoable) throws {
    guard what.rest.isEmpty else { return }
    for (id, events) in Dictionary(grouping: what.events.map(\.event), by: \.counter) {
      guard let counter = ledger[id], counter.isLimited, !ledger.isShared(id), let last = events.first,
        try events.allSatisfy({ event in try event.closesEndedPeriod || isPlainCount(event) }),
        try !isRestored(counter, byUndoing: last),
        let excess = try excess(ofUndoing: events, counter)
      else { continue }
      throw CountingError.cannotUndo(last.sequence, reason: excess)
    }
  }

  /// Whether an event changed the value of a counter by a number, and nothing else but the time of its goal. A reset, a
  /// correction, and an undo or redo of one did more: later counts begin at the value that it left.
  private func isPlainCount(_ event: Event) throws -> Bool {
    guard event.subject == .counter, event.presence == .unchanged, event.kind != .renewed,
      event.alterations.allSatisfy({ $0.field == .reachedAt })
    else { return false }
    return try storing { () throws(StoreError) in try store.originalKind(of: event)?.effect != .sets }
  }

  /// Whether the undo of an event brings back the value before it.
  private func isRestored(_ counter: Counter, byUndoing event: Event) throws -> Bool {
    guard event.batch == nil, event.value == counter.value else { return false }
    return try storing { () throws(StoreError) in try store.periodEnd(after: event) == nil }
  }

  /// A part of a sentence about a limit that an undo of counts would cross in one of their periods; `nil` if it would
  /// cross none.
  private func excess(ofUndoing events: [Event], _ counter: Counter) throws -> String? {
    guard counter.isLimited else { return nil }
    // The sums of the changes by the ends of their periods; `nil` is the current period.
    var changes: [Int64?: Int128] = [:]
    for event in events {
      // The event that closes a period, also after a late count, changes the value of no period.
      guard try storing({ () throws(StoreError) in try !store.isOfPeriodEnd(event) }) else { continue }
      let end = try storing { () throws(StoreError) in try store.endOfPeriod(of: event) }
      changes[end, default: 0] -= Int128(event.change)
    }
    for (end, change) in changes.sorted(by: { $0.key ?? .max < $1.key ?? .max }) {
      let past = try end.map { end in
        try storing { () throws(StoreError) in try store.value(of: counter, endingAt: end, in: ledger) }
      }
      if let excess = Ledger.excess(of: Int64(clamping: change), counter, from: past) { return excess }
    }
    return nil
  }

  /// The reset or correction of a counter since a count, in the period of the count, as a part of a sentence; `nil`
  /// without one.
  func setting(of counter: Counter, since count: Event) throws -> String? {
    guard try storing({ () throws(StoreError) in try store.lateCount(count) == nil }) else { return nil }
    let end = try storing { () throws(StoreError) in try store.periodEnd(after: count) }
    return try setting(of: counter, since: count.sequence, count.time, until: end)
  }

  /// The reset or correction of a counter since an event, in the period of the event, as a part of a sentence; `nil`
  /// without one.
  ///
  /// - Parameters:
  ///   - time: of the event, in microseconds since 1970.
  ///   - end: the end of that period; `nil` for the current period.
  private func setting(
    of counter: Counter, since sequence: Int64, _ time: Int64, until end: PeriodEnd?
  ) throws -> String? {
    let next = end?.sequence ?? ledger.lastSequence &+ 1
    let setter = try storing { () throws(StoreError) in
      try store.setter(of: counter.id, after: sequence, before: next, in: ledger)
    }
    if let setter, let kind = setter.kind {
      return "“\(counter.name)” was \(kind.rawValue) since by event \(setter.sequence); undo "
        + (try isNext(setter.sequence, of: counter.id) ? "that" : "the later events") + " first"
    }
    // The store searches only the latest events. Of an earlier reset, only the time is known.
    let isFarBack = sequence < next - 1 - CounterStore.mostSearchedForSetter
    let start = end.map(\.start) ?? counter.began
    guard isFarBack, let start, time < start else { return nil }
    return "“\(counter.name)” was reset since; undo that first"
  }
}

extension Event {
  /// Whether there is anything to undo.
  fileprivate var hasEffect: Bool { change != 0 || presence != .unchanged || !alterations.isEmpty }

  /// Whether the event changed only settings on which nothing else depends.
  fileprivate var isLook: Bool {
    kind == .changed && !alterations.isEmpty
      && alterations.allSatisfy { [.title, .colour, .icon, .note, .tags].contains($0.field) }
  }
}
