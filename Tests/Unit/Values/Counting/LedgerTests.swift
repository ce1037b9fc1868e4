import Counting
import TestKit
import Testing

@Suite struct `Counting in a ledger` {
  var ledger = Ledger()
  let cause = Cause(producer: "test")

  @discardableResult
  mutating func perform(_ change: Change) throws(CountingError) -> [Event] {
    try ledger.perform(change, at: 1, cause: cause)
  }

  mutating func make(_ name: String, start: Int64 = 0, step: Int64 = 1) throws(CountingError) {
    try perform(.create(name: name, title: nil, start: start, step: step))
  }

  func value(_ name: String) throws(CountingError) -> Int64 { try ledger.find(.named(name)).value }

  @Test mutating func `a new counter stands at its start and is titled like its name`() throws {
    let events = try perform(.create(name: "people", title: nil, start: 7, step: 2))
    let counter = try ledger.find(.named("people"))
    #expect(counter.value == 7)
    #expect(counter.title == "people")
    #expect(events.map(\.kind) == [.created])
    #expect(events.first?.value == 7)
  }

  @Test mutating func `adding without an amount adds the step, with one the amount`() throws {
    try make("people", step: 3)
    #expect(try perform(.add(.named("people"), amount: nil)).map(\.change) == [3])
    #expect(try perform(.subtract(.named("people"), amount: 10)).map(\.change) == [-10])
    #expect(try value("people") == -7)
  }

  @Test mutating func `events are numbered without gaps, whatever their time`() throws {
    try make("people")
    try perform(.add(.named("people"), amount: nil))
    let last = try ledger.perform(.add(.named("people"), amount: nil), at: 0, cause: cause)
    #expect(last.first?.sequence == 3)
    #expect(ledger.lastSequence == 3)
  }

