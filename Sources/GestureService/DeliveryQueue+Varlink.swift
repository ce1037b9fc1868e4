import Bindings
import Feedback
import Varlink

/// How requests and answers stand on the wire: `org.tallymark.Counters`.
extension DeliveryQueue.Request {
  private static let interface = "org.tallymark.Counters"

  var method: String {
    switch self {
    case .open: "\(Self.interface).Open"
    case .deliver: "\(Self.interface).Deliver"
    }
  }

  func parameters(producer: String) -> JSONObject {
    switch self {
    case .open: ["producer": .string(producer)]
    case .deliver(let epoch, let sequence, let delivery):
      [
        "producer": .string(producer), "epoch": .int(epoch), "sequence": .int(sequence),
        "changes": delivery.changeParameters,
      ]
    }
  }

  /// What a reply to this request means.
  func answer(_ result: Result<JSONObject, VarlinkError>) -> DeliveryQueue.Answer {
    switch (result, self) {
    case (.success(let parameters), .open):
      guard let epoch = parameters["epoch"]?.int else {
        return .failed(.unable("The core opened no epoch that could be understood."))
      }
      let last = parameters["last"]?.object
      guard let lastEpoch = last?["epoch"]?.int, let sequence = last?["sequence"]?.int else {
        return .opened(epoch: epoch)
      }
      return .opened(epoch: epoch, last: .init(epoch: lastEpoch, sequence: sequence))
    case (.success, .deliver): return .delivered
    case (.failure(let error), _): return .failed(Self.failure(error))
    }
  }

  /// What became of the delivery that this request was: nil where that is not known yet, or is not known any more.
  func outcome(_ result: Result<JSONObject, VarlinkError>) -> (Delivery, DeliveryOutcome)? {
    guard case .deliver(_, _, let delivery) = self else { return nil }
    switch result {
    case .success(let reply):
      return (delivery, .recorded((reply["events"]?.array ?? []).compactMap { $0.object.flatMap(RecordedEvent.init) }))
    case .failure(let error):
      guard case .refused = Self.failure(error) else { return nil }
      return (delivery, .refused)
    }
  }

  private static func failure(_ error: VarlinkError) -> DeliveryFailure {
    let reason = error.description
    switch error.name {
    case "\(interface).DeliveryGap": return .gap(reason)
    case "\(interface).ProducerFenced": return .fenced(reason)
    case "\(interface).UnknownEpoch": return .unknownEpoch(reason)
    case "\(interface).DeliveryForgotten": return .forgotten
    // To take back what only an administrator may; the gesture would be as much in the way later, and mean another thing.
    case "\(interface).PermissionDenied" where error.parameters["right"]?.string == "administer":
      return .refused(reason)
    // What another service, another version or an administrator must mend is not the gesture's fault.
    case "\(interface).StorageFailed", "\(interface).PermissionDenied", "org.varlink.service.PermissionDenied",
      "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound",
      "org.varlink.service.MethodNotImplemented":
      return .unable(reason)
    default: return .refused(reason)
    }
  }
}

extension RecordedEvent {
  /// Nil where it is not an event as the interface describes it.
  fileprivate init?(_ event: JSONObject) {
    guard let kind = event["kind"]?.string, let counter = event["counter"]?.string, let change = event["change"]?.int,
      let value = event["value"]?.int
    else { return nil }
    var marks: Set<Occasion> = []
    if event["boundary"]?.int != nil { marks.insert(.boundary) }
    if event["reached"]?.bool == true { marks.insert(.goal) }
    if event["limited"]?.bool == true { marks.insert(.limited) }
    self.init(kind: kind, counter: counter, change: change, value: value, marks: marks)
  }
}

extension Delivery {
  fileprivate var changeParameters: JSON { .array(changes.map { .object($0.parameters) }) }

  /// All of it as an object, as it is kept for the next process.
  var parameters: JSONObject {
    var parameters: JSONObject = ["changes": changeParameters]
    parameters["origin"] = origin.map { .string($0) }
    parameters["identity"] = identity.map { .string($0) }
    return parameters
  }

  /// Reads what ``parameters`` gave; nil where it is something else.
  init?(_ object: JSONObject) {
    guard let changes = object["changes"]?.array else { return nil }
    let read = changes.compactMap { change in change.object.flatMap { Change($0) } }
    guard read.count == changes.count else { return nil }
    self.init(read, origin: object["origin"]?.string, identity: object["identity"]?.string)
  }
}

extension Change {
  fileprivate init?(_ object: JSONObject) {
    guard let verb = object["verb"]?.string, let time = object["time"]?.int, let device = object["device"]?.string,
      let gesture = object["gesture"]?.string
    else { return nil }
    let group = object["group"]?.string.map { Action.Scope.group($0) }
    self.init(
      verb: verb, counter: object["counter"]?.string, amount: object["quantity"]?.string, time: time, device: device,
      gesture: gesture, scope: object["all"]?.bool == true ? .all : group, made: object["made"]?.int)
  }

  /// The members of the interface's `Change`.
  fileprivate var parameters: JSONObject {
    var parameters: JSONObject = [
      "verb": .string(verb), "time": .int(time), "device": .string(device), "gesture": .string(gesture),
    ]
    parameters["counter"] = counter.map { .string($0) }
    parameters["quantity"] = amount.map { .string($0) }
    switch scope {
    case .group(let name): parameters["group"] = .string(name)
    case .all: parameters["all"] = true
    case nil: break
    }
    parameters["made"] = made.map { .int($0) }
    return parameters
  }
}
