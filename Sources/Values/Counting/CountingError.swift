/// The reason for refusing a change. The error is thrown before any change.
public enum CountingError: Error, Equatable, Sendable {
  case noSuchCounter(String)
  /// The name is that of a formula, which cannot be counted, locked or timed.
  case isFormula(String)
  /// No counter exists, or all are archived, so there is no current one.
  case noCurrentCounter
  case badName(String, reason: String)
  case badTitle(reason: String)
  /// An amount or a step below 1.
  case badAmount(Int64)
  /// A text that is not a valid amount for the counter.
  case badQuantity(String, reason: String)
  case counterExists(String)
  /// The result exceeds 64 bits. `value` and `change` are in `unit`.
  case overflow(String, value: Int64, change: Int64, unit: Unit = .things)
  /// The change would go beyond the minimum or maximum, which is `limit` in `unit`.
  case limitReached(String, limit: Int64, unit: Unit = .things)
  /// The error of a late count, with the end of its period and the value there.
  indirect case ofEndedPeriod(CountingError, end: String, value: String)
  /// The value of a setting is not valid.
  case badSetting(String, reason: String)
  /// The counter is locked.
  case locked(String)
  /// The counter is archived, so it cannot become the current one.
  case archived(String)
  case noSuchGroup(String)
  case groupExists(String)
  case noSuchFormula(String)
  case formulaExists(String)
  /// The formula is not valid.
  case badFormula(String, FormulaError)
  case notStopwatch(String)
  case alreadyRunning(String)
  case notRunning(String)
  /// A group, or all counters for `nil`, have no stopwatch in this state, apart from locked and archived ones.
  case noStopwatch(group: String?, StopwatchState)
  /// A group, or all counters for `nil`, have no counter that is neither locked nor archived.
  case noneToReset(group: String?)
  /// No event has this sequence number.
  case noSuchEvent(Int64)
  case nothingToUndo
  /// The event with this sequence number cannot be undone by itself.
  case cannotUndo(Int64, reason: String)
  /// Nothing was undone, or another change followed the undo.
  case nothingToRedo

  public enum StopwatchState: Sendable {
    case any
    case stopped
    case running
  }

  /// The reason, as a sentence for the user.
  public var message: String {
    switch self {
    case .noSuchCounter(let name): "There is no counter called “\(name)”."
    case .isFormula(let name): "“\(name)” is a formula: its value follows from the counters in it."
    case .noCurrentCounter: "There is no current counter; create or select one first."
    case .badName(let name, let reason): "“\(name)” is not a valid name: \(reason)."
    case .badTitle(let reason): "The title is not valid: \(reason)."
    case .badAmount: "An amount or a step must be above 0."
    case .badQuantity(let text, let reason): "“\(text)” is not a valid amount: \(reason)."
    case .counterExists(let name): "There is already a counter called “\(name)”."
    case .overflow(let name, let value, .max, let unit), .overflow(let name, let value, .min, let unit):
      // Larger changes are stated by these numbers too.
      "“\(name)” stands at \(unit.text(value)); the change would exceed the range of 64-bit numbers."
    case .overflow(let name, let value, let change, let unit):
      "“\(name)” stands at \(unit.text(value)); changing it by \(unit.text(change)) would exceed the range of 64-bit numbers."
    // A stopwatch has no other limit.
    case .limitReached(let name, _, .time): "The stopwatch “\(name)” cannot be negative."
    case .limitReached(let name, let limit, let unit): "“\(name)” cannot go beyond its limit of \(unit.text(limit))."
    case .ofEndedPeriod(let error, let end, let value):
      "\(error.message) The count belongs to the period that ended on \(end) at \(value)."
    case .badSetting(let setting, let reason): "“\(setting)” is not valid: \(reason)."
    case .locked(let name): "“\(name)” is locked; unlock it first."
    case .archived(let name): "“\(name)” is archived; take it out of the archive first."
    case .noSuchGroup(let name): "There is no group called “\(name)”."
    case .groupExists(let name): "There is already a group called “\(name)”."
    case .noSuchFormula(let name): "There is no formula called “\(name)”."
    case .formulaExists(let name): "There is already a formula called “\(name)”."
    case .badFormula(_, let error): error.message
    case .notStopwatch(let name): "“\(name)” is not a stopwatch."
    case .alreadyRunning(let name): "“\(name)” is already running."
    case .notRunning(let name): "“\(name)” is not running."
    case .noStopwatch(let group, let state):
      switch (state, group.map { " in the group “\($0)”" } ?? "") {
      case (.any, let place): "There is no stopwatch\(place) that is neither locked nor archived."
      case (.stopped, let place): "Every stopwatch\(place) is running already."
      case (.running, let place): "No stopwatch\(place) is running."
      }
    case .noneToReset(let group):
      "There is no counter\(group.map { " in the group “\($0)”" } ?? "") that is neither locked nor archived."
    case .noSuchEvent(let sequence): "There is no event \(sequence)."
    case .nothingToUndo: "There is nothing left to undo."
    case .cannotUndo(let sequence, let reason): "Event \(sequence) cannot be undone: \(reason)."
    case .nothingToRedo: "There is nothing to redo: nothing was undone, or something else has happened since."
    }
  }
}
