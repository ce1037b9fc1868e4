import CoreAPI
import Counting
import JSON
import Linux

extension ObjectWriter {
  /// Adds the members of a counter.
  ///
  /// - Parameter value: the value at the time of an event; `nil` for the current value.
  mutating func add(_ counter: Counter, value: Int64? = nil, in ledger: Ledger) {
    typealias Member = Counters.Counter.Member
    add(Member.name, counter.name.text)
    add(Member.title, counter.title)
    add(Member.value, value ?? counter.value)
    add(Member.start, counter.start)
    add(Member.step, counter.step)
    add(Member.current, ledger.current == counter.id && !counter.isArchived)
    add(Member.id, counter.id.number)
    if counter.kind != .simple { add(Member.kind, counter.kind.rawValue) }
    // Defaults are left out to keep replies short.
    add(Member.colour, unlessEmpty: counter.colour)
    add(Member.icon, unlessEmpty: counter.icon)
    add(Member.note, unlessEmpty: counter.note)
    if !counter.tags.isEmpty { add(Member.tags, counter.tags) }
    if let group = counter.group.flatMap(ledger.group) { add(Member.group, group.name.text) }
    if counter.isArchived { add(Member.archived, true) }
    if counter.isLocked { add(Member.locked, true) }
    if counter.decimals != 0 { add(Member.decimals, counter.decimals) }
    for (field, member) in Member.plain {
      switch counter[field] {
      case .none: break
      case .integer(let number) where field.kind == .flag: add(member, number == 1)
      case .integer(let number): add(member, number)
      case .text(let text) where field.kind == .words: add(member, text.split(separator: " ").map(String.init))
      case .text(let text): add(member, text)
      }
    }
    add(Member.reachedAt, counter.reachedAt)
    if counter.minimum != nil || counter.maximum != nil { add(Member.limits, counter.limits.rawValue) }
    if let progress = counter.progress { add(Member.progress) { $0.add(progress) } }
    if counter.isStopwatch {
      let now = Clock.microsecondsSince1970()
      let elapsed = counter.elapsed(at: now, in: Boot.current)
      add(Member.elapsed, elapsed)
      // Converted to the present wall clock, which may have been set since the start.
      if counter.since != nil { add(Member.since, now &- (elapsed &- counter.value)) }
    }
    if let period = counter.period {
      add(Member.period, period)
      add(Member.began, counter.began)
      add(Member.renewsAt, counter.renewsAt)
    }
    if let own = ledger.shares[counter.id] {
      add(Member.shared, true)
      add(Member.own, own)
    }
  }

  private mutating func add(_ progress: Counter.Progress) {
    typealias Member = Counters.Progress.Member
    add(Member.done, progress.done)
    add(Member.left, progress.left)
    add(Member.percent, progress.percent)
  }

  /// Adds a text unless it is empty.
  @inline(__always)
  private mutating func add(_ member: some InterfaceMember, unlessEmpty text: String) {
    if !text.isEmpty { add(member, text) }
  }

  mutating func add(_ group: Group) {
    typealias Member = Counters.Group.Member
    add(Member.name, group.name.text)
    add(Member.title, group.title)
    add(Member.id, group.id.number)
    add(Member.colour, unlessEmpty: group.colour)
    add(Member.icon, unlessEmpty: group.icon)
    add(Member.note, unlessEmpty: group.note)
  }

  /// Adds the members of a formula and its value.
  mutating func add(_ formula: Formula, _ standings: FormulaEvaluator) {
    typealias Member = Counters.Formula.Member
    add(Member.name, formula.name.text)
    add(Member.title, formula.title)
    add(Member.id, formula.id.number)
    add(Member.formula, formula.text)
    add(Member.display, formula.display.rawValue)
    add(Member.colour, unlessEmpty: formula.colour)
    add(Member.icon, unlessEmpty: formula.icon)
    add(Member.note, unlessEmpty: formula.note)
    if let group = formula.group.flatMap(standings.ledger.group) { add(Member.group, group.name.text) }
    if formula.isArchived { add(Member.archived, true) }
    if let value = standings.value(of: formula) {
      add(Member.value, value.text(decimals: Expression.shownDecimals))
      add(Member.text, formula.display.text(value))
    }
  }

  /// Adds formulas, if there are any.
  mutating func add(_ formulas: [Formula], _ standings: @autoclosure () -> FormulaEvaluator) {
    guard !formulas.isEmpty else { return }
    let standings = standings()
    // `List` and `Watch` have the same name for the member.
    add(Counters.ListReply.Member.formulas, formulas) { $0.add($1, standings) }
  }

