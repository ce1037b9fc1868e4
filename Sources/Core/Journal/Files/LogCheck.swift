import CJournalFile
import Glibc

/// Finds losses that SQLite ignores when it opens a journal after a kill or a power cut: SQLite takes the first damage
/// for the end of the write-ahead log, and a missing log for an empty one.
enum LogCheck {
  /// Throws if the journal in `folder`, if there is one, has lost confirmed changes. Must be called before SQLite opens
  /// the journal. A core may be running.
  static func assertWhole(_ folder: String) throws(StoreError) {
    let journal = "\(folder)/\(JournalFile.name)"
    guard unsafe access(journal, F_OK) == 0 else { return }
    try assertUntorn("\(journal)-wal", of: journal)
    guard let confirmed = StateFolder.lastConfirmed(in: folder), confirmed > 0 else { return }
    let database = try Database(path: journal, for: .reading)
    // Without this, closing the last connection would remove the log.
    database.keepLog()
    // If there is no table, the whole journal was in the log.
    let hasEvents = try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'event'") == 1
    let last = hasEvents ? try database.integer("SELECT max(sequence) FROM event") ?? 0 : 0
    guard last < confirmed else { return }
    throw StoreError(
      .damaged,
      "\(journal) ends with event \(last), but event \(confirmed) was confirmed: its write-ahead log is damaged or "
        + "missing, or an older file has taken its place. It was not changed. To go on without these events: "
        + "truncate -s 0 \(folder)/lock")
  }

  /// Throws if a log is damaged before its last transaction.
  ///
  /// A power cut damages only the last transaction, because each one begins after the sync of the previous one.
  static func assertUntorn(_ path: String, of journal: String) throws(StoreError) {
    guard let offset = tear(in: path) else { return }
    throw StoreError(
      .damaged,
      "\(path) is damaged at byte \(offset): changes that were confirmed later cannot be read. It was not changed. "
        + JournalFile.recovery(of: journal))
  }

  /// The offset of the damaged frame; `nil` if a power cut or a kill can explain the damage.
  static func tear(in path: String) -> Int64? {
    let log = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard log >= 0 else { return nil }
    defer { close(log) }
    let offset = journal_find_tear(log)
    // Searched twice, because a running core overwrites the frames of its transaction.
    return offset >= 0 && offset == journal_find_tear(log) ? offset : nil
  }
}
