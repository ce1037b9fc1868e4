import Counting
import Testing

@Suite struct `Formulas in a ledger` {
  var ledger = Ledger()
  let cause = Cause(producer: "test")

  @discardableResult
  mutating func perform(_ change: Change, at time: Int64 = 0) throws -> [Event] {
    try ledger.perform(change, at: time, cause: cause)
  }

  mutating func count(_ name: String, _ value: Int64) throws {
    try perform(.create(name: name, title: nil, start: 0, step: 1))
    try perform(.correct(.named(name), to: .units(value)))
  }

  mutating func define(_ name: String, _ text: String, _ display: Display = .number) throws {
    try perform(
      .createFormula(name: name, [.formula: .text(text), .display: .text(display.rawValue)]))
  }

  func shown(_ name: String, at time: Int64 = 0) throws -> String? {
    let formula = try ledger.findFormula(name)
    return FormulaEvaluator(ledger, at: time).value(of: formula).map(formula.display.text)
  }

  mutating func refusal(_ name: String, _ text: String) -> String {
    do {
      try define(name, text)
      return "accepted"
    } catch CountingError.badFormula(_, let error) {
      return "\(error.position): \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test mutating func `a formula follows every counter, goal, stopwatch, group and formula that it mentions`() throws {
    try count("goals", 2)
    try count("shots", 8)
    try define("rate-of-goals", "goals / shots", .percent)
    #expect(try shown("rate-of-goals") == "25 %")
    try perform(.add(.named("goals"), amount: 2))
    #expect(try shown("rate-of-goals") == "50 %")
    try define("twice", "rate-of-goals * 2")
    #expect(try shown("twice") == "1")
    try perform(.create(name: "laps", [.target: .integer(10), .start: .integer(2)]))
    try perform(.add(.named("laps"), amount: 3))
    try define("way", "left(laps) * 100 + done(laps) * 10 + target(laps)")
    #expect(try shown("way") == "540")
    try perform(.create(name: "ann", isStopwatch: true))
    try define("played", "ann", .duration)
    try perform(.clock(.named("ann"), .start), at: 1_000_000)
    #expect(try shown("played", at: 66_500_000) == "1:06")
    try perform(.createGroup(name: "team"))
    try perform(.set(.named("goals"), [.group: .text("team")]))
    try define("all", "sum(group:team) + max(group:team)")
    #expect(try shown("all") == "8")
    try perform(.create(name: "weight", decimals: 2, [.step: .integer(125)]))
    try perform(.add(.named("weight"), amount: nil))
    try define("kilos", "weight * 2")
    #expect(try shown("kilos") == "2.5")
  }

  @Test mutating func `a rate is by the hour since the counter was made or reset`() throws {
    try count("people", 30)
    try define("speed", "rate(people)")
    // Over a minute at least.
    for time: Int64 in [0, 60_000_000] { #expect(try shown("speed", at: time) == "1800") }
    #expect(try shown("speed", at: 900_000_000) == "120")
    try perform(.reset(.named("people"), isConfirmed: true), at: 3_600_000_000)
    try perform(.add(.named("people"), amount: 5), at: 3_600_000_000)
    #expect(try shown("speed", at: 7_200_000_000) == "5")
  }

  @Test mutating func `dividing by nothing, and what is gone, gives no value`() throws {
    try count("a", 1)
    try count("b", 0)
    try define("share", "a / b")
    #expect(try shown("share") == nil)
    try define("more", "share + 1")
    #expect(try shown("more") == nil)
    try perform(.correct(.named("b"), to: 2))
    #expect(try shown("more") == "1.5")
    let removed = try perform(.remove(.named("b")))
    #expect(try shown("more") == nil)
    let counter = Counter(id: removed[0].counter, name: removed[0].name, title: "b", start: 0, step: 1, value: 4)
    try perform(.undo(removed[0], reviving: counter))
    #expect(try shown("more") == "1.25")
  }

  @Test mutating func `what means nothing is refused with its place`() throws {
    try count("home-goals", 1)
    try count("a", 1)
    try count("b", 1)
    try define("f", "a + b")
    #expect(refusal("g", "a + c") == "4: There is no counter or formula called “c”.")
    #expect(
      refusal("g", "home-goals + a-b")
        == "13: There is no counter or formula called “a-b”; to subtract, write spaces around the minus.")
    #expect(refusal("g", "rate(f)") == "5: “f” is a formula; this function needs a counter.")
    #expect(refusal("g", "rate(x)") == "5: There is no counter called “x”.")
    #expect(refusal("g", "1 + sum(group:none)") == "14: There is no group called “none”.")
    #expect(refusal("g", "a +") == "3: A number, a name or an opening bracket is missing here.")
    #expect(refusal("g", "g + 1") == "0: A formula cannot build on itself.")
    #expect(refusal("a", "1") == #"counterExists("a")"#)
    #expect(refusal("f", "1") == #"formulaExists("f")"#)
    #expect(throws: CountingError.formulaExists("f")) { try perform(.create(name: "f")) }
    #expect(throws: CountingError.formulaExists("f")) { try perform(.set(.named("a"), [.name: .text("f")])) }
    #expect(throws: CountingError.noSuchFormula("g")) { try perform(.setFormula("g", [.title: .text("x")])) }
    #expect(ledger.formulas.count == 1)
  }

  @Test mutating func `circles are refused, however long, and so are chains without end`() throws {
    try count("a", 1)
    try define("f0", "a")
    for number in 1...64 { try define("f\(number)", "f\(number - 1) + a + f\(number - 1)") }
    #expect(try shown("f64") == "36893488147419103231")
    #expect(
      refusal("f65", "f64") == "0: More than 64 formulas would build on each other, one behind the other.")
    #expect(throws: CountingError.self) { try perform(.setFormula("f0", [.formula: .text("1 + f5")])) }
    do {
      try perform(.setFormula("f0", [.formula: .text("1 + f5")]))
    } catch CountingError.badFormula(_, let error) {
      #expect(error == FormulaError(at: 4, "“f5” builds on “f0” itself: that goes round in a circle."))
    }
    // Below the whole chain there is no room for one more either.
    try define("g", "a")
    #expect(throws: CountingError.self) { try perform(.setFormula("f0", [.formula: .text("g")])) }
    try perform(.setFormula("f0", [.formula: .text("2 * a")]))
    #expect(try shown("f1") == "5")
  }

