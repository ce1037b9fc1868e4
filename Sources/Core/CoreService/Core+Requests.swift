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
    guard let step, let what = step.undoable, !request.isAdministrators else { return step }
    var (piece, rest) = (what.events.map(\.event), what.rest[...])
    while !piece.isEmpty {
      for event in piece where event.rightToTakeBack == .administer {
        throw PermissionDenied(
          toTakeBack: event, isRedo: step.isRedo, isOfGesture: deliverer != nil || request.cause.isOfKey)
      }
      piece = try storing { () throws(StoreError) in try store.events(at: rest.prefix(Undoable.mostAtOnce)) }
      rest = rest.dropFirst(Undoable.mostAtOnce)
    }
    // The events of a batch are undone and redone together, so any of them shows whether all were imported.
    let isImported = try storing { () throws(StoreError) in
      guard let one = what.events.first(where: { $0.event.undoes != nil }) ?? what.events.first else { return false }
      return try store.isImported(one.event)
    }
    if isImported { throw PermissionDenied.toTakeBackImport(isRedo: step.isRedo, isOfGesture: deliverer != nil) }
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

  static func isGone(_ event: Event) -> CountingError {
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
      try checkLimits(last)
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
    // Looks at 16 of the passed counters at most, and at one event of each, to bound the time.
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
    return .cannotUndo(event.sequence, reason: Self.reason(ofLocked: counter, isImported: isImported))
  }

  /// A part of a sentence about a locked counter.
  static func reason(ofLocked counter: Counter, isImported: Bool) -> String {
    "“\(counter.name)” is locked\(isImported ? " and came with an import, which is undone as a whole" : ""). "
      + "Unlock it first: tally unlock \(counter.name)"
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

  /// The result of a search for an undo or a redo: among the events of the counter or formula with a name, or of all if
  /// the name is `nil`. Returns `nil` if nothing is found. If the name is no longer in use, searches its former
  /// bearers, the latest first.
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
}
