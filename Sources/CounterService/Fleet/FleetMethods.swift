import CountersAPI
import Counting
import Fleet
import Varlink

/// The methods for fleets.
enum FleetMethods {
  static func fleet(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    EncodedObject { reply in
      typealias Member = Counters.FleetState.Member
      guard let membership = core.fleet?.membership else { return }
      reply.add(Member.fleet, membership.fleet)
      reply.add(Member.station, membership.station)
      reply.add(Member.id, membership.id)
      reply.add(Member.broker, membership.broker.withoutPassword)
      reply.add(Member.connected, core.fleet?.report?.isConnected ?? false)
      reply.add(Member.trouble, core.fleet?.report?.trouble)
    }
  }

  static func join(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    try core.fleet?.join(
      broker: arguments.text("broker") ?? "", fleet: arguments.text("fleet") ?? "",
      station: arguments.text("station") ?? "")
    return EncodedObject { _ in }
  }

  static func leave(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    try core.fleet?.leave()
    return EncodedObject { _ in }
  }

  static func share(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    throw VarlinkError.methodNotImplemented(call.method)
  }

  static func adopt(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    throw VarlinkError.methodNotImplemented(call.method)
  }

  /// The maximum number of messages in a call.
  private static let mostMessages = 1000

  static func learn(_ call: Call, _ core: Core, _ caller: Caller) throws -> EncodedObject {
    let values = Arguments(call)["messages"]?.array ?? []
    guard values.count <= mostMessages else { throw VarlinkError.invalidParameter("messages") }
    let learned = core.fleet?.learn(values.compactMap(Counters.Received.init(json:)))
    return EncodedObject { reply in
      typealias Member = Counters.Learned.Member
      guard let learned else { return }
      if !learned.publications.isEmpty { reply.add(Member.publications, learned.publications) { $0.add($1) } }
      if !learned.problems.isEmpty { reply.add(Member.problems, learned.problems) }
    }
  }

  static func report(_ call: Call, _ core: Core, _ caller: Caller) -> EncodedObject {
    let arguments = Arguments(call)
    core.fleet?.hear(
      .init(
        isConnected: arguments["connected"]?.bool ?? false,
        trouble: arguments.text("trouble").map { String($0.prefix(1000)) }))
    return EncodedObject { _ in }
  }
}
