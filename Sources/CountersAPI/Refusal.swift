public import Varlink

extension Counters {
  /// A named error of the interface: why the core refused a call.
  public struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error with its parameters.
    public let reason: Reason
    /// A sentence for the person who asked.
    public let message: String

    public init(_ reason: Reason, message: String) {
      self.reason = reason
      self.message = message
    }

    public var description: String { message }

    public enum Reason: Equatable, Sendable {
      case permissionDenied(right: String)
      case noSuchCounter(name: String)
      case badArchive
      case noCurrentCounter
      case badName(name: String, reason: String)
      case badTitle(reason: String)
      case badAmount(amount: Int64)
      case badQuantity(quantity: String, reason: String)
      case counterExists(name: String)
      case limitReached(name: String, limit: Int64)
      case badSetting(setting: String, reason: String)
      case locked(name: String)
      case archived(name: String)
      case noSuchGroup(name: String)
      case groupExists(name: String)
      case noSuchFormula(name: String)
      case formulaExists(name: String)
      /// - Parameter position: in Unicode scalars from 0.
      case badFormula(formula: String, position: Int64)
      case notStopwatch(name: String)
      case alreadyRunning(name: String)
      case notRunning(name: String)
      case noSuchEvent(sequence: Int64)
      case overflow(name: String, value: Int64, change: Int64)
      case nothingToUndo
      case nothingToRedo
      case deliveryGap(expected: Int64)
      case producerFenced(epoch: Int64)
      case unknownEpoch
      case deliveryForgotten
      case noAnswer(station: String)
      case storageFailed
    }

    /// The names of the errors.
    public enum Name: String, CaseIterable, Sendable {
      case permissionDenied = "PermissionDenied"
      case noSuchCounter = "NoSuchCounter"
      case badArchive = "BadArchive"
      case noCurrentCounter = "NoCurrentCounter"
      case badName = "BadName"
      case badTitle = "BadTitle"
      case badAmount = "BadAmount"
      case badQuantity = "BadQuantity"
      case counterExists = "CounterExists"
      case limitReached = "LimitReached"
      case badSetting = "BadSetting"
      case locked = "Locked"
      case archived = "Archived"
      case noSuchGroup = "NoSuchGroup"
      case groupExists = "GroupExists"
      case noSuchFormula = "NoSuchFormula"
      case formulaExists = "FormulaExists"
      case badFormula = "BadFormula"
      case notStopwatch = "NotStopwatch"
      case alreadyRunning = "AlreadyRunning"
      case notRunning = "NotRunning"
      case noSuchEvent = "NoSuchEvent"
      case overflow = "Overflow"
      case nothingToUndo = "NothingToUndo"
      case nothingToRedo = "NothingToRedo"
      case deliveryGap = "DeliveryGap"
      case producerFenced = "ProducerFenced"
      case unknownEpoch = "UnknownEpoch"
      case deliveryForgotten = "DeliveryForgotten"
      case noAnswer = "NoAnswer"
      case storageFailed = "StorageFailed"

      public var qualifiedName: String { "\(Counters.interface).\(rawValue)" }
    }

    fileprivate enum Member: MemberName, InterfaceMember {
      case name, reason, message, right, amount, quantity, limit, setting, formula, position, sequence, value, change
      case expected, epoch, station
    }
  }
}

