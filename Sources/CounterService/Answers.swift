import CounterStore
import Counting
import Platform
import Varlink

/// The questions of the interface.
enum Answers {
  static func answer(_ call: Call, _ core: Core) throws -> ObjectText {
    let ledger = core.ledger
    switch call.method {
    case "List":
      return ObjectText { reply in
        reply.add("counters", ledger.all) { $0.add($1, in: ledger) }
        reply.add(ledger.formulas, ledger.standings)
        reply.add("trouble", core.trouble?.message)
      }
    case "Get":
      let counter = try ledger.find(Arguments(call).target("name"))
      return ObjectText { $0.add("counter") { $0.add(counter, in: ledger) } }
    case "Overview": return try overview(Arguments(call), core)
    case "Totals": return ObjectText(try totals(Arguments(call), core))
    case "Statistics": return ObjectText(try statistics(Arguments(call), core))
    case "Export": return ObjectText(try Archives.export(call, core))
    case "Past": return ObjectText(try past(Arguments(call), core))
    case "Groups":
      return ObjectText { $0.add("groups", ledger.groups) { $0.add($1) } }
    default:
      return try history(Arguments(call), core)
    }
  }

  private static func overview(_ arguments: Arguments, _ core: Core) throws -> ObjectText {
    let ledger = core.ledger
    let group = try arguments.text("group").map(ledger.findGroup)
    let found = ledger.overview(of: group, at: Clock.microsecondsSince1970())
    return ObjectText { reply in
      reply.add("members", found.members) { object, member in
        object.add("counter") { $0.add(member.counter, in: ledger) }
        object.add("share", member.share)
      }
      reply.add("group", group?.name.text)
      reply.add("sum", found.sum)
      switch found.unit {
      case .decimal(0)?, nil: break
      case .decimal(let decimals)?: reply.add("decimals", decimals)
      case .time?: reply.add("stopwatches", true)
      }
      reply.add("highest", found.highest?.name.text)
      reply.add("lowest", found.lowest?.name.text)
    }
  }
}
