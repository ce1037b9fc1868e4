import Counting
import TestKit
import Testing

@testable import Journal

/// Undos after many pairs of a change and its undo.
@Suite(.seeded) struct `An undo after many others` {
  struct Stop: Error {}

  /// The steps of SQLite, in tens, in an undo or a redo after so many pairs.
  private func work(
    after pairs: Int, of pair: (Scratch) throws -> Void, _ last: (Scratch) throws -> Undoable
  ) throws -> Int {
    let scratch = try Scratch()
    for name in ["a", "b"] { try scratch.perform(.create(name: name)) }
    try scratch.perform(.add(.named("a"), amount: nil))
    for _ in 0..<pairs {
      try pair(scratch)
      if scratch.ledger.lastSequence.isMultiple(of: 64) { try scratch.settle() }
    }
    try scratch.settle()
    return try scratch.steps {
      let found = try last(scratch)
      #expect(!found.events.isEmpty)
    }
  }

  /// Undoes as the core does.
  private static func undo(_ scratch: Scratch, _ name: String?) throws {
    let id = try name.map { try scratch.ledger.find(.named($0)).id }
    let last = try scratch.store.lastUndo(of: id, in: scratch.ledger, passing: id == nil)
    try scratch.perform(.undo(scratch.store.all(last), last.scope))
  }

  private static func redo(_ scratch: Scratch, _ name: String?) throws {
    let id = try name.map { try scratch.ledger.find(.named($0)).id }
    let last = try scratch.store.lastRedo(of: id, in: scratch.ledger)
    try scratch.perform(.redo(scratch.store.all(last), last.scope))
  }

  @Test(arguments: [nil, "a"] as [String?])
  func `takes no longer the more of them there are`(_ name: String?) throws {
    func work(_ pairs: Int) throws -> Int {
      try self.work(after: pairs) { scratch in
        try scratch.perform(.add(.named("a"), amount: nil))
        try Self.undo(scratch, name)
      } _: { scratch in
        let id = try name.map { try scratch.ledger.find(.named($0)).id }
        return try scratch.store.lastUndo(of: id, in: scratch.ledger, passing: id == nil)
      }
    }
    #expect(try work(2000) <= 2 * work(100) + 100)
  }

  @Test func `of one counter takes no longer while others count, and none is undone`() throws {
    func work(_ pairs: Int) throws -> Int {
      try self.work(after: pairs) { scratch in
        try scratch.perform(.add(.named("a"), amount: nil))
        try scratch.perform(.add(.named("b"), amount: nil))
        try Self.undo(scratch, "a")
        try scratch.perform(.add(.named("b"), amount: nil))
      } _: {
        try $0.store.lastUndo(of: $0.ledger.find(.named("a")).id, in: $0.ledger)
      }
    }
    #expect(try work(2000) <= 2 * work(100) + 100)
  }

  @Test func `by its number, and a redo, take no longer either`() throws {
    func byNumber(_ pairs: Int) throws -> Int {
      try work(after: pairs) { scratch in
        let made = try scratch.perform(.add(.named("a"), amount: nil))
        try scratch.perform(.undo(made.map { Change.Takeback($0) }, .one))
      } _: {
        try $0.store.lastUndo(of: nil, in: $0.ledger, passing: true)
      }
    }
    #expect(try byNumber(2000) <= 2 * byNumber(100) + 100)
    func inTurn(_ pairs: Int) throws -> Int {
      var isFirst = true
      return try work(after: pairs) { scratch in
        if isFirst { for _ in 0..<2 { try scratch.perform(.add(.named("a"), amount: nil)) } }
        if isFirst { try Self.undo(scratch, nil) }
        isFirst = false
        try Self.undo(scratch, nil)
        try Self.redo(scratch, nil)
      } _: {
        try $0.store.lastRedo(of: nil, in: $0.ledger)
      }
    }
    #expect(try inTurn(2000) <= 2 * inTurn(100) + 100)
  }

  /// The steps of SQLite, in tens, in an undo right after a start, when events of locked counters follow the last one.
  private func work(passing events: Int, _ prepare: (Scratch) throws -> Void, _ event: (Scratch) throws -> Void) throws
    -> Int
  {
    let scratch = try Scratch()
    for name in ["a", "b", "c"] { try scratch.perform(.create(name: name)) }
    let last = try #require(try scratch.perform(.add(.named("b"), amount: nil)).first)
    try prepare(scratch)
    while scratch.ledger.lastSequence < events {
      try event(scratch)
      if scratch.ledger.lastSequence.isMultiple(of: 64) { try scratch.settle() }
    }
    for name in ["a", "c"] where (try? scratch.id(name)) != nil { try scratch.perform(.lock(.named(name), true)) }
    try scratch.settle()
    scratch.store.forgetUndoSkips()
    return try scratch.steps {
      let found = try scratch.store.lastUndo(of: nil, in: scratch.ledger, passing: true)
      #expect(found.events.map(\.event.sequence) == [last.sequence])
    }
  }

