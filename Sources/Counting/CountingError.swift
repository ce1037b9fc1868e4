public import Formulas

/// Why a change was refused. Nothing has changed when one of these is thrown.
public enum CountingError: Error, Equatable, Sendable {
  case noSuchCounter(String)
  /// There is no counter at all, so none is the current one.
  case noCurrentCounter
  case badName(String, reason: String)
  case badTitle(reason: String)
  /// An amount or a step that is no number of things: below 1.
  case badAmount(Int64)
  /// A text that is no number of what the counter counts.
  case badQuantity(String, reason: String)
  case counterExists(String)
  /// The result does not fit into 64 bits.
  case overflow(String, value: Int64, change: Int64)
  /// It would pass the minimum or the maximum.
  case limitReached(String, limit: Int64)
  /// A setting cannot be like that.
  case badSetting(String, reason: String)
  /// The counter is locked.
  case locked(String)
  case noSuchGroup(String)
  case groupExists(String)
  case noSuchFormula(String)
  case formulaExists(String)
  /// A formula makes no sense.
  case badFormula(String, FormulaError)
  case notStopwatch(String)
  case alreadyRunning(String)
  case notRunning(String)
  /// There is no event with this number.
  case noSuchEvent(Int64)
  case nothingToUndo
  /// Nothing was undone, or something else has happened since.
  case nothingToRedo

  /// What was wrong, in a sentence for the person who asked.
  public var message: String {
    switch self {
    case .noSuchCounter(let name): "There is no counter called “\(name)”."
    case .noCurrentCounter: "There is no counter yet, so there is no current one."
    case .badName(let name, let reason): "“\(name)” cannot be the name of a counter: \(reason)."
    case .badTitle(let reason): "This cannot be the title of a counter: \(reason)."
    case .badAmount(let amount): "\(amount) is not an amount: it must be 1 or more."
    case .badQuantity(let text, let reason): "“\(text)” is not how much of this: \(reason)."
    case .counterExists(let name): "There is already a counter called “\(name)”."
    case .overflow(let name, let value, let change):
      "“\(name)” stands at \(value); changing it by \(change) would leave the range of 64 bits."
    case .limitReached(let name, let limit): "“\(name)” may not pass its limit of \(limit)."
    case .badSetting(let setting, let reason): "“\(setting)” cannot be set so: \(reason)."
    case .locked(let name): "“\(name)” is locked; unlock it first."
    case .noSuchGroup(let name): "There is no group called “\(name)”."
    case .groupExists(let name): "There is already a group called “\(name)”."
    case .noSuchFormula(let name): "There is no formula called “\(name)”."
    case .formulaExists(let name): "There is already a formula called “\(name)”."
    case .badFormula(_, let error): error.message
    case .notStopwatch(let name): "“\(name)” is no stopwatch."
    case .alreadyRunning(let name): "“\(name)” runs already."
    case .notRunning(let name): "“\(name)” does not run."
    case .noSuchEvent(let sequence): "There is no event \(sequence)."
    case .nothingToUndo: "There is nothing left to undo."
    case .nothingToRedo: "There is nothing to redo: nothing was undone, or something else has happened since."
    }
  }
}
