import CoreAPI
import Counting
import JSON
import Journal
import Linux
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
      reply.add(Counters.ListReply.Member.counters, counters) { $0.add($1, in: ledger) }
      reply.add(formulas, ledger.standings)
      reply.add(Counters.ListReply.Member.trouble, state.trouble)
    }
  }

  static func get(_ arguments: Arguments, _ state: Method.State) throws -> EncodedObject {
    let counter = try state.ledger.find(arguments.target(.counter))
    return EncodedObject { $0.add(Counters.CounterReply.Member.counter) { $0.add(counter, in: state.ledger) } }
  }

  static func groups(_ arguments: Arguments, _ state: Method.State) -> EncodedObject {
    EncodedObject { $0.add(Counters.GroupsReply.Member.groups, state.ledger.groups) { $0.add($1) } }
  }

  static func earlyEnds(_ call: Call, _ core: Core) throws -> EncodedObject {
    let names = try names(Arguments(call))
    let counters = names.map { Set($0.compactMap { try? core.ledger.find(.named($0)).id }) }
    let events = try core.reading { try core.earlyEnds(of: counters, at: Clock.microsecondsSince1970()) }
    return EncodedObject { reply in
      reply.add(Counters.EventsReply.Member.events, events) { $0.add($1, in: core.ledger) }
    }
  }

  static func overview(_ arguments: Arguments, _ state: Method.State) throws -> EncodedObject {
    let ledger = state.ledger
    let group = try arguments.text(.group).map(ledger.findGroup)
    let found = ledger.overview(of: group, at: Clock.microsecondsSince1970())
    typealias Member = Counters.OverviewReply.Member
    return EncodedObject { reply in
      reply.add(Member.members, found.members) { object, member in
        object.add(Counters.GroupMember.Member.counter) { $0.add(member.counter, in: ledger) }
        object.add(Counters.GroupMember.Member.share, member.share)
      }
      reply.add(Member.group, group?.name.text)
      reply.add(Member.sum, found.sum)
      reply.add(unitOfSum: found.unit)
      reply.add(Member.highest, found.highest?.name.text)
      reply.add(Member.lowest, found.lowest?.name.text)
    }
  }
}
