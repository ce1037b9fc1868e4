import Varlink

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
