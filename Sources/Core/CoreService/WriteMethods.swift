import CoreAPI
import Counting
import JSON
import Linux
import Varlink

/// The rights of a caller, which decide on the allowed changes and the content of the reply.
struct Caller {
  let mayAdminister: Bool
  /// Whether the reply may contain the texts of notes: a replaced note may come from another user.
  let mayRead: Bool
}

/// The calls that change something.
enum WriteMethods {
  /// Performs one change; the reply is its event.
  static func perform(
    _ verb: (Arguments) throws -> Request.Verb, _ arguments: Arguments, _ core: Core, by caller: Caller
  ) throws -> EncodedObject {
    let cause = try arguments.cause()
    let (time, isLate) = try arguments.time()
    let request = Request(
      try verb(arguments), time: time, cause: cause, isLate: isLate, by: try arguments.label(.by),
      isAdministrators: caller.mayAdminister && !cause.isOfKey)
    var events = try core.perform(request)
    // For a reset of several counters, and its redo, the reply has the first event of the batch. For other requests,
    // the reply leaves out the events of formulas that follow a new name (an undo has these first), and the end of a
    // period after a late count.
    guard !events.isEmpty else { throw CountingError.nothingToUndo }
    let isOfMany = events[0].subject == .group || events[0].subject == .all
    let meant = isOfMany ? nil : events.lastIndex { $0.subject != .formula && $0.kind != .renewed }
    // Moved out of the array, because an event takes long to copy.
    let event = events.remove(at: meant ?? 0)
    let closing = event.batch == nil ? nil : events.first { $0.closes(event) }
    return EncodedObject { reply in
      reply.add(Counters.EventReply.Member.event) { $0.add(event, to: caller, closedBy: closing, in: core.ledger) }
    }
  }

  static func open(_ call: Call, _ core: Core, by caller: Caller) throws -> EncodedObject {
    let (epoch, last) = try core.open(.init(user: call.peer.user, name: Arguments(call).producer()))
    return EncodedObject { reply in
      reply.add(Counters.OpenReply.Member.epoch, epoch)
      guard let last else { return }
      reply.add(Counters.OpenReply.Member.last) {
        $0.add(Counters.DeliveryNumber.Member.epoch, last.epoch)
        $0.add(Counters.DeliveryNumber.Member.sequence, last.sequence)
      }
    }
  }

  /// The maximum number of changes in a delivery.
  private static let mostChanges = 100

  static func deliver(_ call: Call, _ core: Core, by caller: Caller) throws -> EncodedObject {
    let arguments = Arguments(call)
    let producer = try arguments.producer()
    guard case .array(let changes)? = arguments[.changes], 1...mostChanges ~= changes.count else {
      throw VarlinkError.invalidParameter("changes")
    }
    let now = Clock.microsecondsSince1970()
    let requests = try changes.enumerated().map { index, change in
      try request(Arguments(change, path: "changes[\(index)]."), producer, now)
    }
    // An undo or a redo in a batch would be undone with the batch. The batch could not be redone then.
    for index in requests.indices.dropFirst() where requests[index].isTogether {
      guard !requests[index].isTakeback, !requests[index - 1].isTakeback else {
        throw VarlinkError.invalidParameter("changes[\(index)].together")
      }
    }
    let (duplicate, events) = try core.deliver(
      requests, from: .init(user: call.peer.user, name: producer), epoch: arguments.integer(.epoch) ?? 0,
      sequence: arguments.integer(.sequence) ?? 0)
    return EncodedObject { reply in
      reply.add(Counters.DeliverReply.Member.duplicate, duplicate)
      reply.add(Counters.DeliverReply.Member.events, events) { $0.add($1, to: caller, in: core.ledger) }
    }
  }

  private static func request(_ change: Arguments, _ producer: String, _ now: Int64) throws -> Request {
    guard let word = change.text(.verb).flatMap(Counters.Change.Verb.init) else { throw change.invalid(.verb) }
    try change.refuseMembers(except: Counters.Change.commonMembers + word.members)
    let amount = try change.quantity(.amount)
    let verb: Request.Verb =
      switch word {
      case .add: .change(.add(change.target(.counter), amount: amount))
      case .subtract: .change(.subtract(change.target(.counter), amount: amount))
      case .select: .change(.select(change.target(.counter)))
      case .next: .change(.selectNeighbour(.next, ofGroups: change[.groups]?.bool ?? false))
      case .previous: .change(.selectNeighbour(.previous, ofGroups: change[.groups]?.bool ?? false))
      case .reset: .change(.reset(try change.scope(), isConfirmed: false))
      case .undo: change.integer(.made).map { .takeBack(madeAt: $0) } ?? .undo(change.text(.counter))
      case .redo: .redo(change.text(.counter))
      case .start: .change(try change.clock(.start))
      case .stop: .change(try change.clock(.stop))
      case .toggle: .change(try change.clock(.toggle))
      case .lap: .change(try change.clock(.lap))
      }
    let stated = change.integer(.time) ?? now
    guard Event.times ~= stated else { throw change.invalid(.time) }
    // A time in the future comes from a clock that was set back later.
    let time = min(stated, now)
    let cause = Cause(producer: producer, device: try change.label(.device), gesture: try change.label(.gesture))
    // A superfluous undo by a gesture must not revert the creation or a setting of a counter, even if the caller is an
    // administrator.
    return Request(
      verb, time: time, cause: cause, isLate: now - time > Event.shortestLateness,
      isAdministrators: false, isTogether: change[.together]?.bool ?? false)
  }
}

extension Event {
  /// Whether this event follows a count of a period that had ended, and restores the counter's value.
  fileprivate func closes(_ count: Event) -> Bool {
    kind == .renewed && sequence == count.sequence + 1 && counter == count.counter && batch == count.batch
      && alterations.isEmpty
  }
}
