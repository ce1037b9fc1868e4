extension Ledger {
  /// The number of counters, groups and formulas.
  public var size: (counters: Int, groups: Int, formulas: Int) {
    (counters.entries.count, groupRegistry.entries.count, formulaRegistry.entries.count)
  }
}
