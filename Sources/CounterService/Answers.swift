import CounterStore
import Counting
import Platform
import Varlink

/// The questions of the interface.
enum Answers {
  static func answer(_ call: Call, _ core: Core) throws -> JSONObject {
    switch call.method {
    case "List":
      var reply: JSONObject = ["counters": .array(core.ledger.all.map { JSON($0, in: core.ledger) })]
      let (formulas, standings) = (core.ledger.formulas, core.ledger.standings)
      if !formulas.isEmpty { reply["formulas"] = .array(formulas.map { JSON($0, standings) }) }
      return reply
    case "Get":
      return ["counter": JSON(try core.ledger.find(Arguments(call).target("name")), in: core.ledger)]
    case "Overview": return try overview(Arguments(call), core)
    case "Totals": return try totals(Arguments(call), core)
    case "Statistics": return try statistics(Arguments(call), core)
    case "Export": return try Archives.export(call, core)
    case "Past": return try past(Arguments(call), core)
    case "Groups":
      return ["groups": .array(core.ledger.groups.map { JSON($0) })]
    default:
      return try history(Arguments(call), core)
    }
  }
  private static func overview(_ arguments: Arguments, _ core: Core) throws -> JSONObject {
    let group = try arguments.text("group").map(core.ledger.findGroup)
    let found = core.ledger.overview(of: group, at: Clock.microsecondsSince1970())
    let members = found.members.map { member in
      var object: JSONObject = ["counter": JSON(member.counter, in: core.ledger)]
      if let share = member.share { object["share"] = .int(share) }
      return JSON.object(object)
    }
    var reply: JSONObject = ["members": .array(members)]
    if let group { reply["group"] = .string(group.name.text) }
    if let sum = found.sum { reply["sum"] = .int(sum) }
    switch found.unit {
    case .decimal(0)?, nil: break
    case .decimal(let decimals)?: reply["decimals"] = .int(decimals)
    case .time?: reply["stopwatches"] = true
    }
    if let highest = found.highest { reply["highest"] = .string(highest.name.text) }
    if let lowest = found.lowest { reply["lowest"] = .string(lowest.name.text) }
    return reply
  }
}
