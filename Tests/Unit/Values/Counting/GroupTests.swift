import Counting
import Testing

@Suite struct `Groups and order` {
  var bench = Bench()

  init() throws {
    for group in ["kids", "cars"] { try bench.perform(.createGroup(name: group)) }
    for (name, group) in [("a", "kids"), ("b", "kids"), ("c", "cars"), ("d", "")] {
      try bench.perform(.create(name: name, [.group: .text(group)]))
    }
  }

  @Test mutating func `a move to where it stands is nothing to undo, even when others have left`() throws {
    try bench.perform(.create(name: "e", [.group: .text("cars")]))
    try bench.perform(.remove(.named("c")))
    for place in [Change.Place.first(of: nil), .last(of: nil), .last(of: "cars")] {
      let event = try bench.perform(.move(.named("e"), to: place))
      #expect(event.marks == .notUndoable && event.alterations.isEmpty)
    }
  }

  @Test mutating func `counters stand in the order of their groups, those without one first`() throws {
    #expect(bench.names == ["d", "a", "b", "c"])
    try bench.perform(.moveGroup("cars", to: .first(of: nil)))
    #expect(bench.names == ["d", "c", "a", "b"])
    try bench.perform(.move(.named("d"), to: .after("a")))
    #expect(bench.names == ["c", "a", "d", "b"])
    try bench.perform(.move(.named("d"), to: .before("a")))
    #expect(bench.names == ["c", "d", "a", "b"])
    try bench.perform(.move(.named("c"), to: .last(of: "kids")))
    #expect(bench.names == ["d", "a", "b", "c"])
    try bench.perform(.move(.named("c"), to: .first(of: "")))
    #expect(bench.names == ["c", "d", "a", "b"])
  }

  @Test mutating func `a new counter stands last in its group, whatever moved, left or was rolled back before`() throws
  {
    let groups = ["", "kids", "cars"]
    for step in 0..<300 {
      let names = bench.names
      let (one, other) = (names[step * 7 % names.count], names[step * 13 % names.count])
      let mark = bench.ledger.mark
      switch step * step % 7 {
      case 0 where names.count > 4: try bench.perform(.remove(.named(one)))
      case 1: try bench.perform(.move(.named(one), to: .last(of: groups[step % 3])))
      case 2 where one != other: try bench.perform(.move(.named(one), to: .before(other)))
      case 3: try bench.perform(.set(.named(one), [.group: .text(groups[step % 3])]))
      default: break
      }
      if step % 5 == 0 { bench.ledger.rollback(to: mark) }
      try bench.perform(.create(name: "n\(step)", [.group: .text(groups[step * 11 % 3])]))
      let made = try bench.counter("n\(step)")
      let others = bench.ledger.members(of: made.group).filter { $0.id != made.id }
      // The same place as after a restart, which knows nothing of the counters that were there.
      #expect(made.order == (others.map(\.order).max() ?? 0) + 1 << 20, "step \(step)")
      if step % 4 == 0 { try bench.perform(.remove(.named("n\(step)"))) }
    }
  }

  @Test mutating func `there is always room between two, however often something is put there`() throws {
    for _ in 0..<60 {
      try bench.perform(.move(.named("b"), to: .before("a")))
      try bench.perform(.move(.named("a"), to: .before("b")))
      #expect(bench.names == ["d", "a", "b", "c"])
      try bench.perform(.move(.named("c"), to: .after("a")))
      #expect(bench.names == ["d", "a", "c", "b"])
      try bench.perform(.move(.named("c"), to: .last(of: "cars")))
    }
  }

  @Test mutating func `next and previous stay within the group and pass over what is archived`() throws {
    try bench.perform(.create(name: "e", [.group: .text("kids")]))
    try bench.perform(.select(.named("a")))
    func go(_ direction: Change.Direction) throws -> String { try bench.perform(.selectNeighbour(direction)).name.text }
    #expect(try [go(.next), go(.next), go(.next), go(.previous)] == ["b", "e", "a", "e"])
    try bench.perform(.set(.named("b"), [.archived: .integer(1)]))
    #expect(try [go(.next), go(.next)] == ["a", "e"])
  }

  @Test mutating func `the next group is entered at its first counter, and one that is all archived is passed over`()
    throws
  {
    try bench.perform(.select(.named("b")))
    func go(_ direction: Change.Direction) throws -> String {
      try bench.perform(.selectNeighbour(direction, ofGroups: true)).name.text
    }
    #expect(try [go(.next), go(.next), go(.next), go(.previous), go(.previous)] == ["c", "d", "a", "d", "c"])
    try bench.perform(.set(.named("c"), [.archived: .integer(1)]))
    try bench.perform(.select(.named("a")))
    #expect(try [go(.next), go(.next)] == ["d", "a"])
  }

