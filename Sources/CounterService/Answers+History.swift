import CounterStore
import Counting
import Varlink

/// The questions about what happened.
extension Answers {
  static func history(_ arguments: Arguments, _ core: Core) throws -> ObjectText {
    let limit = arguments.integer("limit") ?? 100
    guard 1...1000 ~= limit else { throw VarlinkError.invalidParameter("limit") }
    let page: CounterStore.Page
    switch (arguments.integer("after"), arguments.integer("before")) {
    case (let after?, nil): page = .after(after)
    case (nil, let before): page = .before(before ?? Int64.max)
    case (.some, .some): throw VarlinkError.invalidParameter("before")
    }
    // One more than asked for tells whether others follow.
    let found = try core.search(filter(arguments, core), page, limit: limit + 1)
    let events = found.events.prefix(Int(limit))
    let isFull = found.events.count > limit
    return ObjectText { reply in
      reply.add("events", events) { $0.add($1, in: core.ledger) }
      reply.add("more", isFull || found.next != nil)
      reply.add("next", isFull ? events.last?.sequence : found.next)
    }
  }

  static func totals(_ arguments: Arguments, _ core: Core) throws -> JSONObject {
    let bounds = (arguments["bounds"]?.array ?? []).compactMap(\.int)
    guard 2...2001 ~= bounds.count, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw VarlinkError.invalidParameter("bounds")
    }
    let (unit, totals) = try core.totals(of: counters(arguments, core), between: bounds)
    var reply = members(of: unit)
    reply["totals"] = .array(zip(totals, bounds).map { JSON($0, start: $1) })
    return reply
  }

  static func statistics(_ arguments: Arguments, _ core: Core) throws -> JSONObject {
    let found = try core.statistics(
      of: counters(arguments, core), from: arguments.integer("from") ?? .min, until: arguments.integer("until") ?? .max)
    var reply = members(of: found.unit)
    reply["total"] = JSON(found.totals, start: found.first ?? 0)
    if let first = found.first { reply["first"] = .int(first) }
    if let last = found.last { reply["last"] = .int(last) }
    if let busiest = found.busiest { reply["busiest"] = JSON(busiest.totals, start: busiest.start) }
    if let gap = found.gap { reply["gap"] = ["start": .int(gap.lowerBound), "end": .int(gap.upperBound)] }
    return reply
  }

  /// What sums are sums of, where that is not whole things.
  private static func members(of unit: Unit) -> JSONObject {
    switch unit {
    case .time: ["stopwatches": true]
    case .decimal(0): [:]
    case .decimal(let decimals): ["decimals": .int(decimals)]
    }
  }

  static func past(_ arguments: Arguments, _ core: Core) throws -> JSONObject {
    let counters = try names(arguments).map { try self.counters(named: $0, core) } ?? core.ledger.all
    let values = try core.values(of: counters.map(\.id), at: arguments.integer("time") ?? 0)
    return [
      "values": .array(
        counters.map { counter in
          var entry: JSONObject = ["name": .string(counter.name.text)]
          if let value = values[counter.id] { entry["value"] = .int(value) }
          return .object(entry)
        })
    ]
  }

  private static func filter(_ arguments: Arguments, _ core: Core) throws -> EventFilter {
    EventFilter(
      counters: try counters(arguments, core), producer: arguments.text("producer"), device: arguments.text("device"),
      gesture: arguments.text("gesture"), from: arguments.integer("from"), until: arguments.integer("until"))
  }

  /// The counters that are named, one by one or by their group; `nil` for all.
  private static func counters(_ arguments: Arguments, _ core: Core) throws -> Set<Counter.ID>? {
    var names = try names(arguments)
    if let name = arguments.text("counter") { names = (names ?? []) + [name] }
    let id = arguments.integer("id").map(Counter.ID.init)
    guard names != nil || id != nil else { return nil }
    return Set(try counters(named: names ?? [], core).map(\.id) + (id.map { [$0] } ?? []))
  }

  private static func counters(named names: [String], _ core: Core) throws -> [Counter] {
    let counters = try core.countersEver(named: names)
    return names.compactMap { counters[$0] }
  }

  private static func names(_ arguments: Arguments) throws -> [String]? {
    guard let names = arguments["counters"]?.array else { return nil }
    guard names.count <= 10_000 else { throw VarlinkError.invalidParameter("counters") }
    var seen: Set<String> = []
    // Each is answered once, however often it is asked for.
    return names.compactMap(\.string).filter { seen.insert($0).inserted }
  }
}

extension JSON {
  fileprivate init(_ totals: Totals, start: Int64) {
    self = [
      "start": .int(start), "counts": .int(totals.counts), "added": .int(totals.added),
      "subtracted": .int(totals.subtracted),
    ]
  }
}
