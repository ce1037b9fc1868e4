public import Counting

extension CounterStore {
  /// The result of an import or of a trial.
  public struct ImportSummary: Equatable, Sendable {
    public var groups: Int64 = 0
    public var counters: Int64 = 0
    public var formulas: Int64 = 0
    public var events: Int64 = 0
    /// The number of events that existed already.
    public var duplicates: Int64 = 0
    /// The number of further counts of a table that equal counts which existed already.
    public var doubled: Int64 = 0
    /// The local names of the counters that were created or changed.
    public var names: [String] = []
    /// The changed counters that still exist, in their state after the import.
    public var changed: [Counter] = []
    /// The amounts that the limits of counters cut off, in the order of ``changed``.
    public var cut: [Cut] = []
    /// The counters that keep their value, because an earlier import set the value of the archive.
    public var kept: [Kept] = []

    /// The counters and formulas of the archive that were removed here, to which nothing is added.
    public var removed: [Removed] = []
    /// The counters that have another name now than when an earlier import filled them, in the order of their former names.
    public var renamed: [Renamed] = []
    /// The first times at which several counts of one counter were added.
    public var repeated: [Repeated] = []
    /// The number of all such times.
    public var repetitions: Int64 = 0

    /// The first replaced rows on whose days something was entered by hand after the earlier import.
    public var corrected: [Corrected] = []
    /// The number of all such rows.
    public var corrections: Int64 = 0

    public init() {}

    /// A removed counter or formula, its name in the archive, and a sentence that says how to bring it back.
    public struct Removed: Equatable, Sendable {
      public let id: Counter.ID
      public let name: CounterName
      public var remedy = ""
    }

    /// A counter, and its name in the archive.
    public struct Renamed: Equatable, Sendable {
      public let name: String
      public let counter: Counter
    }

    /// Counts of one counter with one time, in microseconds since 1970, and their number.
    public struct Repeated: Equatable, Sendable {
      public let name: String
      public let time: Int64
      public var counts: Int64
    }

    /// The day or time of a row, its amount, what was entered by hand, and the sum of both, as texts.
    public struct Corrected: Equatable, Sendable {
      public let name: String
      public let time: String
      public let amount: String
      public let byHand: String
      public let sum: String
    }

    /// A counter, and the value of the archive as text.
    public struct Kept: Equatable, Sendable {
      public let counter: Counter
      public let value: String
    }

    /// The amounts that the limits of a counter cut off, clamped to 64 bits.
    public struct Cut: Equatable, Sendable {
      public let counter: Counter
      public let added: Int64
      public let subtracted: Int64
    }
  }

  /// Imports an archive in one transaction, as one step for an undo. If all new events undo each other, nothing is
  /// imported, except into an empty journal.
  ///
  /// - Parameter isTrial: whether to roll back at the end.
  /// - Returns: the result, and the state after the import.
  /// - Throws: ``ArchiveError`` or ``CountingError`` if the archive breaks a rule, or ``StoreError``.
  public func importArchive(
    _ archive: Archive, onClash clash: Archive.Clash, at time: Int64, isTrial: Bool, in ledger: Ledger
  ) throws -> (ImportSummary, Ledger) {
    try commit(ledger.head)
    isImporting = true
    defer { isImporting = false }
    do {
      try begin()
      // All rollups are written, also those that an earlier import postponed, because the import searches all events.
      try past.rollups.catchUpWhole(to: ledger.lastSequence)
      var importer = ArchiveImporter(self, ledger, clash, at: time)
      var summary = try importer.importArchive(archive)
      try importer.checkUndos()
      // An undo of an import without effect would undo the change before the import instead.
      let isIdle = try importer.isWithoutEffect()
      if isIdle { (summary.events, summary.names, summary.changed) = (0, [], []) }
      guard !isTrial, !isIdle else {
        rollback()
        return (summary, ledger)
      }
      let (first, last) = (ledger.lastSequence + 1, importer.ledger.lastSequence)
      if first <= last { try statements.saveImport.run(.integer(first), .integer(last)) }
      past.rollups.postpone(to: last)
      try commit(importer.ledger.head)
      var next = importer.ledger
      next.clearUndoLog()
      next.zone = ledger.zone
      return (summary, next)
    } catch {
      rollback()
      throw error
    }
  }

  /// All groups, counters and formulas, removed ones included.
  static func entries(_ database: Database) throws(StoreError) -> [Archive.Entry] {
    let columns = CounterRow.columns.joined(separator: ", ")
    let statement = try database.prepare(
      "SELECT \(columns), removed FROM \(CounterRow.source) WHERE id > 0 ORDER BY id"
    )
    return try statement.rows { row throws(StoreError) in
      Archive.Entry(CounterRow.entity(row), isRemoved: row.integer(Int32(CounterRow.columns.count)) != 0)
    }
  }
}
