import CounterStore
import Counting
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
    case "Totals": return try totals(Arguments(call), core)
    case "Statistics": return try statistics(Arguments(call), core)
    case "Past": return try past(Arguments(call), core)
    case "Groups":
      return ["groups": .array(core.ledger.groups.map { JSON($0) })]
    default:
      return try history(Arguments(call), core)
    }
  }
}