  @Test(arguments: [Int64.min, -1, 0]) mutating func `an amount below one is refused`(_ amount: Int64) throws {
    try make("people")
    #expect(throws: CountingError.badAmount(amount)) { try perform(.add(.named("people"), amount: .units(amount))) }
    #expect(throws: CountingError.badAmount(amount)) {
      try perform(.subtract(.named("people"), amount: .units(amount)))
    }
    #expect(throws: CountingError.badAmount(amount)) { try make("other", step: amount) }
    #expect(try value("people") == 0)
    #expect(ledger.lastSequence == 1)
  }

  @Test mutating func `a sum beyond 64 bits is refused and changes nothing`() throws {
    try make("up", start: Int64.max - 1)
    try make("down", start: Int64.min)
    try perform(.add(.named("up"), amount: 1))
    #expect(throws: CountingError.overflow("up", value: Int64.max, change: 1)) {
      try perform(.add(.named("up"), amount: nil))
    }
    #expect(throws: CountingError.overflow("down", value: Int64.min, change: -Int64.max)) {
      try perform(.subtract(.named("down"), amount: .units(.max)))
    }
    #expect(try value("up") == Int64.max)
    #expect(ledger.lastSequence == 3)
  }

  @Test mutating func `a second counter of the same name is refused, in any spelling of its letters`() throws {
    try make("caf\u{e9}")
    #expect(throws: CountingError.counterExists("cafe\u{301}")) { try make("cafe\u{301}") }
    #expect(try value("cafe\u{301}") == 0)
  }

  @Test(arguments: [("nobody", 1), ("", 1), ("x", 1_000_000)])
  mutating func `a counter that is not there is an error`(_ part: String, _ count: Int) {
    let name = String(repeating: part, count: count)
    #expect { try perform(.add(.named(name), amount: nil)) } throws: { error in
      guard case CountingError.noSuchCounter(let named)? = error as? CountingError else { return false }
      return named.count <= 64
    }
  }

  // MARK: The current counter

  @Test mutating func `the first counter is the current one until another is selected`() throws {
    try make("people")
    try make("dogs")
    #expect(try ledger.find(.current).name.text == "people")
    try perform(.select(.named("dogs")))
    try perform(.add(.current, amount: nil))
    #expect(try value("dogs") == 1)
  }

  @Test mutating func `the first gesture of all makes the counter that it counts`() throws {
    let events = try perform(.add(.current, amount: nil))
    #expect(events.map(\.kind) == [.created, .added])
    #expect(try value("count") == 1)
  }

  @Test mutating func `with no counter there is none to select or to remove`() {
    #expect(throws: CountingError.noCurrentCounter) { try perform(.select(.current)) }
    #expect(throws: CountingError.noCurrentCounter) { try perform(.remove(.current)) }
  }

  @Test mutating func `when the current counter goes, the next one in order takes its place, or else the one before`()
    throws
  {
    for name in ["a", "b", "c"] { try make(name) }
    try perform(.select(.named("b")))
    try perform(.remove(.named("b")))
    #expect(try ledger.find(.current).name.text == "c")
    try perform(.remove(.named("c")))
    #expect(try ledger.find(.current).name.text == "a")
    try perform(.remove(.named("a")))
    #expect(ledger.current == nil)
  }

  @Test mutating func `next and previous go round through the counters in order`() throws {
    #expect(throws: CountingError.noCurrentCounter) { try perform(.selectNeighbour(.next)) }
    for name in ["a", "b", "c", "d"] { try make(name) }
    try perform(.remove(.named("b")))
    func go(_ direction: Change.Direction) throws -> String? {
      try perform(.selectNeighbour(direction)).first?.name.text
    }
    for expected in ["c", "d", "a", "c"] { #expect(try go(.next) == expected) }
    for expected in ["a", "d", "c"] { #expect(try go(.previous) == expected) }
    #expect(try ledger.find(.current).name.text == "c")
  }

  // MARK: Taking back

  @Test mutating func `an undo takes back exactly the change and says which`() throws {
    try make("people")
    let added = try #require(try perform(.add(.named("people"), amount: 5)).first)
    let undone = try #require(try perform(.undo(added, reviving: nil)).first)
    #expect(undone.change == -5)
    #expect(undone.undoes == added.sequence)
    #expect(try value("people") == 0)
  }

  @Test mutating func `a reset asks twice, and the second time within the window does it`() throws {
    try make("a", start: 2)
    func reset(_ time: Int64) throws -> Event.Kind? {
      try ledger.perform(.reset(.named("a"), isConfirmed: false), at: time, cause: cause).first?.kind
    }
    try perform(.add(.named("a"), amount: 5))
    #expect(try reset(10_000_000) == .armed)
    #expect(try value("a") == 7)
    #expect(try reset(13_000_001) == .armed)
    #expect(try reset(16_000_001) == .reset)
    #expect(try value("a") == 2)
    #expect(try reset(16_000_002) == .armed)
  }

  @Test mutating func `counting in between, or a clock that goes back, calls a reset off`() throws {
    try make("a")
    func reset(_ time: Int64) throws -> Event.Kind? {
      try ledger.perform(.reset(.named("a"), isConfirmed: false), at: time, cause: cause).first?.kind
    }
    #expect(try reset(100) == .armed)
    try perform(.add(.named("a"), amount: 1))
    #expect(try reset(200) == .armed)
    #expect(try reset(150) == .armed)
    #expect(try reset(Int64.min) == .armed)
    #expect(try reset(Int64.max) == .armed)
  }

  @Test(arguments: [
    // The clock of a run stood at 0 then, and the machine has slept for so long; both in microseconds.
    (Boot(id: "x", began: 0), Event.Kind.reset), (Boot(id: "x", began: 40_000), .reset),
    (Boot(id: "x", began: 0, asleep: 1_000_000), .armed), (Boot(id: "x", began: -30_000_000), .armed),
    (Boot(id: "x", began: 30_000_000), .armed), (Boot(id: "x", began: .max, asleep: .min), .armed),
  ])
  mutating func `a sleep in between, or a clock that was set so that two requests seem close, calls a reset off`(
    _ boot: Boot, _ second: Event.Kind
  ) throws {
    try make("a")
    func reset(_ time: Int64) throws -> Event.Kind? {
      try ledger.perform(.reset(.named("a"), isConfirmed: false), at: time, cause: cause).first?.kind
    }
    ledger.boot = Boot(id: "x", began: 0)
    #expect(try reset(10_000_000) == .armed)
    ledger.boot = boot
    #expect(try reset(12_000_000) == second)
  }

  @Test mutating func `a confirmed reset is done at once`() throws {
    try make("a", start: 2)
    try perform(.add(.named("a"), amount: 5))
    let event = try #require(try perform(.reset(.current, isConfirmed: true)).first)
    #expect(event.kind == .reset)
    #expect(event.change == -5)
  }

  @Test mutating func `a correction says what the value should have been`() throws {
    try make("a")
    try perform(.add(.named("a"), amount: 21))
    let event = try #require(try perform(.correct(.named("a"), to: 12)).first)
    #expect((event.kind, event.change, event.value) == (.corrected, -9, 12))
    try make("low", start: Int64.min)
    #expect(throws: CountingError.overflow("low", value: Int64.min, change: Int64.max)) {
      try perform(.correct(.named("low"), to: .units(.max)))
    }
  }

  @Test mutating func `a correction or a reset whose opposite is no number is refused: no undo could take it back`()
    throws
  {
    try make("high", start: -1)
    try perform(.correct(.named("high"), to: .units(.max - 1)))
    try perform(.add(.named("high"), amount: 1))
    #expect(throws: CountingError.overflow("high", value: .max, change: .min)) {
      try perform(.correct(.named("high"), to: -1))
    }
    #expect(throws: CountingError.overflow("high", value: .max, change: .min)) {
      try perform(.reset(.one(.named("high")), isConfirmed: true))
    }
    #expect(try value("high") == .max)
  }

  @Test mutating func `undoing a removal brings the counter back with its value, unless its name was taken`() throws {
    try make("people", start: 9)
    let counter = try ledger.find(.named("people"))
    let removed = try #require(try perform(.remove(.named("people"))).first)
    var taken = ledger
    try perform(.undo(removed, reviving: counter))
    #expect(try value("people") == 9)
    _ = try taken.perform(.create(name: "people", title: nil, start: 0, step: 1), at: 1, cause: cause)
    #expect(throws: CountingError.counterExists("people")) {
      try taken.perform(.undo(removed, reviving: counter), at: 1, cause: cause)
    }
  }

  @Test mutating func `a rollback makes everything as it was`() throws {
    try make("people")
    ledger.clearUndoLog()
    let (before, mark) = (ledger, ledger.mark)
    try perform(.add(.named("people"), amount: nil))
    try make("dogs")
    try perform(.select(.named("dogs")))
    try perform(.remove(.named("people")))
    try make("people", start: 5)
    ledger.rollback(to: mark)
    #expect(ledger.all == before.all)
    #expect(ledger.current == before.current)
    #expect(ledger.lastSequence == before.lastSequence)
    try make("dogs")
    #expect(try ledger.find(.named("dogs")).id.number == 2)
  }

  @Test(.seeded) mutating func `random changes and rollbacks leave what a slow model says`() throws {
    var random = Seed.generator()
    for _ in 0..<300 {
      let before = (ledger.all, ledger.current, ledger.lastSequence)
      let mark = ledger.mark
      for _ in 0..<(random.below(12)) {
        let name = "c\(random.below(4))"
        switch random.below(5) {
        case 0: try? make(name)
        case 1: _ = try? perform(.remove(.named(name)))
        case 2: _ = try? perform(.select(.named(name)))
        default: _ = try? perform(.add(.named(name), amount: .units(random.below(9))))
        }
        #expect((ledger.current == nil) == ledger.isEmpty)
      }
      if random.happens(0.5) {
        ledger.rollback(to: mark)
        #expect(ledger.all == before.0)
        #expect(ledger.current == before.1)
        #expect(ledger.lastSequence == before.2)
      } else if random.below(3) == 0 {
        ledger.clearUndoLog()
      }
    }
  }
}
