import Glibc
import JSON
import Linux
import Varlink

/// `varlink-certification server|client PATH`: one end of the standard's certification, for the tests.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let mode = arguments.first, let path = arguments.last else { usage() }
    do {
      switch mode {
      case "server": try CertificationServer.run(at: path)
      case "client": try CertificationClient.run(against: path)
      default: usage()
      }
    } catch {
      ServiceProcess.log(.error, "\(error)")
      exit(1)
    }
  }

  private static func usage() -> Never {
    ServiceProcess.log(.error, "usage: varlink-certification server|client PATH")
    exit(64)
  }
}

/// Answers the certification's calls, and refuses every one that is not exactly the one that is due.
final class CertificationServer {
  private let loop: EventLoop
  private var server: Server?
  /// The next step of each client, by its id.
  private var due: [String: Int] = [:]

  /// Serves at `path` until the process ends.
  static func run(at path: String) throws {
    let server = try CertificationServer(path: path)
    print("Listening on unix:\(path)")
    _ = try withExtendedLifetime(server) { try server.loop.run() }
  }

  private init(path: String) throws {
    loop = try EventLoop()
    let service = Service(vendor: "Tallymark", product: "Varlink certification", version: "1", url: "")
    server = try Server(loop: loop, listener: try UnixSocket.listen(at: path, mode: 0o600), service: service)
    service.add(try Interface(CertificationInterface.description)) { [unowned self] call in answer(call) }
  }

  private func answer(_ call: Call) {
    guard call.method != "Start" else { return start(call) }
    let client = call.parameters["client_id"]?.string ?? ""
    guard let index = due[client] else { return refuse(call, wants: ["method": qualified("Start")]) }
    let step = Step.all[index]
    let wanted = message(
      step.method, step.input.with("client_id", .string(client)), more: step.flag == .more, oneway: step.flag == .oneway
    )
    guard wanted.says(message(of: call)) else {
      due[client] = nil
      return refuse(call, wants: wanted)
    }
    due[client] = index + 1 < Step.all.count ? index + 1 : nil
    for reply in step.replies.dropLast() { call.replyContinuing(reply) }
    call.reply(step.replies.last ?? [:])
  }

  private func start(_ call: Call) {
    let wanted = message("Start", [:], more: false, oneway: false)
    guard wanted == message(of: call) else { return refuse(call, wants: wanted) }
    let client = String(UInt64.random(in: .min ... .max), radix: 16)
    due[client] = 0
    call.reply(["client_id": .string(client)])
  }

  private func refuse(_ call: Call, wants: JSONObject) {
    call.fail(
      VarlinkError(
        CertificationInterface.name + ".CertificationError",
        ["wants": .object(wants), "got": .object(message(of: call))]))
  }

  private func qualified(_ method: String) -> JSON { .string("\(CertificationInterface.name).\(method)") }

  private func message(of call: Call) -> JSONObject {
    message(call.method, call.parameters, more: call.wantsMore, oneway: call.isOneway)
  }

  private func message(_ method: String, _ parameters: JSONObject, more: Bool, oneway: Bool) -> JSONObject {
    var message: JSONObject = ["method": qualified(method)]
    if !parameters.isEmpty { message["parameters"] = .object(parameters) }
    if more { message["more"] = true }
    if oneway { message["oneway"] = true }
    return message
  }
}

/// Makes the certification's calls, and checks each answer against the interface and against what it must be.
enum CertificationClient {
  /// What a server answered that it should not have.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Calls the server at `path`; returns when it has certified this client.
  static func run(against path: String) throws {
    let client = try Client(path: path)
    let interface = try Interface(CertificationInterface.description)
    let name = CertificationInterface.name
    let start = try client.call(name + ".Start")
    try interface.validate(reply: "Start", start)
    guard let id = start["client_id"] else { throw Failure(description: "Start answered no id") }
    var last: [JSONObject] = []
    for step in Step.all {
      let parameters = try input(of: step, after: last).with("client_id", id)
      let method = "\(name).\(step.method)"
      var replies: [JSONObject] = []
      switch step.flag {
      case nil: replies = [try client.call(method, parameters)]
      case .oneway: try client.callOneway(method, parameters)
      case .more:
        try client.stream(method, parameters) { reply in
          replies.append(reply)
          return true
        }
      }
      // A field that the interface does not know is none of a client's business: the reference sends one.
      let known = Set(interface.methods[step.method]?.output.map(\.name) ?? [])
      replies = replies.map { JSONObject($0.filter { known.contains($0.key) }) }
      for reply in replies { try interface.validate(reply: step.method, reply) }
      guard replies.count == step.replies.count, zip(replies, step.replies).allSatisfy({ $0.says($1) }) else {
        throw Failure(description: "\(step.method) answered \(replies), and not \(step.replies)")
      }
      print("\(step.method): \(replies.map(\.description).joined(separator: " "))")
      last = replies
    }
    print("Certification passed")
  }

  /// What the call before answered, as this one takes it.
  private static func input(of step: Step, after replies: [JSONObject]) throws -> JSONObject {
    switch step.method {
    case "Test01", "End": [:]
    case "Test11": ["last_more_replies": .array(replies.compactMap { $0["string"] })]
    default: replies.first ?? [:]
    }
  }
}
