import Counting
import Platform
import Varlink

/// The requests of the interface that change something.
enum Changes {
  /// - Parameter isAdministrators: whether the one who calls has the right to administer.
  static func perform(_ call: Call, _ core: Core, isAdministrators: Bool) throws -> ObjectText {
    let arguments = Arguments(call)
    switch call.method {
    case "Open":
      let (epoch, last) = try core.open(.init(user: call.peer.user, name: arguments.producer()))
      return ObjectText { reply in
        reply.add("epoch", epoch)
        guard let last else { return }
        reply.add("last") {
          $0.add("epoch", last.epoch)
          $0.add("sequence", last.sequence)
        }
      }
    case "Import":
      return ObjectText(try Archives.take(call, core))
    case "Deliver":
      return try deliver(arguments, of: call.peer.user, core, isAdministrators)
    default:
      let request = Request(
        try verb(call.method, arguments), time: try arguments.time(), cause: try arguments.cause(),
        isAdministrators: isAdministrators)
      let events = try core.perform(request)
      // Of a reset of several counters the first event speaks for all.
      let isOfCounter = events.first?.subject == .counter
      // Formulas that follow a name are not what was asked for.
      guard let event = isOfCounter ? events.last(where: { $0.subject != .formula }) : events.first else {
        throw VarlinkError.methodNotFound(call.method)
      }
      return ObjectText { $0.add("event") { $0.add(event, in: core.ledger) } }
    }
  }

  private static func verb(_ method: String, _ arguments: Arguments) throws -> Request.Verb {
    switch method {
    case "Create":
      .change(
        .create(
          name: arguments.text("name") ?? "", decimals: arguments.integer("decimals") ?? 0,
          isStopwatch: try arguments.isStopwatch(), try arguments.settings()))
    case "Add": .change(.add(arguments.target("name"), amount: try arguments.quantity("amount")))
    case "Subtract": .change(.subtract(arguments.target("name"), amount: try arguments.quantity("amount")))
    case "Select": .change(.select(arguments.target("name")))
    case "Next": .change(.selectNeighbour(.next))
    case "Previous": .change(.selectNeighbour(.previous))
    case "Remove": .change(.remove(arguments.target("name")))
    case "Reset":
      .change(.reset(try arguments.scope("name"), isConfirmed: arguments["confirmed"]?.bool ?? false))
    case "Correct":
      .change(.correct(arguments.target("name"), to: try arguments.needed(arguments.quantity("value"), "value")))
    case "Set": .change(.set(arguments.target("name"), try arguments.settings()))
    case "Lock": .change(.lock(arguments.target("name"), true))
    case "Unlock": .change(.lock(arguments.target("name"), false))
    case "Move": .change(.move(arguments.target("name"), to: try arguments.place()))
    case "Start": .change(.clock(arguments.target("name"), .start))
    case "Stop": .change(.clock(arguments.target("name"), .stop))
    case "Toggle": .change(.clock(arguments.target("name"), .toggle))
    case "Lap": .change(.clock(arguments.target("name"), .lap))
    case "CreateGroup": .change(.createGroup(name: arguments.text("name") ?? "", try arguments.settings()))
    case "SetGroup": .change(.setGroup(arguments.text("name") ?? "", try arguments.settings()))
    case "RemoveGroup": .change(.removeGroup(arguments.text("name") ?? ""))
    case "MoveGroup": .change(.moveGroup(arguments.text("name") ?? "", to: try arguments.place()))
    case "CreateFormula": .change(.createFormula(name: arguments.text("name") ?? "", try arguments.settings()))
    case "SetFormula": .change(.setFormula(arguments.text("name") ?? "", try arguments.settings()))
    case "Note": .note(arguments.integer("sequence") ?? 0, arguments.text("text"))
    case "Undo": .undo(arguments.text("counter"))
    case "Redo": .redo(arguments.text("counter"))
    default: throw VarlinkError.methodNotFound(method)
    }
  }

  /// At most so many changes in one delivery.
  private static let mostChanges = 100

  private static func deliver(
    _ arguments: Arguments, of user: UInt32, _ core: Core, _ isAdministrators: Bool
  ) throws -> ObjectText {
    let producer = try arguments.producer()
    guard case .array(let changes)? = arguments["changes"], 1...mostChanges ~= changes.count else {
      throw VarlinkError.invalidParameter("changes")
    }
    let now = Clock.microsecondsSince1970()
    let requests = try changes.enumerated().map { index, change in
      try request(Arguments(change, path: "changes[\(index)]."), producer, now, isAdministrators)
    }
    let (duplicate, events) = try core.deliver(
      requests, from: .init(user: user, name: producer), epoch: arguments.integer("epoch") ?? 0,
      sequence: arguments.integer("sequence") ?? 0)
    return ObjectText { reply in
      reply.add("duplicate", duplicate)
      reply.add("events", events) { $0.add($1, in: core.ledger) }
    }
  }

  private static func request(
    _ change: Arguments, _ producer: String, _ now: Int64, _ isAdministrators: Bool
  ) throws -> Request {
    let amount = try change.quantity("amount")
    let verb: Request.Verb
    switch change.text("verb") {
    case "add": verb = .change(.add(change.target("counter"), amount: amount))
    case "subtract": verb = .change(.subtract(change.target("counter"), amount: amount))
    case "select": verb = .change(.select(change.target("counter")))
    case "next": verb = .change(.selectNeighbour(.next))
    case "previous": verb = .change(.selectNeighbour(.previous))
    case "reset": verb = .change(.reset(try change.scope("counter"), isConfirmed: false))
    case "undo": verb = change.integer("made").map { .takeBack(madeAt: $0) } ?? .undo(change.text("counter"))
    case "redo": verb = .redo(change.text("counter"))
    case let text:
      guard let stopwatch = text.flatMap(Change.StopwatchVerb.init) else { throw change.invalid("verb") }
      verb = .change(.clock(change.target("counter"), stopwatch))
    }
    let time = change.integer("time") ?? now
    // Later than now is what was done by a clock that was set back since.
    guard Event.times ~= time else { throw change.invalid("time") }
    let cause = Cause(producer: producer, device: try change.label("device"), gesture: try change.label("gesture"))
    return Request(verb, time: time, cause: cause, isAdministrators: isAdministrators)
  }
}
