import CoreAPI
import Glibc
import InputDaemon
import JSON
import Linux
import TestKit
import Testing
import Varlink

/// A core at a real socket that can be taken away and brought back; what it does is ``VirtualCore``'s.
final class CoreStandIn {
  let loop: EventLoop
  private let temporary = TemporaryFolder()
  var path: String { temporary.path("core.sock") }
  var core = VirtualCore()
  /// Requests that are read and never answered, before the connection is cut.
  var swallowsAnswers = false
  private var server: Server?
  private var unanswered: [Call] = []
  /// What a gesture that it refuses is answered: name and parameters beside the sentence. A name without a dot is one of
  /// the interface.
  var refusal: (name: String, parameters: JSONObject) = ("BadAmount", [:])

  private static let interface = """
    interface org.tallymark.Counters
    type Change (verb: string, counter: ?string, quantity: ?string, time: ?int, device: ?string, gesture: ?string)
    method Open(producer: string) -> (epoch: int)
    method Deliver(producer: string, epoch: int, sequence: int, changes: []Change) -> (duplicate: bool)
    error DeliveryGap (expected: int, message: string)
    error ProducerFenced (epoch: int, message: string)
    error UnknownEpoch (message: string)
    error DeliveryForgotten (message: string)
    error StorageFailed (message: string)
    error BadAmount (message: string)
    error TroubleOfANewerCore (message: string)
    error PermissionDenied (right: string, message: string)
    """

  init() throws { loop = try EventLoop() }

  deinit { stop() }

  func start() throws {
    let service = Service(vendor: "Test", product: "core", version: "1", url: "")
    service.add(try Interface(Self.interface)) { [unowned self] call in serve(call) }
    server = try Server(loop: loop, listener: try UnixSocket.listen(at: path, mode: 0o600), service: service)
  }

  func stop() {
    unanswered = []
    server = nil
    unlink(path)
  }

  /// Turns the loop until `condition` holds.
  func run(file: StaticString = #fileID, line: Int = #line, until condition: () -> Bool) throws {
    try Wait.until("the condition of this line", turning: loop, file: file, line: line, condition)
  }

  private func serve(_ call: Call) {
    let parameters = call.parameters
    let answer: DeliveryQueue.Answer
    if call.method == "Open" {
      answer = core.handle(.open)
    } else {
      let changes = (parameters["changes"]?.array ?? []).compactMap { Counters.Change(json: $0) }
      answer = core.handle(
        .deliver(
          .init(epoch: parameters["epoch"]?.int ?? 0, sequence: parameters["sequence"]?.int ?? 0), Delivery(changes)))
    }
    if swallowsAnswers { return unanswered.append(call) }
    switch answer {
    case .opened(let epoch, let last):
      var reply: JSONObject = ["epoch": .int(epoch)]
      if let last { reply["last"] = ["epoch": .int(last.epoch), "sequence": .int(last.sequence)] }
      call.reply(reply)
    case .delivered: call.reply(["duplicate": false])
    case .failed(let failure): call.fail(error(failure))
    }
  }

  private func error(_ failure: DeliveryFailure) -> VarlinkError {
    let name =
      switch failure {
      case .gap: "DeliveryGap"
      case .fenced: "ProducerFenced"
      case .unknownEpoch: "UnknownEpoch"
      case .forgotten: "DeliveryForgotten"
      case .unable: "StorageFailed"
      case .refused: refusal.name
      }
    var parameters: JSONObject = ["message": "A sentence."]
    if case .refused = failure { for (key, value) in refusal.parameters { parameters[key] = value } }
    if case .gap = failure { parameters["expected"] = 1 }
    if case .fenced = failure { parameters["epoch"] = 1 }
    return VarlinkError(name.contains(".") ? name : "org.tallymark.Counters.\(name)", parameters)
  }
}
