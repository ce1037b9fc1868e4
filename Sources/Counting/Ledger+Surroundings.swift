extension Ledger {
  /// The same as it stands, with all that `other` goes by and that is no part of a journal: the machine's clocks and
  /// zones, and how people want to reset.
  public func inSurroundings(of other: Ledger) -> Ledger {
    var ledger = self
    (ledger.resetWindow, ledger.boot, ledger.zone) = (other.resetWindow, other.boot, other.zone)
    return ledger
  }
}
