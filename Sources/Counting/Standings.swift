public import Formulas
public import Rationals

/// What formulas come to at one moment. Each is computed once, however many build on it.
public final class Standings {
  private let ledger: Ledger
  private let time: Int64
  private var known: [Counter.ID: Rational?] = [:]
  private var depth = 0

  /// - Parameter time: for stopwatches and rates, in microseconds since 1970.
  public init(_ ledger: Ledger, at time: Int64) {
    self.ledger = ledger
    self.time = time
  }

  /// The value of a formula; `nil` for none.
  public func value(of formula: Formula) -> Rational? {
    if let value = known[formula.id] { return value }
    // Whoever comes round in a circle finds no value. No check lets one in, but a journal may have been edited by hand.
    known[formula.id] = .some(nil)
    guard depth <= Ledger.longestChain else { return nil }
    depth += 1
    defer { depth -= 1 }
    let value = formula.parsed?.expression.value(self)
    known[formula.id] = value
    return value
  }

  /// What a counter shows, in whole ones; a stopwatch in seconds.
  public func value(of counter: Counter) -> Rational {
    counter.isStopwatch
      ? Rational(counter.elapsed(at: time, in: ledger.boot), decimals: 6)
      : Rational(counter.value, decimals: Int(counter.decimals))
  }

  private func number(_ units: Int64, of counter: Counter) -> Rational {
    Rational(units, decimals: counter.isStopwatch ? 6 : Int(counter.decimals))
  }
}

extension Standings: FormulaFacts {
  public func value(of name: String) -> Rational? {
    let name = CounterName(trusted: name)
    return ledger.counters[name].map(value) ?? ledger.formulaRegistry[name].flatMap(value)
  }

  public func values(ofGroup name: String) -> [Rational] {
    guard let group = ledger.groupRegistry[CounterName(trusted: name)] else { return [] }
    return ledger.counters.entries.values.filter { $0.group == group.id && !$0.isArchived }.map(value)
  }

  public func part(_ part: Expression.Part, of name: String) -> Rational? {
    guard let counter = ledger.counters[CounterName(trusted: name)] else { return nil }
    let grown = try? value(of: counter) - number(counter.start, of: counter)
    if part == .rate { return grown.flatMap { rate($0, since: counter.began) } }
    guard let target = counter.target else { return nil }
    if part == .target { return number(target, of: counter) }
    let way = try? number(target, of: counter) - number(counter.start, of: counter)
    guard let way, let grown else { return nil }
    let (whole, done) = way < .zero ? (-way, -grown) : (way, grown)
    return part == .done ? done : (try? whole - done).map { max($0, .zero) }
  }

  /// What grew, an hour; `nil` where no time has passed.
  private func rate(_ grown: Rational, since began: Int64?) -> Rational? {
    guard let began, began < time else { return nil }
    let (elapsed, overflow) = time.subtractingReportingOverflow(began)
    guard !overflow, let hours = (try? Rational(elapsed, decimals: 6) / Rational(3600)) ?? nil else { return nil }
    return (try? grown / hours) ?? nil
  }
}

extension Ledger {
  /// The formulas whose value may be another after events, those that build on others included.
  public func formulas(concernedBy events: [Event]) -> [Formula] {
    var names: [(CounterName, isGroup: Bool)] = []
    var found: Set<Counter.ID> = []
    for event in events {
      switch event.subject {
      case .all: break
      case .group: names.append((event.name, true))
      case .formula:
        names.append((event.name, false))
        if formulaRegistry[event.counter] != nil { found.insert(event.counter) }
      case .counter:
        names.append((event.name, false))
        var groups = event.alterations.filter { $0.field == .group }.compactMap(\.before.integer)
        // Nobody knows any more which group one belonged to that is gone.
        if counters[event.counter] == nil { groups = groupRegistry.entries.keys.map(\.number) }
        if let group = counters[event.counter]?.group { groups.append(group.number) }
        names += groups.compactMap { groupRegistry[.init($0)].map { ($0.name, true) } }
      }
    }
    var seen: Set<Counter.ID> = []
    while let (name, isGroup) = names.popLast() {
      for id in mentions.of(name, isGroup: isGroup) where seen.insert(id).inserted {
        found.insert(id)
        if let formula = formulaRegistry[id] { names.append((formula.name, false)) }
      }
    }
    return found.compactMap { formulaRegistry[$0] }.sorted { $0.place < $1.place }
  }
}
