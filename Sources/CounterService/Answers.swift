import CounterStore
import Counting
import Varlink

/// The questions of the interface.
enum Answers {
  static func answer(_ call: Call, _ core: Core) throws -> JSONObject {
    switch call.method {
    case "List":
      return ["counters": .array(core.ledger.all.map { JSON($0, in: core.ledger) })]
    case "Get":
      return ["counter": JSON(try core.ledger.find(Arguments(call).target("name")), in: core.ledger)]
    default:
      return try history(Arguments(call), core)
    }
  }

  private static func history(_ arguments: Arguments, _ core: Core) throws -> JSONObject {
    let limit = arguments.integer("limit") ?? 100
    guard 1...1000 ~= limit else { throw VarlinkError.invalidParameter("limit") }
    let page: CounterStore.Page
    switch (arguments.integer("after"), arguments.integer("before")) {
    case (let after?, nil): page = .after(after)
    case (nil, let before): page = .before(before ?? Int64.max)
    case (.some, .some): throw VarlinkError.invalidParameter("before")
    }
    // One more than asked for tells whether others follow.
    let events = try core.history(of: arguments.text("counter"), page, limit: limit + 1)
    return [
      "events": .array(events.prefix(Int(limit)).map { JSON($0) }), "more": .bool(events.count > limit),
    ]
  }
}