  @Test mutating func `two people can reset two counters at the same time`() throws {
    for name in ["a", "c"] { try bench.add(name, 5) }
    func reset(_ name: String) throws -> Event.Kind {
      try bench.perform(.reset(.one(.named(name)), isConfirmed: false), after: 0).kind
    }
    #expect(try [reset("a"), reset("c"), reset("a"), reset("c")] == [.armed, .armed, .reset, .reset])
    for name in ["a", "c"] { try bench.add(name, 5) }
    #expect(try [reset("a"), reset("c")] == [.armed, .armed])
    try bench.add("c")
    #expect(try [reset("c"), reset("a")] == [.armed, .reset])
  }

  @Test mutating func `a reset that has lapsed is not revived by a longer window`() throws {
    try bench.add("a", 5)
    #expect(try bench.perform(.reset(.one(.named("a")), isConfirmed: false)).kind == .armed)
    bench.ledger.resetWindow = 60_000_000
    #expect(try bench.perform(.reset(.one(.named("a")), isConfirmed: false), after: 10).kind == .armed)
  }

  @Test mutating func `archiving the current counter hands on, and undoing it hands back`() throws {
    try bench.perform(.select(.named("a")))
    let event = try bench.perform(.set(.named("a"), [.archived: .integer(1)]))
    #expect(try bench.ledger.find(.current).name.text == "b")
    try bench.perform(.undo([.init(event)]))
    #expect(try bench.ledger.find(.current).name.text == "a")
  }

  @Test mutating func `what is archived is never counted on unseen, even if nothing else is there`() throws {
    for name in ["a", "b", "c", "d", "e"] where (try? bench.ledger.find(.named(name))) != nil {
      try bench.perform(.set(.named(name), [.archived: .integer(1)]))
    }
    #expect(throws: CountingError.archived("a")) { try bench.perform(.select(.named("a"))) }
    #expect(throws: CountingError.noCurrentCounter) { try bench.perform(.selectNeighbour(.next)) }
    try bench.perform(.create(name: "new"))
    #expect(try bench.perform(.add(.current, amount: nil)).name.text == "new")
    try bench.perform(.set(.named("new"), [.archived: .integer(1)]))
    try bench.perform(.set(.named("b"), [.archived: .integer(0)]))
    #expect(try bench.perform(.add(.current, amount: nil)).name.text == "b")
    try bench.perform(.set(.named("b"), [.name: .text("count"), .archived: .integer(1)]))
    #expect(try bench.perform(.add(.current, amount: nil)).name.text == "count-2")
  }

  @Test mutating func `a reset of a group asks twice, leaves out what is locked or archived, and is one`() throws {
    for name in ["a", "b", "c", "d"] { try bench.add(name, 5) }
    try bench.perform(.create(name: "e", [.group: .text("kids")]))
    try bench.add("e", 5)
    try bench.perform(.lock(.named("b"), true))
    try bench.perform(.set(.named("e"), [.archived: .integer(1)]))
    let armed = try bench.perform(.reset(.group("kids"), isConfirmed: false))
    #expect((armed.kind, armed.subject, armed.name.text) == (.armed, .group, "kids"))
    let count = bench.events.count
    #expect(try bench.perform(.reset(.group("kids"), isConfirmed: false)).kind == .reset)
    let made = Array(bench.events[count...])
    #expect(made.map(\.subject) == [.group, .counter])
    #expect(Set(made.map(\.batch)) == [made[0].sequence])
    #expect(try ["a", "b", "c", "d", "e"].map { try bench.value($0) } == [0, 5, 5, 5, 5])
    try bench.perform(.undo(made.reversed().map { .init($0) }))
    #expect(try bench.value("a") == 5)
  }

  @Test mutating func `a reset of all is called off by any count, one of a group by a count in it`() throws {
    for (scope, name, kind) in [
      (Change.Scope.all, "d", Event.Kind.armed), (.group("kids"), "d", .reset), (.group("kids"), "a", .armed),
    ] {
      try bench.perform(.reset(scope, isConfirmed: false))
      try bench.add(name)
      #expect(try bench.perform(.reset(scope, isConfirmed: false)).kind == kind)
      try bench.perform(.create(name: "x\(bench.time)"), after: 10)
    }
    try bench.perform(.reset(.one(.named("a")), isConfirmed: false), after: 10)
    #expect(try bench.perform(.reset(.all, isConfirmed: false)).kind == .armed)
  }

