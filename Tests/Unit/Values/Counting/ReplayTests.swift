import Counting
import Testing

struct `Replaying events` {
  /// Some life of counters, groups and formulas.
  private static func lived() throws -> Bench {
    var bench = Bench()
    for name in ["g", "h"] { try bench.perform(.createGroup(name: name)) }
    try bench.perform(
      .create(
        name: "a", decimals: 2,
        [.group: .text("g"), .start: .integer(500), .period: .text("daily 04:00 Europe/Berlin")]))
    try bench.perform(.create(name: "b", [.target: .integer(3), .note: .text("two\nlines")]))
    try bench.perform(.create(name: "watch", isStopwatch: true))
    try bench.perform(.createFormula(name: "f", [.formula: .text("a + b * 2")]))
    try bench.perform(.set(.named("a"), [.name: .text("z"), .maximum: .integer(9000)]))
    for _ in 0..<4 { try bench.add("b") }
    try bench.perform(.clock(.named("watch"), .start))
    try bench.perform(.clock(.named("watch"), .lap), after: 30)
    try bench.perform(.lock(.named("b"), true))
    try bench.perform(.set(.current, [.archived: .integer(1)]))
    try bench.perform(.move(.named("watch"), to: .first(of: "h")))
    try bench.perform(.removeGroup("g"))
    try bench.perform(.remove(.named("watch")))
    return bench
  }

  @Test func `from nothing gives the state that they were made in`() throws {
    let bench = try Self.lived()
    var replay = Replay()
    var ledger = Ledger()
    for event in bench.events { try replay.replay(event, on: &ledger) }
    #expect(ledger.all == bench.ledger.all)
    #expect(ledger.groups == bench.ledger.groups)
    #expect(ledger.formulas == bench.ledger.formulas)
    #expect(ledger.current == bench.ledger.current)
    #expect(ledger.lastSequence == bench.ledger.lastSequence)
  }

  @Test func `makes and revives nothing with the number of something else that was removed`() throws {
    var bench = Bench()
    try bench.perform(.createGroup(name: "g"))
    try bench.perform(.removeGroup("g"))
    func replay(_ kind: Event.Kind, _ subject: Event.Subject) throws {
      var (replay, ledger) = (Replay(), Ledger())
      for event in bench.events { try replay.replay(event, on: &ledger) }
      let event = Event(
        sequence: 3, time: 1, kind: kind, subject: subject, counter: .init(1), name: CounterName.first, change: 0,
        value: 0, presence: .appeared, undoes: kind == .undone ? 2 : nil, cause: Cause(producer: "x"))
      try replay.replay(event, on: &ledger)
    }
    try replay(.undone, .group)
    for subject in [Event.Subject.counter, .formula] {
      #expect(throws: EventFault.self) { try replay(.undone, subject) }
    }
    for subject in [Event.Subject.counter, .group, .formula] {
      #expect(throws: EventFault.self) { try replay(.created, subject) }
    }
  }
}
