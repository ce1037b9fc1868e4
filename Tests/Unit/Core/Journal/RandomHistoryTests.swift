import Counting
import Journal
import TestKit
import Testing

/// Random lives of counters and groups, held against what must be true of every history.
@Suite(.seeded) struct `Random histories` {
  static func change(_ dice: inout SeededRandom) -> Change {
    let name = dice.counter()
    let target = dice.whole(0...4) == 0 ? Change.Target.current : .named(name)
    switch dice.whole(0...29) {
    case 0: return .create(name: name, isStopwatch: name == "watch")
    case 1:
      return .create(
        name: name, decimals: dice.whole(0...3), isStopwatch: name == "watch",
        [.start: .integer(dice.whole(0...5)), .group: .text(dice.group()), .colour: .text("red")])
    case 2: return .remove(target)
    case 3: return .select(target)
    case 4: return .selectNeighbour(Bool.random(using: &dice) ? .next : .previous)
    case 5: return .reset(.one(target), isConfirmed: Bool.random(using: &dice))
    case 6: return .reset(Bool.random(using: &dice) ? .all : .group(dice.group()), isConfirmed: true)
    case 7: return .correct(target, to: .units(dice.whole(-20...40)))
    case 8: return .set(target, [.target: .init(dice.maybe(1...30)), .every: .init(dice.maybe(1...10))])
    case 9:
      return .set(
        target,
        [
          .maximum: .init(dice.maybe(5...30)), .limits: .text(dice.one("refuse", "stop")),
          .title: .text(dice.one("A", "B")),
        ])
    case 10: return .set(target, [.name: .text(dice.counter())])
    case 11: return .set(target, [.archived: .integer(dice.whole(0...1)), .tags: .text("x y")])
    case 12: return .lock(target, dice.whole(0...3) == 0)
    case 13: return .move(target, to: .before(dice.counter()))
    case 14: return .move(target, to: .first(of: dice.one("", "g", "h")))
    case 15: return .createGroup(name: dice.group(), [.colour: .text("blue")])
    case 16: return .removeGroup(dice.group())
    case 17: return .setGroup(dice.group(), [.name: .text(dice.group()), .note: .text(dice.one("", "n"))])
    case 18: return .moveGroup(dice.group(), to: .last(of: nil))
    case 19, 20: return .clock(.named("watch"), Change.StopwatchVerb.allCases.randomElement(using: &dice) ?? .toggle)
    case 22:
      return .clockAll(
        ofGroup: dice.one("g", "h", "").nonEmpty,
        Change.StopwatchVerb.allCases.randomElement(using: &dice) ?? .toggle)
    case 23: return .createFormula(name: dice.formula(), [.formula: .text(dice.one("a + 1", "sum(group:g)", "f * 2"))])
    case 24: return .remove(.named(dice.formula()))
    case 25:
      return .set(
        .named(dice.formula()), [.group: .text(dice.one("", "g", "h")), .archived: .integer(dice.whole(0...1))])
    case 26: return .set(.named(dice.formula()), [.name: .text(dice.formula()), .colour: .text("red")])
    case 27:
      let place: Change.Place = dice.happens(0.5) ? .before(dice.formula()) : .first(of: dice.one("", "g", "h"))
      return .move(.named(dice.formula()), to: place)
    case 21: return .subtract(target, amount: dice.maybe(1...9).map(Quantity.units))
    default: return .add(target, amount: dice.maybe(1...9).map(Quantity.units))
    }
  }

  private static func ids(_ scratch: Scratch) -> [Counter.ID] {
    scratch.ledger.all.map(\.id) + scratch.ledger.formulas.map(\.id)
  }

  /// A scratch journal after some hundred steps, refusals included.
  static func lived(_ number: Int, steps: Int = 400, withUndo: Bool) throws -> Scratch {
    let scratch = try Scratch()
    var dice = Seed.generator(case: number)
    for _ in 0..<steps {
      do {
        switch withUndo ? dice.whole(0...9) : 9 {
        case 0: _ = try scratch.undo()
        case 1: _ = try scratch.redo()
        case 2: if let id = ids(scratch).randomElement(using: &dice) { _ = try scratch.undo(id) }
        case 3: if let id = ids(scratch).randomElement(using: &dice) { _ = try scratch.redo(id) }
        case 4:
          if let event = try scratch.events.randomElement(using: &dice) {
            try scratch.perform(.note(event, dice.one("", "that was the dog")))
          }
        default: try scratch.perform(change(&dice))
        }
      } catch is CountingError {
        // A refusal changes nothing, which the comparisons would show.
      }
      if dice.whole(0...9) == 0 { try scratch.settle() }
    }
    try scratch.settle()
    return scratch
  }

