import Platform
import Varlink

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

extension JSONObject {
  /// The same members and one more.
  func with(_ key: String, _ value: JSON) -> JSONObject {
    var changed = self
    changed[key] = value
    return changed
  }
}
