public import Counting

extension CounterStore {
  /// What taking in an archive did, or would do.
  public struct Imported: Equatable, Sendable {
    public var groups: Int64 = 0
    public var counters: Int64 = 0
    public var formulas: Int64 = 0
    public var events: Int64 = 0
    /// Events that were here already.
    public var duplicates: Int64 = 0
    /// The counters that are new or have changed, as they are called here.
    public var names: [String] = []
  }

  /// Takes in an archive that was checked, all of it or nothing; nothing, too, where it is only tried.
  ///
  /// - Returns: what was done, and how things stand then. The ledger that was used so far is of no more use.
  public func take(
    _ archive: Archive, onClash clash: Archive.Clash, at time: Int64, isTrial: Bool,
    in ledger: Ledger
  ) throws -> (Imported, Ledger) {
    try commit(ledger)
    do {
      try begin()
      var intake = Intake(self, ledger, clash, time)
      try intake.take(archive)
      var next = try load()
      try intake.check(next)
      if isTrial { rollback() } else { try commit(next) }
      next.settle()
      return (intake.result, isTrial ? try load() : next)
    } catch {
      rollback()
      throw error
    }
  }
}
