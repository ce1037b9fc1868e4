import CoreAPI
import JSON
import Varlink

/// Requests and replies on the wire: `org.tallymark.Counters`.
extension DeliveryQueue.Request {
  /// Sends the request. `reply` receives the answer for the queue. For a delivery it also receives a function that
  /// returns the delivery's outcome, or `nil` if the outcome is unknown.
  func send(
    to core: AsyncClient, as producer: String,
    reply: @escaping (DeliveryQueue.Answer, (delivery: Delivery, outcome: () -> DeliveryOutcome?)?) -> Void
  ) {
    switch self {
    case .open:
      core.send(.open(producer: producer)) { reply(Self.answer($0), nil) }
    case .deliver(let number, let delivery):
      core.deliver(
        producer: producer, epoch: number.epoch, sequence: number.sequence, delivery.encodedChanges
      ) { result in
        reply(Self.answer(result), (delivery, { Self.outcome(result) }))
      }
    }
  }

  static func answer(_ result: Result<Counters.OpenReply, VarlinkError>) -> DeliveryQueue.Answer {
    switch result {
    case .success(let opened):
      guard opened.has(.epoch) else {
        return .failed(.unable("The core opened no epoch that could be understood."))
      }
      guard let last = opened.last, last.has(.epoch), last.has(.sequence) else { return .opened(epoch: opened.epoch) }
      return .opened(epoch: opened.epoch, last: .init(epoch: last.epoch, sequence: last.sequence))
    case .failure(let error): return .failed(failure(error))
    }
  }

  static func answer(_ result: Result<EncodedObject, VarlinkError>) -> DeliveryQueue.Answer {
    switch result {
    case .success: .delivered
    case .failure(let error): .failed(failure(error))
    }
  }

  private static func outcome(_ result: Result<EncodedObject, VarlinkError>) -> DeliveryOutcome? {
    switch result {
    case .success(let reply):
      return .recorded((try? reply.parsed()).map { Counters.DeliverReply($0).events } ?? [])
    case .failure(let error):
      guard case .refused = failure(error) else { return nil }
      return .refused
    }
  }

  private static func failure(_ error: VarlinkError) -> DeliveryFailure {
    let reason = error.description
    guard let refusal = Counters.Refusal(error) else {
      // Of the errors that the interface does not define, only an error about the changes concerns the gesture. All
      // others concern the service, or come from a newer core that requires another member: then the gesture is kept.
      let isOfChanges = error.parameters["parameter"]?.string?.hasPrefix("changes") ?? false
      return error.name == VarlinkError.invalidParameter("").name && isOfChanges ? .refused(reason) : .unable(reason)
    }
    switch refusal.reason {
    case .deliveryGap: return .gap(reason)
    case .producerFenced: return .fenced(reason)
    case .unknownEpoch: return .unknownEpoch(reason)
    case .deliveryForgotten: return .forgotten
    // An undo that requires an administrator would block the queue, and would later undo another event.
    case .permissionDenied(right: "administer"): return .refused(reason)
    case .permissionDenied, .storageFailed: return .unable(reason)
    default: return .refused(reason)
    }
  }
}

extension Delivery {
  /// Writes the members that the spool keeps.
  func write(to object: inout ObjectWriter) {
    object.add("origin", origin)
    object.add("identity", identity)
    object.add("changes", encodedChanges)
  }

  /// Parses an object of ``write(to:)``; returns `nil` for any other object.
  init?(_ object: JSONObject) {
    guard let changes = object["changes"]?.array, !changes.isEmpty else { return nil }
    let read = changes.compactMap(Counters.Change.init(json:)).filter(\.isWhole)
    guard read.count == changes.count else { return nil }
    self.init(read, origin: object["origin"]?.string, identity: object["identity"]?.string)
  }
}

extension Counters.Change {
  /// Whether the change has the members that each change of a gesture has.
  fileprivate var isWhole: Bool { has(.verb) && time != nil && device != nil && gesture != nil }
}