  @Test func `passes a locked counter at once, however often it counted`() throws {
    func work(_ events: Int) throws -> Int {
      try self.work(passing: events) { _ in
      } _: {
        try $0.perform(.add(.named("a"), amount: nil))
      }
    }
    #expect(try work(6000) <= 2 * work(1500) + 100)
  }

  @Test func `passes two locked counters that counted in turn at once`() throws {
    func work(_ events: Int) throws -> Int {
      try self.work(passing: events) { _ in
      } _: { scratch in
        for name in ["a", "c"] { try scratch.perform(.add(.named(name), amount: nil)) }
      }
    }
    #expect(try work(6000) <= 2 * work(1500) + 100)
  }

  @Test func `passes a removed counter at once whose name is in use`() throws {
    func work(_ events: Int) throws -> Int {
      try self.work(passing: events) { _ in
      } _: { scratch in
        if scratch.ledger.lastSequence < events - 5 {
          _ = try scratch.perform(.add(.named("a"), amount: nil))
          return
        }
        try scratch.perform(.remove(.named("a")))
        try scratch.perform(.create(name: "a"))
        while scratch.ledger.lastSequence < events { try scratch.perform(.select(.named("c"))) }
      }
    }
    #expect(try work(6000) <= 2 * work(1500) + 100)
  }

  @Test func `passes a locked counter between pairs of another one`() throws {
    let scratch = try Scratch()
    for name in ["a", "b"] { try scratch.perform(.create(name: name)) }
    let last = try #require(try scratch.perform(.add(.named("b"), amount: nil)).first)
    for _ in 0..<500 {
      let pair = try scratch.perform(.add(.named("b"), amount: nil))
      for _ in 0..<2 { try scratch.perform(.add(.named("a"), amount: nil)) }
      try scratch.perform(.undo(pair.map { Change.Takeback($0) }, .one))
    }
    try scratch.perform(.lock(.named("a"), true))
    try scratch.settle()
    scratch.store.forgetUndoSkips()
    let found = try scratch.store.lastUndo(of: nil, in: scratch.ledger, passing: true)
    #expect(found.events.map(\.event.sequence) == [last.sequence])
    #expect(found.passed.map(\.id) == [try scratch.id("a")])
  }

  @Test func `names no counter as passed that was unlocked, undone and locked since`() throws {
    let scratch = try Scratch()
    for name in ["a", "b"] { try scratch.perform(.create(name: name)) }
    try scratch.perform(.add(.named("b"), amount: nil))
    try scratch.perform(.add(.named("a"), amount: nil))
    func passed() throws -> Set<Entity.Key> {
      try scratch.perform(.lock(.named("a"), true))
      return try scratch.store.lastUndo(of: nil, in: scratch.ledger, passing: true).passed
    }
    #expect(try passed().map(\.id) == [scratch.id("a")])
    try scratch.perform(.lock(.named("a"), false))
    try Self.undo(scratch, "a")
    let found = try passed()
    scratch.store.forgetUndoSkips()
    #expect(try found == passed())
  }

  @Test(arguments: 1...Rounds.times(6))
  func `finds what a search without any memory finds, whatever was rolled back`(_ number: Int) throws {
    var events: [[Event]] = []
    for isForgetful in [false, true] {
      let scratch = try Scratch()
      var dice = Seed.generator(case: number)
      func step() throws {
        let name = dice.happens(0.3) ? nil : ["a", "b", "c"][dice.whole(0...2)]
        if isForgetful { scratch.store.forgetUndoSkips() }
        switch dice.whole(0...12) {
        case 0...3: try Self.undo(scratch, name)
        case 4, 5: try Self.redo(scratch, name)
        case 6:
          guard let event = try scratch.events.randomElement(using: &dice), event.kind == .added else { return }
          guard try scratch.store.undoer(of: event, in: scratch.ledger) == nil else { return }
          try scratch.perform(.undo([Change.Takeback(event)], .one))
        case 7: try scratch.perform(.lock(.named(name ?? "a"), dice.happens(0.4)))
        case 8: try scratch.perform(.create(name: name ?? "a"))
        case 9 where dice.happens(0.3): try scratch.perform(.remove(.named(name ?? "a")))
        default: try scratch.perform(.add(.named(name ?? "a"), amount: nil))
        }
      }
      for _ in 0..<400 {
        if dice.happens(0.1) { try scratch.settle() }
        let before = scratch.ledger
        let isDropped = dice.happens(0.1)
        do {
          try scratch.store.atomically {
            try step()
            guard isDropped else { return }
            for _ in 0..<3 { try? step() }
            throw Stop()
          }
        } catch is Stop { scratch.ledger = before } catch is CountingError { scratch.ledger = before }
      }
      try scratch.settle()
      events.append(try scratch.events)
    }
    #expect(events[0] == events[1])
    // Locked counters refuse most steps of some histories.
    #expect(events[0].count > 20)
  }
}
