import Counting
import Journal

extension Core {
  /// A request resolved with the history: an undo as the events that it undoes.
  enum Step {
    case change(Change)
    case undo(Undoable)
    case redo(Undoable)

    /// The events of an undo or a redo.
    var undoable: Undoable? {
      switch self {
      case .change: nil
      case .undo(let what), .redo(let what): what
      }
    }

    var isRedo: Bool { if case .redo = self { true } else { false } }
  }

  /// The step for a request; `nil` if there is nothing to do.
  ///
  /// - Throws: ``PermissionDenied`` for an undo or redo of an event that the caller may not have been allowed to make.
  func step(for request: Request) throws -> Step? {
    let step = try withoutGoneCounts(try step(meantBy: request))
    guard let what = step?.undoable, !request.isAdministrators else { return step }
    var (piece, rest) = (what.events, what.rest[...])
    while !piece.isEmpty {
      for takeback in piece where takeback.event.rightToTakeBack == .administer {
        throw PermissionDenied(toTakeBack: takeback.event, isOfGesture: deliverer != nil || request.cause.isOfKey)
      }
      piece = try storing { () throws(StoreError) in try store.takebacks(at: rest.prefix(Undoable.mostAtOnce)) }
      rest = rest.dropFirst(Undoable.mostAtOnce)
    }
    // The events of a batch are undone and redone together, so any of them shows whether all were imported.
    let isImported = try storing { () throws(StoreError) in
      guard let one = what.events.first(where: { $0.event.undoes != nil }) ?? what.events.first else { return false }
      return try store.isImported(one.event)
    }
    if isImported { throw PermissionDenied.toTakeBackImport(isOfGesture: deliverer != nil) }
    return step
  }

  /// The change of a step with all its events.
  func change(_ step: Step) throws -> Change {
    switch step {
    case .change(let change): change
    case .undo(let what): .undo(try storing { () throws(StoreError) in try store.all(what) }, what.scope)
    case .redo(let what): .redo(try storing { () throws(StoreError) in try store.all(what) }, what.scope)
    }
  }

  /// Performs changes in order. Changes that belong together get one batch.
  func performAll(_ changes: [Request]) throws -> [Event] {
    var all: [Event] = []
    var batch = Batch.none
    for (index, change) in changes.enumerated() {
      if !change.isTogether || batch == .none {
        batch = index + 1 < changes.count && changes[index + 1].isTogether ? .begins : .none
      }
      let events = try performOne(change, in: batch)
      if batch == .begins, let first = events.lazy.compactMap(\.batch).first { batch = .goesOn(first) }
      all += events
      // Otherwise a hundred resets of all counters and their undos would delay every client for seconds.
      guard changes.count == 1 || all.count <= Producer.mostEvents else { throw DeliveryError.tooManyEvents }
    }
    return all
  }

  func performOne(_ request: Request, in batch: Batch = .none) throws -> [Event] {
    guard let step = try step(for: request) else { return [] }
    return try perform(try change(step), for: request, in: batch)
  }

  /// Whether an undo or a redo has, or may have, events of shared counters.
  func isOfFleet(_ what: Undoable) throws -> Bool {
    guard let counters = fleet?.member.counters.keys else { return false }
    return try reading { try storing { () throws(StoreError) in try store.hasEvents(of: counters, within: what) } }
  }

  /// Performs an undo or a redo of more events than are undone at once, durably.
  func takeBack(_ what: Undoable, as kind: Event.Kind, for request: Request) throws -> [Event] {
    commit()
    if let failure { throw failure }
    readClocks()
    do {
      let (events, next) = try store.takeBack(what, as: kind, at: request.time, cause: request.cause, in: ledger)
      replaceLedger(by: next)
      return events
    } catch let error as StoreError {
      failAfterTransaction(error)
      throw error
    }
  }

  /// Removes from the step all counts that the total of a shared counter no longer contains.
  ///
  /// - Throws: ``CountingError/cannotUndo(_:reason:)`` if no count is left.
  private func withoutGoneCounts(_ step: Step?) throws -> Step? {
    guard let all = step?.undoable, let first = all.events.first?.event else { return step }
    let what = try storing { () throws(StoreError) in try store.withoutGone(all, in: ledger) }
    guard !what.events.isEmpty else { throw Self.isGone(first) }
    return step?.isRedo == true ? .redo(what) : .undo(what)
  }