  @Test mutating func `no circle comes about by a name that a formula waits for`() throws {
    func refused(_ change: Change) {
      var ledger = ledger
      #expect {
        try ledger.perform(change, at: 0, cause: cause)
      } throws: { error in
        guard case CountingError.badFormula(_, let fault) = error else { return false }
        return fault.message.hasSuffix("that goes round in a circle.")
      }
      #expect(ledger.formulas == self.ledger.formulas)
    }
    try count("a", 1)
    try count("b", 1)
    try define("f", "a + b")
    try define("g", "f * 2")
    try perform(.remove(.named("b")))
    refused(.createFormula(name: "b", [.formula: .text("f * 2")]))
    refused(.setFormula("g", [.name: .text("b")]))
    refused(.setFormula("g", [.name: .text("b"), .formula: .text("1 + f")]))
    // No circle, though both have no value.
    try perform(.setFormula("g", [.name: .text("h")]))
    try define("b", "a * 3")
    #expect(try shown("h") == "8")
  }

  @Test mutating func `no circle comes back by an undo`() throws {
    try count("a", 1)
    try define("f", "a")
    let made = try perform(.createFormula(name: "g", [.formula: .text("f")]))
    let removed = try perform(.remove(.named("g")))
    try count("g", 1)
    try perform(.setFormula("f", [.formula: .text("g")]))
    try perform(.remove(.named("g")))
    let formula = Formula(id: made[0].counter, name: made[0].name, text: "f")
    #expect(throws: CountingError.self) { try perform(.undo([.init(removed[0], reviving: .formula(formula))])) }
    try perform(.setFormula("f", [.formula: .text("a")]))
    try define("h", "f")
    let changed = try perform(.setFormula("h", [.formula: .text("a")]))
    try perform(.setFormula("f", [.formula: .text("h")]))
    #expect(throws: CountingError.self) { try perform(.undo([.init(changed[0])])) }
    let renamed = try perform(.setFormula("h", [.name: .text("i")]))
    #expect(try shown("f") == "1")
    try count("h", 5)
    try perform(.setFormula("f", [.formula: .text("1")]))
    try perform(.setFormula("i", [.formula: .text("f")]))
    try perform(.setFormula("f", [.formula: .text("h")]))
    try perform(.remove(.named("h")))
    #expect(throws: CountingError.self) { try perform(.undo([.init(renamed[0])])) }
    #expect(try shown("f") == nil)
  }

  @Test mutating func `formulas that mention others hundreds of times are checked`() throws {
    try count("a", 1)
    try define("f0", "a")
    // A check that followed each mention would not end.
    // Each mentions the one before as often as its text has room for.
    for number in 1...60 {
      let name = "f\(number - 1)"
      try define("f\(number)", Array(repeating: name, count: 1000 / (name.count + 1)).joined(separator: "+"))
    }
    // Levels of formulas, each of which mentions all of the level below.
    for level in 0..<6 {
      let below = level == 0 ? "a" : (0..<20).map { "l\(level - 1)x\($0)" }.joined(separator: "+")
      for number in 0..<20 { try define("l\(level)x\(number)", below) }
    }
    try ledger.checkFormulas(ledger.formulas.map(\.id))
    #expect(throws: CountingError.self) { try perform(.setFormula("f0", [.formula: .text("f60")])) }
  }

  @Test mutating func `a formula spelt with other scalars follows a new name whole`() throws {
    try count("caf\u{E9}", 3)
    try define("f", "cafe\u{301} * 2 + caf\u{E9}")
    try perform(.set(.named("caf\u{E9}"), [.name: .text("tea")]))
    #expect(try ledger.findFormula("f").text == "tea * 2 + tea")
    #expect(try shown("f") == "9")
  }

  @Test mutating func `the first press makes a counter whatever formulas are called`() throws {
    try count("a", 1)
    try define("count", "a")
    try define("count-2", "a")
    try perform(.remove(.named("a")))
    let events = try perform(.add(.current, amount: nil))
    #expect(events.map(\.kind) == [.created, .added])
    #expect(events.map(\.name.text) == ["count-3", "count-3"])
    #expect(try ledger.find(.current).value == 1)
  }

  @Test mutating func `paces of many stopwatches have an average, and their rates a sum`() throws {
    var second: Int64 = 0
    for number in 1...9 {
      try perform(.create(name: "t\(number)", isStopwatch: true), at: second)
      try perform(.create(name: "c\(number)"), at: second)
      try perform(.correct(.named("c\(number)"), to: .units(Int64(number * 7))))
      try perform(.correct(.named("t\(number)"), to: .units(3_600_000_001 + Int64(number) * 123_456_787)))
      second += 1_234_567
    }
    let paces = (1...9).map { "c\($0) / t\($0)" }.joined(separator: ", ")
    try define("pace", "average(\(paces)) * 3600")
    #expect(try shown("pace") == "28.871")
    try define("speed", (1...9).map { "rate(c\($0))" }.joined(separator: " + "))
    #expect(try shown("speed", at: 3_600_000_000) != nil)
  }

  @Test mutating func `formulas follow the new name of what they mention, and its taking back`() throws {
    try count("goals", 3)
    try perform(.createGroup(name: "goals"))
    try define("f", "goals + sum(group:goals)")
    try define("g", "f * 2")
    let events = try perform(.set(.named("goals"), [.name: .text("points")]))
    #expect(events.map(\.subject) == [.counter, .formula])
    #expect(events.map(\.batch) == [events[0].sequence, events[0].sequence])
    #expect(try ledger.findFormula("f").text == "points + sum(group:goals)")
    try perform(.setGroup("goals", [.name: .text("team")]))
    #expect(try ledger.findFormula("f").text == "points + sum(group:team)")
    try perform(.setFormula("f", [.name: .text("total")]))
    #expect(try ledger.findFormula("g").text == "total * 2")
    #expect(try shown("g") == "6")
    try perform(.undo(events.reversed().map { Change.Takeback($0) }, .all))
    #expect(try ledger.findFormula("total").text == "goals + sum(group:goals)")
    #expect(try ledger.find(.named("goals")).value == 3)
  }

  @Test mutating func `making, changing and removing a formula is undone like anything else`() throws {
    try count("a", 1)
    try define("f", "a + 1", .percent)
    let before = ledger.formulas
    let changed = try perform(.setFormula("f", [.formula: .text("a + 2"), .display: .text("duration")]))
    #expect(try shown("f") == "0:03")
    try perform(.undo([Change.Takeback(changed[0])], .all))
    #expect(ledger.formulas == before)
    let removed = try perform(.remove(.named("f")))
    #expect(ledger.formulas.isEmpty)
    try perform(.undo([Change.Takeback(removed[0], reviving: .formula(before[0]))], .all))
    #expect(try shown("f") == "200 %")
  }

  @Test mutating func `only the formulas that an event concerns are asked for`() throws {
    try perform(.createGroup(name: "team"))
    try count("a", 1)
    try count("b", 1)
    try define("of-a", "a")
    try define("above", "of-a + 1")
    try define("of-b", "b")
    try define("of-team", "sum(group:team)")
    func concerned(_ events: [Event]) -> [String] { ledger.formulas(concernedBy: events).map(\.name.text) }
    #expect(concerned(try perform(.add(.named("a"), amount: 1))) == ["of-a", "above"])
    #expect(concerned(try perform(.set(.named("b"), [.group: .text("team")]))) == ["of-b", "of-team"])
    #expect(concerned(try perform(.set(.named("b"), [.group: .none]))) == ["of-b", "of-team"])
    #expect(concerned(try perform(.remove(.named("a")))) == ["of-a", "above", "of-team"])
    #expect(concerned(try perform(.setFormula("of-b", [.display: .text("percent")]))) == ["of-b"])
  }
}
