import CounterStore
import Counting
import Formulas
import Varlink

extension VarlinkError {
  /// The named error of the interface for whatever was thrown while a call was handled.
  init(_ error: any Error) {
    switch error {
    case let error as VarlinkError: self = error
    case let error as CountingError: self.init(error)
    case let error as DeliveryError: self.init(error)
    case let error as StoreError: self = Self.named("StorageFailed", error.message)
    default: self = Self.named("StorageFailed", "\(error)")
    }
  }

  private init(_ error: CountingError) {
    switch error {
    case .noSuchCounter(let name): self = Self.named("NoSuchCounter", error.message, ["name": .string(name)])
    case .noCurrentCounter: self = Self.named("NoCurrentCounter", error.message)
    case .badName(let name, let reason):
      self = Self.named("BadName", error.message, ["name": .string(name), "reason": .string(reason)])
    case .badTitle(let reason): self = Self.named("BadTitle", error.message, ["reason": .string(reason)])
    case .badAmount(let amount): self = Self.named("BadAmount", error.message, ["amount": .int(amount)])
    case .badQuantity(let text, let reason):
      self = Self.named("BadQuantity", error.message, ["quantity": .string(text), "reason": .string(reason)])
    case .counterExists(let name): self = Self.named("CounterExists", error.message, ["name": .string(name)])
    case .overflow(let name, let value, let change):
      self = Self.named(
        "Overflow", error.message, ["name": .string(name), "value": .int(value), "change": .int(change)])
    case .limitReached(let name, let limit):
      self = Self.named("LimitReached", error.message, ["name": .string(name), "limit": .int(limit)])
    case .badSetting(let setting, let reason):
      self = Self.named("BadSetting", error.message, ["setting": .string(setting), "reason": .string(reason)])
    case .locked(let name): self = Self.named("Locked", error.message, ["name": .string(name)])
    case .noSuchGroup(let name): self = Self.named("NoSuchGroup", error.message, ["name": .string(name)])
    case .groupExists(let name): self = Self.named("GroupExists", error.message, ["name": .string(name)])
    case .noSuchFormula(let name): self = Self.named("NoSuchFormula", error.message, ["name": .string(name)])
    case .formulaExists(let name): self = Self.named("FormulaExists", error.message, ["name": .string(name)])
    case .badFormula(let text, let fault):
      self = Self.named(
        "BadFormula", error.message, ["formula": .string(text), "position": .int(Int64(fault.position))])
    case .notStopwatch(let name): self = Self.named("NotStopwatch", error.message, ["name": .string(name)])
    case .alreadyRunning(let name): self = Self.named("AlreadyRunning", error.message, ["name": .string(name)])
    case .notRunning(let name): self = Self.named("NotRunning", error.message, ["name": .string(name)])
    case .noSuchEvent(let sequence):
      self = Self.named("NoSuchEvent", error.message, ["sequence": .int(sequence)])
    case .nothingToUndo: self = Self.named("NothingToUndo", error.message)
    case .nothingToRedo: self = Self.named("NothingToRedo", error.message)
    }
  }

  private init(_ error: DeliveryError) {
    switch error {
    case .gap(let expected): self = Self.named("DeliveryGap", error.message, ["expected": .int(expected)])
    case .fenced(let epoch): self = Self.named("ProducerFenced", error.message, ["epoch": .int(epoch)])
    case .unknownEpoch: self = Self.named("UnknownEpoch", error.message)
    case .forgotten: self = Self.named("DeliveryForgotten", error.message)
    }
  }

  private static func named(_ name: String, _ message: String, _ parameters: JSONObject = [:]) -> VarlinkError {
    var parameters = parameters
    parameters["message"] = .string(message)
    return VarlinkError("org.tallymark.Counters.\(name)", parameters)
  }
}
