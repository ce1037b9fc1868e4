import CounterStore
import Counting

extension Core {
  /// What a request comes to, which may take a look at the history; nil where there is nothing to be done.
  ///
  /// - Throws: ``PermissionDenied`` for an undo or a redo of what the one who asks might not have done himself.
  func change(for request: Request) throws -> Change? {
    let change = try change(meantBy: request)
    switch change {
    case .undo(let what, _)?, .redo(let what, _)?:
      let denied = what.first { $0.event.rightToTakeBack == .administer }
      if let denied, !request.isAdministrators { throw PermissionDenied(toTakeBack: denied.event) }
    default: break
    }
    return change
  }

  private func change(meantBy request: Request) throws -> Change? {
    switch request.verb {
    case .change(let change): return change
    case .takeBack(let time):
      let made = try storing { () throws(StoreError) in
        try store.takeback(ofWhat: request.cause.producer, request.cause.device, didAt: time, in: ledger)
      }
      return made.isEmpty ? nil : .undo(made)
    case .undo(let name):
      let id = try name.map { try counterEver(named: $0).id }
      let last = try storing { () throws(StoreError) in try store.lastUndoable(of: id, in: ledger) }
      guard !last.isEmpty else { throw CountingError.nothingToUndo }
      return .undo(last, id == nil ? .all : .counter)
    case .redo(let name):
      let id = try name.map { try counterEver(named: $0).id }
      let last = try storing { () throws(StoreError) in try store.lastRedoable(of: id, in: ledger) }
      guard !last.isEmpty else { throw CountingError.nothingToRedo }
      return .redo(last, id == nil ? .all : .counter)
    case .note(let sequence, let text):
      let found = try storing { () throws(StoreError) in
        try sequence < 1 ? [] : store.events(sequence...sequence, in: ledger)
      }
      guard let event = found.first else { throw CountingError.noSuchEvent(sequence) }
      return .note(event, text)
    }
  }
}
