/// The values of formulas at one time. Each formula is computed at most once.
public final class FormulaEvaluator {
  public let ledger: Ledger
  private let time: Int64
  /// The past values of counters; `nil` to use the present values.
  private let past: Past?
  private var known: [Counter.ID: Rational?] = [:]
  private var depth = 0

  /// The counters at a time in the past.
  public struct Past: Sendable {
    /// The values, current runs of stopwatches included. A counter that did not exist yet is missing. If another
    /// counter of a formula existed, the missing one has its start value in the formula.
    public let values: [Counter.ID: Int64]
    /// For rates, the times from which the values were counted.
    public let beginnings: [Counter.ID: Int64]
    /// The counters whose values are the sums of several periods, which have no target.
    public let summed: Set<Counter.ID>

    /// Whether any of the counters existed; `true` for no counters.
    fileprivate func knows(_ counters: Set<Counter.ID>) -> Bool {
      counters.isEmpty || counters.contains { values[$0] != nil }
    }

    public init(
      values: [Counter.ID: Int64], beginnings: [Counter.ID: Int64], summed: Set<Counter.ID> = []
    ) {
      (self.values, self.beginnings, self.summed) = (values, beginnings, summed)
    }
  }

  /// - Parameter time: the time for running stopwatches and rates, in microseconds since 1970.
  /// - Parameter past: the counters at that time; default: the present ones. Expressions, settings and groups are the
  ///   present ones.
  public init(_ ledger: Ledger, at time: Int64, past: Past? = nil) {
    self.ledger = ledger
    self.time = time
    self.past = past
  }

  /// The value of a formula; `nil` if it has none.
  public func value(of formula: Formula) -> Rational? {
    if depth == 0, let past, !past.knows(ledger.counters(behind: [formula])) { return nil }
    if let value = known[formula.id] { return value }
    // A formula that depends on itself has no value. The checks refuse such formulas, but a journal may have been
    // edited by hand.
    known[formula.id] = .some(nil)
    guard depth <= Ledger.longestChain else { return nil }
    depth += 1
    defer { depth -= 1 }
    let value = formula.parsed?.expression.value(self)
    known[formula.id] = value
    return value
  }

  /// The value of a counter; of a stopwatch in seconds.
  public func value(of counter: Counter) -> Rational? {
    if let past { return number(past.values[counter.id] ?? counter.start, of: counter) }
    return counter.isStopwatch
      ? Rational(counter.elapsed(at: time, in: ledger.boot), decimals: 6)
      : Rational(counter.value, decimals: Int(counter.decimals))
  }

  private func number(_ units: Int64, of counter: Counter) -> Rational {
    Rational(units, decimals: counter.isStopwatch ? 6 : Int(counter.decimals))
  }
}

extension FormulaEvaluator: EvaluationContext {
  public func value(of name: String) -> Rational? {
    let name = CounterName(trusted: name)
    return ledger.counters[name].flatMap(value) ?? ledger.formulaRegistry[name].flatMap(value)
  }

  public func values(ofGroup name: String) -> [Rational]? {
    guard let group = ledger.groupRegistry[CounterName(trusted: name)] else { return nil }
    return ledger.counters.entries.values.filter { counter in
      counter.group == group.id && !counter.isArchived && past.map { $0.values[counter.id] != nil } ?? true
    }.compactMap(value)
  }

  public func part(_ part: Expression.Part, of name: String) -> Rational? {
    guard let counter = ledger.counters[CounterName(trusted: name)] else { return nil }
    let grown = value(of: counter).flatMap { $0 - number(counter.start, of: counter) }
    if part == .rate {
      // The counter did not exist yet, but counts that were imported or entered later may have earlier times.
      if let past, past.values[counter.id] == nil { return .zero }
      let present = [counter.began, ledger.earliest[counter.id]].compactMap(\.self).min()
      return grown.flatMap { rate($0, since: past.map { $0.beginnings[counter.id] } ?? present) }
    }
    guard let target = counter.target, past?.summed.contains(counter.id) != true else { return nil }
    if part == .target { return number(target, of: counter) }
    guard let way = number(target, of: counter) - number(counter.start, of: counter), let grown else { return nil }
    let (whole, done) = way < .zero ? (-way, -grown) : (way, grown)
    return part == .done ? done : (whole - done).map { max($0, .zero) }
  }

  /// The least time that a rate is computed over, in microseconds. Otherwise the first count after a reset would be
  /// thousands an hour.
  private static let leastSpan: Int64 = 60_000_000

  /// The growth per hour; `nil` if the counting began later.
  ///
  /// Rounded like all shown values: the times of several rates, in microseconds, would exceed the range of exact
  /// fractions when the rates are added.
  private func rate(_ grown: Rational, since began: Int64?) -> Rational? {
    guard let began, began <= time else { return nil }
    let (elapsed, overflow) = time.subtractingReportingOverflow(began)
    let span = max(elapsed, Self.leastSpan)
    guard !overflow, let hours = Rational(span, decimals: 6) / Rational(3600) else { return nil }
    return (grown / hours)?.rounded(decimals: Expression.shownDecimals)
  }
}

extension Ledger {
  /// The counters on which formulas depend, also by other formulas and by groups.
  public func counters(behind formulas: [Formula]) -> Set<Counter.ID> {
    var found: Set<Counter.ID> = []
    var seen = Set(formulas.map(\.id))
    var waiting = formulas
    while let formula = waiting.popLast() {
      for (kind, reference) in formula.parsed?.expression.references ?? [] {
        let name = CounterName(trusted: reference.name)
        if kind == .group {
          if let group = groupRegistry[name] {
            found.formUnion(members(of: group.id).filter { !$0.isArchived }.map(\.id))
          }
        } else if let counter = counters[name] {
          found.insert(counter.id)
        } else if let part = formulaRegistry[name], seen.insert(part.id).inserted {
          waiting.append(part)
        }
      }
    }
    return found
  }

  /// The counters whose rate a formula uses.
  public var ratedCounters: Set<Counter.ID> {
    var found: Set<Counter.ID> = []
    for formula in formulaRegistry.entries.values {
      for (part, reference) in formula.parsed?.expression.parts ?? [] where part == .rate {
        if let counter = counters[CounterName(trusted: reference.name)] { found.insert(counter.id) }
      }
    }
    return found
  }

  /// The formulas whose value may change by events, in order, including formulas that depend on others.
  public func formulas(concernedBy events: [Event]) -> [Formula] {
    var names: [(CounterName, isGroup: Bool)] = []
    var found: Set<Counter.ID> = []
    for event in events {
      // A formula with the former name may have lost its value by the change of the name.
      if let former = event.alterations.first(where: { $0.field == .name })?.before.text {
        names.append((CounterName(trusted: former), event.subject == .group))
      }
      switch event.subject {
      case .all: break
      case .group:
        names.append((event.name, true))
        if event[.name] != nil { found.formUnion(formulas(of: event.counter).map(\.id)) }
      case .formula:
        names.append((event.name, false))
        if formulaRegistry[event.counter] != nil { found.insert(event.counter) }
      case .counter:
        names.append((event.name, false))
        var groups = event.alterations.filter { $0.field == .group }.compactMap(\.before.integer)
        // The former group of a removed counter is unknown.
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
