import CounterStore
import Counting
import Platform
import Varlink

/// The queries of the state.
enum ReadMethods {
  static func list(_ arguments: Arguments, _ state: Method.State) throws -> EncodedObject {
    let ledger = state.ledger
    var (counters, formulas) = (ledger.all, ledger.formulas)
    if let names = try names(arguments) {
      formulas = names.compactMap(ledger.formula(named:))
      let others = Set(names).subtracting(formulas.map(\.name.text))
      counters = try names.filter(others.contains).map { try ledger.find(.named($0)) }
    }
    return EncodedObject { reply in
      reply.add("counters", counters) { $0.add($1, in: ledger) }
      reply.add(formulas, ledger.standings)
      reply.add("trouble", state.trouble)
    }
  }

  static func get(_ arguments: Arguments, _ state: Method.State) throws -> EncodedObject {
    let counter = try state.ledger.find(arguments.target("name"))
    return EncodedObject { $0.add("counter") { $0.add(counter, in: state.ledger) } }
  }

  static func groups(_ arguments: Arguments, _ state: Method.State) -> EncodedObject {
    EncodedObject { $0.add("groups", state.ledger.groups) { $0.add($1) } }
  }

  static func overview(_ arguments: Arguments, _ state: Method.State) throws -> EncodedObject {
    let ledger = state.ledger
    let group = try arguments.text("group").map(ledger.findGroup)
    let found = ledger.overview(of: group, at: Clock.microsecondsSince1970())
    return EncodedObject { reply in
      reply.add("members", found.members) { object, member in
        object.add("counter") { $0.add(member.counter, in: ledger) }
        object.add("share", member.share)
      }
      reply.add("group", group?.name.text)
      reply.add("sum", found.sum)
      reply.add(unitOfSum: found.unit)
      reply.add("highest", found.highest?.name.text)
      reply.add("lowest", found.lowest?.name.text)
    }
  }
}
