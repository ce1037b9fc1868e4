public import Counting
public import Journal
import Linux

/// Takes over archives, in transactions of their own.
extension Core {
  /// Imports an archive durably; a trial only returns the result.
  ///
  /// - Throws: ``ArchiveError`` and ``CountingError`` if the archive breaks a rule, ``StoreError``. Then nothing has
  ///   changed.
  public func importArchive(_ archive: Archive, onClash clash: Archive.Clash, isTrial: Bool) throws
    -> CounterStore.ImportSummary
  {
    commit()
    if let failure { throw failure }
    if let shared = ledger.all.first(where: { ledger.isShared($0.id) }) {
      throw ArchiveError.sharedCounter(shared.name.text)
    }
    try renew()
    for name in archive.mergeableNames { try renew(before: .merge(.named(name), .added, by: 0)) }
    commit()
    readClocks()
    do {
      var (done, next) = try store.importArchive(
        archive, onClash: clash, at: Clock.microsecondsSince1970(), isTrial: isTrial, in: ledger)
      for index in done.removed.indices {
        done.removed[index].remedy = try remedy(forRemoved: done.removed[index].id, done.removed[index].name)
      }
      guard !isTrial else { return done }
      ledger = next
      updateRatedCounters()
      scheduleRenewal()
      // Closes the periods that ended since the export, before the next call.
      try renew()
      commit()
      onReplaced()
      return done
    } catch let error as StoreError {
      failAfterTransaction(error)
      throw error
    } catch ArchiveError.undoFirst(var refusal) {
      refusal.obstacle = try obstacle(toUndoing: refusal.events)?.message
      throw ArchiveError.undoFirst(refusal)
    }
  }

  /// Continues with the state after a separate transaction of the store.
  func replaceLedger(by next: Ledger) {
    ledger = next
    updateRatedCounters()
    scheduleRenewal()
    onReplaced()
  }
}