  /// Adds the members of an event. Few kinds need the ledger.
  ///
  /// - Parameters:
  ///   - caller: the caller. Without the right to read, texts of notes are left out; `nil` for a caller with that
  ///     right.
  ///   - closing: the event that closes the ended period to which a late count belongs.
  mutating func add(
    _ event: Event, to caller: Caller? = nil, closedBy closing: Event? = nil, in ledger: @autoclosure () -> Ledger
  ) {
    typealias Member = Counters.Event.Member
    add(Member.sequence, event.sequence)
    add(Member.time, event.time)
    add(Member.kind, event.kind.rawValue)
    add(Member.counter, event.subject == .counter ? event.name.text : "")
    add(Member.change, event.change)
    add(Member.value, event.value)
    add(Member.undoes, event.undoes)
    let cause = event.cause
    add(Member.cause) { $0.add(cause) }
    switch event.subject {
    case .counter:
      add(Member.id, event.counter.number)
      add(event.unit)
    case .group: add(Member.group, event.name.text)
    case .formula: add(Member.formula, event.name.text)
    case .all: break
    }
    if event.kind == .armed { add(Member.until, event.time &+ ledger().resetWindow) }
    if let closing {
      add(Member.until, closing.time)
      add(Member.standing, closing.value)
    }
    if event.marks.contains(.reached) { add(Member.reached, true) }
    if event.marks.contains(.limited) { add(Member.limited, true) }
    if event.marks.contains(.late) { add(Member.late, true) }
    add(Member.boundary, event.boundary)
    if event.kind == .renewed || event.marks.contains(.notUndoable) {
      add(Member.began, event.alterations.first { $0.field == .began }?.before.integer)
    }
    add(Member.lap, event.lap)
    add(Member.about, event.about)
    add(Member.batch, event.batch)
    add(Member.note, event.note)
    guard !event.alterations.isEmpty, event.about == nil || caller?.mayRead ?? true else { return }
    // The name at creation is the event's `counter` already.
    let alterations = event.alterations.lazy.filter {
      $0.field.isSetting && !(event.kind == .created && $0.field == .name)
    }
    if !alterations.isEmpty {
      let ledger = ledger()
      add(Member.alterations, alterations) { $0.add($1, in: ledger) }
    }
  }

  /// Adds the unit of an event's numbers, unless it is whole numbers.
  private mutating func add(_ unit: Unit) {
    typealias Member = Counters.Event.Member
    switch unit {
    case .decimal(0): break
    case .decimal(let decimals): add(Member.decimals, decimals)
    case .time: add(Member.stopwatch, true)
    }
  }

  private mutating func add(_ alteration: Alteration, in ledger: Ledger) {
    typealias Member = Counters.Alteration.Member
    add(Member.field, alteration.field.rawValue)
    add(Member.before, Self.text(alteration.before, of: alteration.field, in: ledger))
    add(Member.after, Self.text(alteration.after, of: alteration.field, in: ledger))
  }

  /// Converts any value to text: the interface has one type for the values of all fields.
  private static func text(_ value: Field.Value, of field: Field, in ledger: Ledger) -> String? {
    switch value {
    case .none: nil
    // A removed group has no name.
    case .integer(let number) where field == .group: ledger.group(.init(number))?.name.text ?? ""
    case .integer(let number): String(number)
    case .text(let text): text
    }
  }

  private mutating func add(_ cause: Cause) {
    typealias Member = Counters.Cause.Member
    add(Member.producer, cause.producer)
    add(Member.device, cause.device)
    add(Member.gesture, cause.gesture)
  }
}

extension Ledger {
  /// The current values of formulas.
  var standings: FormulaEvaluator {
    var ledger = self
    ledger.boot = Boot.current
    return FormulaEvaluator(ledger, at: Clock.microsecondsSince1970())
  }
}

extension Boot {
  /// The boot ID. tallyd.service hides that part of /proc, and passes the ID in a variable.
  private static let id = Clock.bootID(fallback: ServiceProcess.environment("TALLYMARK_BOOT_ID"))

  /// The current clocks; `nil` if the boot ID is not available.
  static var current: Boot? {
    id.map { Boot(id: $0, began: Clock.bootTime(), asleep: Clock.suspendedTime() / 1000) }
  }
}