  @Test(arguments: 1...Rounds.times(3))
  func `a value is the fold of its counter's events, and so is everything else`(_ number: Int) throws {
    let scratch = try Self.lived(number, withUndo: true)
    let events = try scratch.events
    #expect(events.map(\.sequence) == Array(1..<Int64(events.count + 1)))
    for counter in scratch.ledger.all {
      let own = events.filter { $0.counter == counter.id }
      let created = try #require(own.first)
      #expect(counter.value == own.reduce(created.value) { $0 + $1.change })
      #expect(own.last?.value == counter.value)
      for field in Field.allCases {
        guard let last = own.last(where: { $0.presence == .unchanged && $0[field] != nil && $0.about == nil }) else {
          continue
        }
        #expect(counter[field] == last[field], "\(field)")
      }
    }
  }

  @Test(arguments: 1...Rounds.times(3))
  func `reopening restores the last state`(_ number: Int) throws {
    let scratch = try Self.lived(number, withUndo: true)
    let loaded = try scratch.store.load()
    #expect(loaded.all == scratch.ledger.all)
    #expect(loaded.groups == scratch.ledger.groups)
    #expect(loaded.formulas == scratch.ledger.formulas)
    #expect(loaded.current == scratch.ledger.current)
    #expect(loaded.lastSequence == scratch.ledger.lastSequence)
  }

  @Test(arguments: 1...Rounds.times(2), [true, false])
  func `undoing everything gives the start, and redoing it all gives the end`(_ number: Int, _ withUndo: Bool) throws {
    let scratch = try Self.lived(number, withUndo: withUndo)
    for counter in scratch.ledger.all { try scratch.perform(.lock(.named(counter.name.text), false)) }
    let (counters, groups, formulas) = (scratch.ledger.all, scratch.ledger.groups, scratch.ledger.formulas)
    var undone = 0
    do {
      while try unlockingWhatBars(scratch, { try scratch.undo() }) { undone += 1 }
    } catch let error as CountingError where withUndo && Self.isNameTaken(error) {
      // An undo of one counter or formula alone gave it or its group a name back that another removed one had last.
      // The person is told.
      return
    }
    #expect(scratch.ledger.isEmpty)
    #expect(scratch.ledger.groups.isEmpty)
    #expect(scratch.ledger.formulas.isEmpty)
    // What was undone before could be done again as well, and is not meant.
    for _ in 0..<undone { #expect(try unlockingWhatBars(scratch) { try scratch.redo() }) }
    // Unlocking is no part of what is undone and redone.
    for counter in scratch.ledger.all { try scratch.perform(.lock(.named(counter.name.text), false)) }
    #expect(scratch.ledger.all == counters)
    #expect(scratch.ledger.groups == groups)
    #expect(scratch.ledger.formulas == formulas)
  }

  private static func isNameTaken(_ error: CountingError) -> Bool {
    switch error {
    case .counterExists, .formulaExists, .groupExists: true
    default: false
    }
  }

  private func unlockingWhatBars(_ scratch: Scratch, _ step: () throws -> Bool) throws -> Bool {
    do {
      return try step()
    } catch CountingError.locked(let name) {
      try scratch.perform(.lock(.named(name), false))
      return try step()
    }
  }
}

extension SeededRandom {
  fileprivate mutating func one(_ words: String...) -> String { words.randomElement(using: &self) ?? "" }
  fileprivate mutating func counter() -> String { one("a", "b", "c", "d", "watch") }
  fileprivate mutating func group() -> String { one("g", "h") }
  fileprivate mutating func formula() -> String { one("f", "k") }
  fileprivate mutating func maybe(_ range: ClosedRange<Int64>) -> Int64? { happens(0.5) ? whole(range) : nil }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