  @Test mutating func `removing a group leaves its counters, and undoing that puts them back into it`() throws {
    let group = try bench.ledger.findGroup("kids")
    let count = bench.events.count
    try bench.perform(.removeGroup("kids"))
    #expect(bench.names == ["d", "a", "b", "c"])
    #expect(throws: CountingError.noSuchGroup("kids")) { try bench.perform(.removeGroup("kids")) }
    let made = bench.events[count...]
    try bench.perform(
      .undo(made.reversed().map { .init($0, reviving: $0.presence == .disappeared ? .group(group) : nil) }))
    #expect(bench.ledger.members(of: group.id).map(\.name.text) == ["a", "b"])
  }

  @Test mutating func `a group may be called like a counter, and two groups may not be called the same`() throws {
    try bench.perform(.createGroup(name: "a"))
    #expect(throws: CountingError.groupExists("kids")) { try bench.perform(.createGroup(name: "kids")) }
    #expect(throws: CountingError.groupExists("kids")) { try bench.perform(.setGroup("cars", [.name: .text("kids")])) }
    try bench.perform(.setGroup("cars", [.name: .text("lorries"), .colour: .text("blue")]))
    #expect(try bench.ledger.findGroup("lorries").title == "lorries")
    #expect(throws: CountingError.self) { try bench.perform(.setGroup("lorries", [.step: .integer(2)])) }
  }

  // MARK: Locks

  @Test mutating func `a locked counter refuses everything but unlocking`() throws {
    let event = try bench.add("a", 5)
    try bench.perform(.lock(.named("a"), true))
    let a = Change.Target.named("a")
    for change: Change in [
      .add(a, amount: nil), .subtract(a, amount: nil), .remove(a), .reset(.one(a), isConfirmed: true),
      .correct(a, to: 3),
      .set(a, [.title: .text("A")]), .move(a, to: .first(of: nil)), .removeGroup("kids"), .undo([.init(event)]),
      .note(event, "n"),
    ] {
      #expect(throws: CountingError.locked("a")) { try bench.perform(change) }
    }
    #expect(try bench.value("a") == 5)
    try bench.perform(.lock(a, false))
    #expect(try bench.add("a").value == 6)
  }

  // MARK: Overview

  @Test mutating func `an overview adds up, and shares out what there is`() throws {
    try bench.add("a", 2)
    try bench.add("b", 1)
    let kids = bench.ledger.overview(of: try bench.ledger.findGroup("kids"), at: bench.time)
    #expect((kids.sum, kids.highest?.name.text, kids.lowest?.name.text) == (3, "a", "b"))
    #expect(kids.members.map(\.share) == [667, 333])
    try bench.perform(.create(name: "w", decimals: 1, [.group: .text("kids")]))
    try bench.add("w", 5)
    let mixed = bench.ledger.overview(of: try bench.ledger.findGroup("kids"), at: bench.time)
    #expect((mixed.sum, mixed.unit, mixed.highest, mixed.lowest) == (nil, nil, nil, nil))
    #expect(mixed.members.map(\.share) == [nil, nil, nil])
  }

  @Test(arguments: [false, true])
  mutating func `counters of one unit have a sum, those of several have none`(isMixed: Bool) throws {
    try bench.perform(.createGroup(name: "weights"))
    try bench.perform(.create(name: "w", decimals: 1, [.group: .text("weights")]))
    try bench.perform(.create(name: "x", decimals: isMixed ? 2 : 1, [.group: .text("weights")]))
    try bench.add("w", 5)
    try bench.add("x", 20)
    let found = bench.ledger.overview(of: try bench.ledger.findGroup("weights"), at: bench.time)
    #expect((found.sum, found.unit) == (isMixed ? nil : 25, isMixed ? nil : .decimal(1)))
    #expect(found.highest?.name.text == (isMixed ? nil : "x"))
  }

  @Test mutating func `an overview beyond 64 bits or below nothing shares nothing`() throws {
    try bench.add("a", .max)
    try bench.add("b", .max)
    let group = try bench.ledger.findGroup("kids")
    #expect(bench.ledger.overview(of: group, at: 0).sum == nil)
    try bench.perform(.correct(.named("a"), to: 0))
    try bench.perform(.correct(.named("a"), to: -1))
    #expect(bench.ledger.overview(of: group, at: 0).members.map(\.share) == [nil, nil])
  }
}