  private static func isGone(_ event: Event) -> CountingError {
    .cannotUndo(
      event.sequence,
      reason: "it is not in the total of “\(event.name)”: another station reset the counter since, this station "
        + "dropped its count when it began to count with the fleet, or its journal was put back since and may lack the undo"
    )
  }

  private func step(meantBy request: Request) throws -> Step? {
    switch request.verb {
    case .change(let change):
      return .change(pressedStopwatch(of: request).map { .clock($0, .toggle) } ?? change)
    case .takeBack(let time):
      let made = try storing { () throws(StoreError) in
        guard let deliverer else { return [Change.Takeback]() }
        return try store.takeback(
          among: try store.deliveredEvents(of: deliverer), of: request.cause.producer, request.cause.device,
          madeAt: time,
          in: ledger)
      }
      return made.contains { !ledger.isGone($0.event) } ? .undo(Undoable(made)) : nil
    case .undo(let name):
      let last = try last(of: name) { id throws(StoreError) in
        try store.lastUndo(of: id, in: ledger, passing: id == nil, wholeImports: request.isAdministrators)
      }
      guard let last else { throw try name == nil ? nothingLeft(request) : .nothingToUndo }
      if name == nil, let obstacle = try lock(among: last.events.map(\.event)) { throw obstacle }
      try checkPassed(last)
      return .undo(last)
    case .undoEvent(let sequence):
      return .undo(try undoable(try event(sequence), isAdministrators: request.isAdministrators))
    case .redo(let name):
      let last = try last(of: name) { id throws(StoreError) in
        try store.lastRedo(of: id, in: ledger, wholeImports: request.isAdministrators)
      }
      guard let last else { throw CountingError.nothingToRedo }
      return .redo(last)
    case .note(let sequence, let text):
      let event = try event(sequence)
      let standing = try storing { () throws(StoreError) in try store.standingValue(of: event.counter) }
      return .change(.note(event, text, standing: standing))
    }
  }

  /// The stopwatch that a gesture without an amount starts or stops; `nil` for any other request. A press on a
  /// stopwatch does not count its step.
  func pressedStopwatch(of request: Request) -> Change.Target? {
    guard request.cause.gesture != nil, case .change(.add(let target, amount: nil)) = request.verb,
      let counter = try? ledger.find(target), counter.isStopwatch
    else { return nil }
    return target
  }

  /// The error for an undo of the last event if no event is left. It names a locked counter whose events were passed.
  private func nothingLeft(_ request: Request) throws -> CountingError {
    let found = try storing { () throws(StoreError) in
      try store.lastUndo(of: nil, in: ledger, passing: true, wholeImports: request.isAdministrators)
    }
    // At most 16 of the passed counters, and one event of each, to bound the time.
    let events = try found.passed.filter { ledger.isLocked($0) }.prefix(16).compactMap { key in
      try storing { () throws(StoreError) in
        try store.lastUndo(of: key.id, in: ledger, wholeImports: false).events.first?.event
      }
    }
    return try lock(among: events.sorted { $0.sequence > $1.sequence }) ?? .nothingToUndo
  }

  /// The error for the first of these events whose counter is locked, with its name; `nil` if none is.
  private func lock(among events: [Event]) throws -> CountingError? {
    guard let event = events.first(where: { ledger.isLocked(Entity.Key($0)) }), let counter = ledger[event.counter]
    else {
      return nil
    }
    let isImported = try storing { () throws(StoreError) in try store.isImported(event) }
    return .cannotUndo(
      event.sequence,
      reason: "“\(counter.name)” is locked\(isImported ? " and came with an import, which is undone as a whole" : ""). "
        + "Unlock it first: tally unlock \(counter.name)")
  }

