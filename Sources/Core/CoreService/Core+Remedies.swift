import Counting
import Journal
import Linux

/// The ways out that refusals of undos and imports name. Each is tried first, because a person does what an answer says.
extension Core {
  /// The refusal to undo an undo by its number.
  func refusalOfUndo(of event: Event, _ isAdministrators: Bool) throws -> CountingError {
    let canRedo = try canRedo(event, isAdministrators)
    return .cannotUndo(
      event.sequence,
      reason: "it undid event \(event.undoes ?? 0), "
        + (canRedo ? "which can be redone: tally redo \(event.name)" : "and cannot be redone now"))
  }

  /// Whether a redo by the name of an undo's counter, group or formula would do again what that undo undid.
  private func canRedo(_ event: Event, _ isAdministrators: Bool) throws -> Bool {
    guard event.subject != .all, event.about == nil else { return false }
    do {
      let request = Request(
        .redo(event.name.text), time: event.time, cause: event.cause, isAdministrators: isAdministrators)
      return try step(for: request)?.undoable?.contains(event.sequence) ?? false
    } catch let error where error is CountingError || error is PermissionDenied {
      return false
    }
  }

  /// The end of a sentence about an import: how to change one of its counts alone, or why that is refused as well.
  ///
  /// - Parameter obstacle: the part of the sentence that is said already.
  func remedy(for event: Event, besides obstacle: String?) throws -> String {
    guard event.subject == .counter, let counter = ledger[event.counter], event.change != 0, event.change != .min else {
      return ""
    }
    let name = counter.name
    let (verb, kind, amount): (String, Event.Kind, Int64) =
      event.change > 0 ? ("subtract", .subtracted, event.change) : ("add", .added, -event.change)
    let isValue = event.kind.effect == .sets
    guard isValue || event.kind.isCount || event.kind.isTiming else { return "" }
    var reason = try isValue ? nil : setting(of: counter, since: event)
    if reason == nil {
      do {
        let change: Change =
          isValue
          ? .correct(.named(name.text), to: .units(counter.value)) : .merge(.named(name.text), kind, by: -event.change)
        if try trial(of: change, at: event.time).contains(where: { $0.marks.contains(.limited) }) {
          reason = "“\(name)” would stop at its limit before that"
        }
      } catch let error as CountingError {
        reason = "\(error.message.dropLast())"
      }
    }
    if let reason {
      return reason == obstacle
        ? "" : ". This \(isValue ? "value cannot be changed" : "count cannot be taken back") alone: \(reason)"
    }
    return isValue
      ? ". To change this value alone: tally correct \(name) VALUE"
      : ". To take back this count alone: tally \(verb) \(name) \(counter.unit.text(amount)) --at "
        + "'\(ledger.instant(event.time))'"
  }

  /// The events that a change of a value would make.
  ///
  /// - Throws: ``CountingError`` if it would be refused.
  private func trial(of change: Change, at time: Int64) throws -> [Event] {
    let past = try ledger.question(before: change, at: time).flatMap(answer)
    var ledger = ledger
    return try ledger.perform(change, at: time, cause: Cause(producer: "tally"), past: past)
  }

  /// A sentence that says how to bring back a removed counter or formula, or why that is refused.
  func remedy(forRemoved id: Counter.ID, _ name: CounterName) throws -> String {
    let last = try storing { () throws(StoreError) in try store.lastUndo(of: id, in: ledger, wholeImports: false) }
    // Of an entity whose creation was undone nothing is left to undo.
    guard let removal = last.events.first?.event else {
      let isTaken = (try? ledger.find(.named(name.text))) != nil || ledger.formula(named: name.text) != nil
      return isTaken ? "Its creation was undone, and another one has its name" : "To bring it back: tally redo \(name)"
    }
    switch try obstacle(toUndoing: [removal.sequence]) {
    case nil: return "To bring it back: tally undo \(removal.sequence)"
    case .counterExists(let taken)?, .formulaExists(let taken)?:
      return "Another one has its name: tally rename \(taken) NEW; then tally undo \(removal.sequence)"
    case let obstacle?: return obstacle.message
    }
  }

  /// The reason why events cannot be undone one after the other; `nil` if they can.
  func obstacle(toUndoing sequences: [Int64]) throws -> CountingError? {
    var (ledger, all) = (ledger, Undoable([]))
    do {
      for sequence in sequences {
        let what = try undoable(event(sequence), isAdministrators: true)
        if what.rest.isEmpty {
          _ = try ledger.perform(.undo(what.events), at: Clock.microsecondsSince1970(), cause: Cause(producer: "tally"))
        }
        // The first event must not be the last one of the counter, whose undo may pass a limit.
        all.events = what.events + all.events
      }
      try checkLimits(all)
      return nil
    } catch let error as CountingError { return error }
  }

  /// Whether the next undo of a counter undoes an event, or the import that it came with.
  func isNext(_ sequence: Int64, of id: Counter.ID) throws -> Bool {
    try storing { () throws(StoreError) in
      let next = try store.lastUndo(of: id, in: ledger, wholeImports: false)
      if next.contains(sequence) { return true }
      guard let event = next.events.first?.event, let span = try store.importSpan(holding: sequence) else {
        return false
      }
      return try store.belongs(event, to: span)
    }
  }
}
