import Counting
import Platform
import Varlink

/// The requests of the interface that change something.
enum Changes {
  static func perform(_ call: Call, _ core: Core) throws -> JSONObject {
    let arguments = Arguments(call)
    switch call.method {
    case "Open":
      return ["epoch": .int(try core.open(producer: arguments.producer()))]
    case "Deliver":
      return try deliver(arguments, core)
    default:
      let request = Request(
        try verb(call.method, arguments), time: Clock.microsecondsSince1970(), cause: try arguments.cause())
      guard let event = try core.perform([request]).last else { throw VarlinkError.methodNotFound(call.method) }
      return ["event": JSON(event)]
    }
  }

  private static func verb(_ method: String, _ arguments: Arguments) throws -> Request.Verb {
    switch method {
    case "Create":
      .change(
        .create(
          name: arguments.text("name") ?? "", title: arguments.text("title"), start: arguments.integer("start") ?? 0,
          step: arguments.integer("step") ?? 1))
    case "Add": .change(.add(arguments.target("name"), amount: arguments.integer("amount")))
    case "Subtract": .change(.subtract(arguments.target("name"), amount: arguments.integer("amount")))
    case "Select": .change(.select(arguments.target("name")))
    case "Next": .change(.selectNeighbour(.next))
    case "Previous": .change(.selectNeighbour(.previous))
    case "Remove": .change(.remove(arguments.target("name")))
    case "Reset":
      .change(.reset(arguments.target("name"), isConfirmed: arguments["confirmed"]?.bool ?? false))
    case "Correct": .change(.correct(arguments.target("name"), to: arguments.integer("value") ?? 0))
    case "Undo": .undo
    case "Redo": .redo
    default: throw VarlinkError.methodNotFound(method)
    }
  }

  /// At most so many changes in one delivery.
  private static let mostChanges = 100

  private static func deliver(_ arguments: Arguments, _ core: Core) throws -> JSONObject {
    let producer = try arguments.producer()
    guard case .array(let changes)? = arguments["changes"], 1...mostChanges ~= changes.count else {
      throw VarlinkError.invalidParameter("changes")
    }
    let now = Clock.microsecondsSince1970()
    let requests = try changes.enumerated().map { index, change in
      try request(Arguments(change, path: "changes[\(index)]."), producer, now)
    }
    let (duplicate, events) = try core.deliver(
      requests, from: producer, epoch: arguments.integer("epoch") ?? 0, sequence: arguments.integer("sequence") ?? 0)
    return ["duplicate": .bool(duplicate), "events": .array(events.map { JSON($0) })]
  }

  private static func request(_ change: Arguments, _ producer: String, _ now: Int64) throws -> Request {
    let amount = change.integer("amount")
    let verb: Request.Verb
    switch change.text("verb") {
    case "add": verb = .change(.add(change.target("counter"), amount: amount))
    case "subtract": verb = .change(.subtract(change.target("counter"), amount: amount))
    case "select": verb = .change(.select(change.target("counter")))
    case "next": verb = .change(.selectNeighbour(.next))
    case "previous": verb = .change(.selectNeighbour(.previous))
    case "reset": verb = .change(.reset(change.target("counter"), isConfirmed: false))
    case "undo": verb = change.integer("made").map { .takeBack(madeAt: $0) } ?? .undo
    case "redo": verb = .redo
    default: throw change.invalid("verb")
    }
    let time = change.integer("time") ?? now
    guard time >= 0 else { throw change.invalid("time") }
    let cause = Cause(producer: producer, device: try change.label("device"), gesture: try change.label("gesture"))
    return Request(verb, time: time, cause: cause)
  }
}