  /// Refuses an undo of anything but counts if a locked event was passed: the person who expects to undo the lock would
  /// lose something else.
  private func checkPassed(_ what: Undoable) throws {
    guard let event = what.events.first(where: { $0.event.rightToTakeBack == .administer })?.event else { return }
    let next = max(event.sequence, ledger.lastSequence - Self.mostSearchedForLocks) &+ 1
    let later = try storing { () throws(StoreError) in
      try next <= ledger.lastSequence ? store.events(next...ledger.lastSequence, in: ledger) : []
    }
    let locked = later.last { $0.kind == .locked && ledger.isLocked(Entity.Key($0)) }.map(Entity.Key.init)
    guard let key = what.passed.first(where: { ledger.isLocked($0) }) ?? locked,
      let name = ledger.entity(key.subject, key.id)?.name
    else { return }
    throw CountingError.cannotUndo(
      event.sequence,
      reason:
        "“\(name)” is locked and has later events. Unlock it first (tally unlock \(name)), or undo this one by its "
        + "number: tally undo \(event.sequence)")
  }

  /// The number of events among which the last lock is searched, to bound the time.
  private static let mostSearchedForLocks: Int64 = 64

  /// The result of a search for the counter or formula with a name, or for all if the name is `nil`; `nil` if nothing
  /// is found. For a name that is no longer in use, the latest counter or formula of that name with a result is found.
  private func last(
    of name: String?, _ search: (Counter.ID?) throws(StoreError) -> Undoable
  ) throws -> Undoable? {
    guard let name else {
      let found = try storing { () throws(StoreError) in try search(nil) }
      return found.events.isEmpty ? nil : found
    }
    let bearers = try storing { () throws(StoreError) in try store.bearers(of: name, in: ledger) }
    if bearers.isEmpty { throw CountingError.noSuchCounter(name.shortened) }
    for id in bearers {
      let found = try storing { () throws(StoreError) in try search(id) }
      guard let event = found.events.first?.event else { continue }
      try check(found, besides: id, for: event, isRedo: event.kind == .undone)
      return found
    }
    return nil
  }