/// The two directions between errors of the interface and those of a connection.
extension Counters.Refusal {
  /// Parameters that are missing read as empty.
  ///
  /// - Returns: `nil` for an error that the interface does not define.
  public init?(_ error: VarlinkError) {
    let prefix = "\(Counters.interface)."
    guard error.name.hasPrefix(prefix), let name = Name(rawValue: String(error.name.dropFirst(prefix.count))) else {
      return nil
    }
    func text(_ member: Member) -> String { error.parameters[member]?.string ?? "" }
    func number(_ member: Member) -> Int64 { error.parameters[member]?.int ?? 0 }
    message = error.description
    reason =
      switch name {
      case .permissionDenied: .permissionDenied(right: text(.right))
      case .noSuchCounter: .noSuchCounter(name: text(.name))
      case .badArchive: .badArchive
      case .noCurrentCounter: .noCurrentCounter
      case .badName: .badName(name: text(.name), reason: text(.reason))
      case .badTitle: .badTitle(reason: text(.reason))
      case .badAmount: .badAmount(amount: number(.amount))
      case .badQuantity: .badQuantity(quantity: text(.quantity), reason: text(.reason))
      case .counterExists: .counterExists(name: text(.name))
      case .limitReached: .limitReached(name: text(.name), limit: number(.limit))
      case .badSetting: .badSetting(setting: text(.setting), reason: text(.reason))
      case .locked: .locked(name: text(.name))
      case .noSuchGroup: .noSuchGroup(name: text(.name))
      case .groupExists: .groupExists(name: text(.name))
      case .noSuchFormula: .noSuchFormula(name: text(.name))
      case .formulaExists: .formulaExists(name: text(.name))
      case .badFormula: .badFormula(formula: text(.formula), position: number(.position))
      case .archived: .archived(name: text(.name))
      case .notStopwatch: .notStopwatch(name: text(.name))
      case .alreadyRunning: .alreadyRunning(name: text(.name))
      case .notRunning: .notRunning(name: text(.name))
      case .noSuchEvent: .noSuchEvent(sequence: number(.sequence))
      case .overflow: .overflow(name: text(.name), value: number(.value), change: number(.change))
      case .nothingToUndo: .nothingToUndo
      case .nothingToRedo: .nothingToRedo
      case .deliveryGap: .deliveryGap(expected: number(.expected))
      case .producerFenced: .producerFenced(epoch: number(.epoch))
      case .unknownEpoch: .unknownEpoch
      case .deliveryForgotten: .deliveryForgotten
      case .noAnswer: .noAnswer(station: text(.station))
      case .storageFailed: .storageFailed
      }
  }

  /// The form in which the error goes over a connection.
  public var error: VarlinkError {
    let (name, values) = content
    var parameters: JSONObject = [:]
    for (member, value) in values { parameters[member] = value.json }
    parameters[Member.message] = .string(message)
    return VarlinkError(name.qualifiedName, parameters)
  }

  public var name: Name { content.name }

  private var content: (name: Name, values: KeyValuePairs<Member, any MemberValue>) {
    switch reason {
    case .permissionDenied(let right): (.permissionDenied, [.right: right])
    case .noSuchCounter(let name): (.noSuchCounter, [.name: name])
    case .badArchive: (.badArchive, [:])
    case .noCurrentCounter: (.noCurrentCounter, [:])
    case .badName(let name, let reason): (.badName, [.name: name, .reason: reason])
    case .badTitle(let reason): (.badTitle, [.reason: reason])
    case .badAmount(let amount): (.badAmount, [.amount: amount])
    case .badQuantity(let quantity, let reason): (.badQuantity, [.quantity: quantity, .reason: reason])
    case .counterExists(let name): (.counterExists, [.name: name])
    case .limitReached(let name, let limit): (.limitReached, [.name: name, .limit: limit])
    case .badSetting(let setting, let reason): (.badSetting, [.setting: setting, .reason: reason])
    case .locked(let name): (.locked, [.name: name])
    case .noSuchGroup(let name): (.noSuchGroup, [.name: name])
    case .groupExists(let name): (.groupExists, [.name: name])
    case .noSuchFormula(let name): (.noSuchFormula, [.name: name])
    case .formulaExists(let name): (.formulaExists, [.name: name])
    case .badFormula(let formula, let position): (.badFormula, [.formula: formula, .position: position])
    case .archived(let name): (.archived, [.name: name])
    case .notStopwatch(let name): (.notStopwatch, [.name: name])
    case .alreadyRunning(let name): (.alreadyRunning, [.name: name])
    case .notRunning(let name): (.notRunning, [.name: name])
    case .noSuchEvent(let sequence): (.noSuchEvent, [.sequence: sequence])
    case .overflow(let name, let value, let change): (.overflow, [.name: name, .value: value, .change: change])
    case .nothingToUndo: (.nothingToUndo, [:])
    case .nothingToRedo: (.nothingToRedo, [:])
    case .deliveryGap(let expected): (.deliveryGap, [.expected: expected])
    case .producerFenced(let epoch): (.producerFenced, [.epoch: epoch])
    case .unknownEpoch: (.unknownEpoch, [:])
    case .deliveryForgotten: (.deliveryForgotten, [:])
    case .noAnswer(let station): (.noAnswer, [.station: station])
    case .storageFailed: (.storageFailed, [:])
    }
  }
}
