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
    var summary: CounterStore.ImportSummary
    do {
      let next: Ledger
      (summary, next) = try store.importArchive(
        archive, onClash: clash, at: Clock.microsecondsSince1970(), isTrial: isTrial, in: ledger)
      if !isTrial {
        ledger = next
        updateRatedCounters()
        scheduleRenewal()
        // Closes the periods that ended since the export, before the next call.
        try renew()
        commit()
        onReplaced()
      }
    } catch let error as StoreError {
      failAfterTransaction(error)
      throw error
    } catch ArchiveError.undoFirst(var refusal) {
      refusal.obstacle = try obstacle(toUndoing: refusal.events)?.message
      throw ArchiveError.undoFirst(refusal)
    }
    // The import is done, whether or not a way back is found.
    for index in summary.removed.indices.prefix(Self.mostRemedies) {
      let (id, name) = (summary.removed[index].id, summary.removed[index].name)
      summary.removed[index].remedy = (try? remedy(forRemoved: id, name)) ?? ""
    }
    return summary
  }

  /// The number of removed counters and formulas for which an import says how to bring them back.
  private static let mostRemedies = 5

  /// Continues with the state after a separate transaction of the store.
  func replaceLedger(by next: Ledger) {
    ledger = next
    updateRatedCounters()
    scheduleRenewal()
    onReplaced()
  }
}