  /// Checks that events which were made together with an event can be undone with it: counts at any time, other events
  /// only as the last event of their counter, group or formula.
  ///
  /// - Parameter known: a counter, group or formula for which the check is known to succeed.
  /// - Throws: ``CountingError/cannotUndo(_:reason:)``.
  private func check(_ what: Undoable, besides known: Counter.ID?, for event: Event, isRedo: Bool) throws {
    // The search found the events of an import for one counter only.
    guard what.rest.isEmpty else { return }
    let others = Dictionary(grouping: what.events.lazy.map(\.event).filter { $0.counter != known && $0.hasEffect }) {
      $0.counter
    }
    for (id, events) in others.sorted(by: { $0.key.number < $1.key.number }) {
      guard let last = events.max(by: { $0.sequence < $1.sequence }) else { continue }
      var obstacle: String?
      if events.allSatisfy(\.isPlainCount) {
        for event in events where obstacle == nil { obstacle = try self.obstacle(toUndoing: event) }
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
  private func event(_ sequence: Int64) throws -> Event {
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
  private func undoable(_ event: Event, isAdministrators: Bool) throws -> Undoable {
    if let taker = try storing({ () throws(StoreError) in try store.undoer(of: event, in: ledger) }) {
      let last = try storing { () throws(StoreError) in try store.lastLink(after: taker) }
      throw CountingError.cannotUndo(
        event.sequence,
        reason: last.isUndone
          ? "event \(last.sequence) has undone it already"
          : "event \(taker) undid it, and event \(last.sequence) did it again. Undo that one: tally undo \(last.sequence)"
      )
    }
    let isImported = try storing { () throws(StoreError) in try store.isImported(event) }
    // Refused before the long search for all other events of the import.
    if isImported, !isAdministrators { throw PermissionDenied.toTakeBackImport(isOfGesture: deliverer != nil) }
    // Checked first, because the error must name the reset of the fleet, not a later event.
    if ledger.isGone(event) { throw Self.isGone(event) }
    if event.kind.isCount, !isImported, try event.batch == nil || isAlone(event) {
      let late = try storing { () throws(StoreError) in try store.lateCount(event) }
      if let late { return Undoable(late) }
    }
    if event.kind.isCount, event.batch == nil, !isImported {
      guard let obstacle = try obstacle(toUndoing: event) else { return Undoable([.init(event)]) }
      // If the event is the last one that can be undone, its undo always restores the former state.
      var last = try storing { () throws(StoreError) in
        try store.lastUndo(of: event.counter, in: ledger, wholeImports: isAdministrators)
      }
      last.scope = .one
      guard last.contains(event.sequence) else {
        throw CountingError.cannotUndo(event.sequence, reason: obstacle)
      }
      return last
    }
    switch event.kind {
    case .learned:
      throw CountingError.cannotUndo(
        event.sequence, reason: "other stations of the fleet made it; undo it there, or correct the value")
    case .renewed where ledger.isShared(event.counter):
      throw CountingError.cannotUndo(event.sequence, reason: "the periods of a shared counter are those of its fleet")
    // The end of the last period can be undone, because a wrong clock may have ended the period. The end of an earlier
    // period cannot be undone.
    case .renewed where !event.closesEndedPeriod:
      if let counter = ledger[event.counter], ledger.isOfEndedPeriod(counter, at: event.time) {
        throw CountingError.cannotUndo(event.sequence, reason: "a later period of “\(event.name)” has ended since")
      }
      let endings = try storing { () throws(StoreError) in try store.endings(with: event, in: ledger) }
      guard let endings else { throw Self.changesNoCount(event) }
      return endings
    case .selected, .armed, .locked, .unlocked, .renewed: throw Self.changesNoCount(event)
    case .changed where event.marks.contains(.notUndoable):
      throw CountingError.cannotUndo(event.sequence, reason: "it changed nothing")
    default: break
    }
    if event.batch == nil, event.isLook, !isImported, let entity = ledger.entity(event.subject, event.counter),
      event.alterations.allSatisfy({ entity[$0.field] == $0.after })
    {
      return Undoable([.init(event)])
    }
    if event.batch != nil, event.kind != .undone, !isImported {
      let whole = try storing { () throws(StoreError) in try store.wholeBatch(of: event) }
      try check(whole, besides: nil, for: event, isRedo: false)
      return whole
    }
    let isAll = event.subject == .all
    var last = try storing { () throws(StoreError) in
      try store.lastUndo(
        of: isAll ? nil : event.counter, in: ledger, passing: isAll, wholeImports: isAdministrators)
    }
    last.scope = .one
    guard last.contains(event.sequence) else {
      let others = isAll ? "later events" : "later events of “\(event.name)”"
      throw CountingError.cannotUndo(event.sequence, reason: "\(others) follow it; undo them first")
    }
    return last
  }

  private static func changesNoCount(_ event: Event) -> CountingError {
    .cannotUndo(event.sequence, reason: "events of kind “\(event.kind.rawValue)” change no count")
  }

  /// Whether all events of a batch concern one counter.
  private func isAlone(_ event: Event) throws -> Bool {
    try storing { () throws(StoreError) in try store.wholeBatch(of: event) }.events
      .allSatisfy { $0.event.counter == event.counter }
  }

  /// The reason why an undo of a count needs an undo of later events first; `nil` without a reason.
  private func obstacle(toUndoing event: Event) throws -> String? {
    guard let counter = ledger[event.counter], !ledger.isOfEndedPeriod(event) else { return nil }
    let setter = try storing { () throws(StoreError) in try store.setter(after: event, in: ledger) }
    // The store searches only the latest events. Of an earlier reset, the counter knows only the time.
    let number = setter.map { " by event \($0.sequence)" } ?? ""
    if setter?.kind == .reset || setter == nil && isFarBack(event) && counter.began.map({ event.time < $0 }) ?? false {
      return "“\(counter.name)” was reset since\(number); undo that first"
    }
    if let kind = setter?.kind { return "“\(counter.name)” was \(kind.rawValue) since\(number); undo that first" }
    return ledger.excess(ofUndoing: event)
  }

  private func isFarBack(_ event: Event) -> Bool {
    event.sequence < ledger.lastSequence - CounterStore.mostSearchedForSetter
  }
}

extension Event {
  /// Whether there is anything to undo.
  fileprivate var hasEffect: Bool { change != 0 || presence != .unchanged || !alterations.isEmpty }

  /// Whether the event changed the value of a counter by a number, and nothing else but the time of its goal.
  fileprivate var isPlainCount: Bool {
    subject == .counter && presence == .unchanged && kind.effect != .sets && kind != .renewed
      && alterations.allSatisfy { $0.field == .reachedAt }
  }

  /// Whether the event changed only settings on which nothing else depends.
  fileprivate var isLook: Bool {
    kind == .changed && !alterations.isEmpty
      && alterations.allSatisfy { [.title, .colour, .icon, .note, .tags].contains($0.field) }
  }
}
