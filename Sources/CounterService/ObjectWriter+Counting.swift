import Counting
import Formulas
import Platform
import Rationals
import Varlink

extension ObjectWriter {
  /// A counter as the interface describes it, with the value it had at some moment if that is not the present one.
  mutating func add(_ counter: Counter, value: Int64? = nil, in ledger: Ledger) {
    add("name", counter.name.text)
    add("title", counter.title)
    add("value", value ?? counter.value)
    add("start", counter.start)
    add("step", counter.step)
    add("current", ledger.current == counter.id)
    add("id", counter.id.number)
    if counter.kind != .simple { add("kind", counter.kind.rawValue) }
    // What is as usual is left out: replies are many.
    addLooks(counter.colour, counter.icon, counter.note)
    if !counter.tags.isEmpty { add("tags", .array(counter.tags.map(JSON.string))) }
    if let group = counter.group.flatMap(ledger.group) { add("group", group.name.text) }
    if counter.isArchived { add("archived", true) }
    if counter.isLocked { add("locked", true) }
    if counter.decimals != 0 { add("decimals", counter.decimals) }
    add("stepDown", counter.stepDown)
    add("minimum", counter.minimum)
    add("maximum", counter.maximum)
    add("target", counter.target)
    add("every", counter.every)
    add("reachedAt", counter.reachedAt)
    if counter.minimum != nil || counter.maximum != nil { add("limits", counter.limits.rawValue) }
    if let progress = counter.progress { add("progress") { $0.add(progress) } }
    if counter.isStopwatch {
      let now = Clock.microsecondsSince1970()
      let elapsed = counter.elapsed(at: now, in: Boot.current)
      add("elapsed", elapsed)
      // In terms of the clock as it is now, whatever it was when it was started.
      if counter.since != nil { add("since", now &- (elapsed &- counter.value)) }
    }
    if let period = counter.period {
      add("period", period)
      add("began", counter.began)
      add("renewsAt", counter.renewsAt)
    }
  }

  private mutating func add(_ progress: Counter.Progress) {
    add("done", progress.done)
    add("left", progress.left)
    add("percent", progress.percent)
  }

  private mutating func addLooks(_ colour: String, _ icon: String, _ note: String) {
    if !colour.isEmpty { add("colour", colour) }
    if !icon.isEmpty { add("icon", icon) }
    if !note.isEmpty { add("note", note) }
  }

  /// A group as the interface describes it.
  mutating func add(_ group: Group) {
    add("name", group.name.text)
    add("title", group.title)
    add("id", group.id.number)
    addLooks(group.colour, group.icon, group.note)
  }

  /// A formula as the interface describes it, with what it comes to.
  mutating func add(_ formula: Formula, _ standings: Standings) {
    add("name", formula.name.text)
    add("title", formula.title)
    add("id", formula.id.number)
    add("formula", formula.text)
    add("display", formula.display.rawValue)
    addLooks(formula.colour, formula.icon, formula.note)
    if let value = standings.value(of: formula) {
      add("value", value.text(decimals: 12))
      add("text", formula.display.text(value))
    }
  }

  /// Formulas, where there are any.
  mutating func add(_ formulas: [Formula], _ standings: @autoclosure () -> Standings) {
    guard !formulas.isEmpty else { return }
    let standings = standings()
    add("formulas", formulas) { $0.add($1, standings) }
  }

  /// An event as the interface describes it; for few events it matters how things stand.
  mutating func add(_ event: Event, in ledger: @autoclosure () -> Ledger) {
    add("sequence", event.sequence)
    add("time", event.time)
    add("kind", event.kind.rawValue)
    add("counter", event.subject == .counter ? event.name.text : "")
    add("change", event.change)
    add("value", event.value)
    add("undoes", event.undoes)
    add("cause") { $0.add(event.cause) }
    switch event.subject {
    case .counter:
      add("id", event.counter.number)
      add(event.unit)
    case .group: add("group", event.name.text)
    case .formula: add("formula", event.name.text)
    case .all: break
    }
    if event.kind == .armed { add("until", event.time &+ ledger().resetWindow) }
    if event.marks.contains(.reached) { add("reached", true) }
    if event.marks.contains(.limited) { add("limited", true) }
    add("boundary", event.boundary)
    if event.kind == .renewed || event.marks.contains(.byClock) {
      add("began", event.alterations.first { $0.field == .began }?.before.integer)
    }
    add("lap", event.lap)
    add("about", event.about)
    add("batch", event.batch)
    add("note", event.note)
    let alterations = event.alterations.lazy.filter(\.field.isSetting)
    if !alterations.isEmpty {
      let ledger = ledger()
      add("alterations", alterations) { $0.add($1, in: ledger) }
    }
  }

  /// What numbers are numbers of, where that is not whole things.
  private mutating func add(_ unit: Unit) {
    switch unit {
    case .decimal(0): break
    case .decimal(let decimals): add("decimals", decimals)
    case .time: add("stopwatch", true)
    }
  }

  private mutating func add(_ alteration: Alteration, in ledger: Ledger) {
    add("field", alteration.field.rawValue)
    add("before", Self.text(alteration.before, of: alteration.field, in: ledger))
    add("after", Self.text(alteration.after, of: alteration.field, in: ledger))
  }

  /// The interface has one type for the values of all fields.
  private static func text(_ value: Field.Value, of field: Field, in ledger: Ledger) -> String? {
    switch value {
    case .none: nil
    // One that was removed since has no name any more.
    case .integer(let number) where field == .group: ledger.group(.init(number))?.name.text ?? ""
    case .integer(let number): String(number)
    case .text(let text): text
    }
  }

  private mutating func add(_ cause: Cause) {
    add("producer", cause.producer)
    add("device", cause.device)
    add("gesture", cause.gesture)
  }
}

extension Ledger {
  /// What the formulas come to now.
  var standings: Standings {
    var ledger = self
    ledger.boot = Boot.current
    return Standings(ledger, at: Clock.microsecondsSince1970())
  }
}

extension Boot {
  /// How the clocks stand now; `nil` where nothing tells this run of the machine from others.
  static var current: Boot? {
    Clock.boot.map { Boot(id: $0, began: Clock.microsecondsAtBoot(), asleep: Clock.asleep() / 1000) }
  }
}
