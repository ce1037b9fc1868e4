import CoreAPI
import Counting
import Journal
import Varlink

extension VarlinkError {
  /// The error of the interface for an error thrown while handling a call.
  init(_ error: any Error) {
    switch error {
    case let error as VarlinkError: self = error
    case DeliveryError.tooManyEvents: self = .invalidParameter("changes")
    case let error as CountingError: self = Counters.Refusal(.init(error), message: error.message).error
    case let error as DeliveryError: self = Counters.Refusal(.init(error), message: error.message).error
    case let error as StoreError: self = Counters.Refusal(.storageFailed, message: error.message).error
    default: self = Counters.Refusal(.storageFailed, message: "\(error)").error
    }
  }
}

extension Counters.Refusal.Reason {
  init(_ error: CountingError) {
    self =
      switch error {
      case .noSuchCounter(let name), .isFormula(let name): .noSuchCounter(name: name)
      case .noCurrentCounter: .noCurrentCounter
      case .badName(let name, let reason): .badName(name: name, reason: reason)
      case .badTitle(let reason): .badTitle(reason: reason)
      case .badAmount(let amount): .badAmount(amount: amount)
      case .badQuantity(let text, let reason): .badQuantity(quantity: text, reason: reason)
      case .counterExists(let name): .counterExists(name: name)
      case .overflow(let name, let value, let change, _): .overflow(name: name, value: value, change: change)
      case .limitReached(let name, let limit, _): .limitReached(name: name, limit: limit)
      case .ofEndedPeriod(let error, _, _): .init(error)
      case .badSetting(let setting, let reason): .badSetting(setting: setting, reason: reason)
      case .locked(let name): .locked(name: name)
      case .noSuchGroup(let name): .noSuchGroup(name: name)
      case .groupExists(let name): .groupExists(name: name)
      case .noSuchFormula(let name): .noSuchFormula(name: name)
      case .formulaExists(let name): .formulaExists(name: name)
      case .badFormula(let text, let fault): .badFormula(formula: text, position: Int64(fault.position))
      case .archived(let name): .archived(name: name)
      case .notStopwatch(let name): .notStopwatch(name: name)
      case .alreadyRunning(let name): .alreadyRunning(name: name)
      case .notRunning(let name): .notRunning(name: name)
      case .noneToReset(let group): .nothingToReset(group: group ?? "")
      case .noStopwatch(let group, .any): .notStopwatch(name: group ?? "")
      case .noStopwatch(let group, .stopped): .alreadyRunning(name: group ?? "")
      case .noStopwatch(let group, .running): .notRunning(name: group ?? "")
      case .noSuchEvent(let sequence): .noSuchEvent(sequence: sequence)
      case .nothingToUndo, .cannotUndo: .nothingToUndo
      case .nothingToRedo: .nothingToRedo
      }
  }

  init(_ error: DeliveryError) {
    self =
      switch error {
      case .gap(let expected): .deliveryGap(expected: expected)
      case .fenced(let epoch): .producerFenced(epoch: epoch)
      case .unknownEpoch: .unknownEpoch
      case .forgotten, .tooManyEvents: .deliveryForgotten
      }
  }
}
