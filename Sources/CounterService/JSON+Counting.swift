import Counting
import Formulas
import Platform
import Rationals
import Varlink

extension JSON {
  /// A counter as the interface describes it, with the value it had at some moment if that is not the present one.
  init(_ counter: Counter, value: Int64? = nil, in ledger: Ledger) {
    var object: JSONObject = [
      "name": .string(counter.name.text), "title": .string(counter.title), "value": .int(value ?? counter.value),
      "start": .int(counter.start), "step": .int(counter.step), "current": .bool(ledger.current == counter.id),
      "id": .int(counter.id.number),
    ]
    if counter.kind != .simple { object["kind"] = .string(counter.kind.rawValue) }
    // What is as usual is left out: replies are many.
    let texts = [("colour", counter.colour), ("icon", counter.icon), ("note", counter.note)]
    for (name, text) in texts where !text.isEmpty { object[name] = .string(text) }
    if !counter.tags.isEmpty { object["tags"] = .array(counter.tags.map(JSON.string)) }
    if let group = counter.group.flatMap(ledger.group) { object["group"] = .string(group.name.text) }
    if counter.isArchived { object["archived"] = true }
    if counter.isLocked { object["locked"] = true }
    if counter.decimals != 0 { object["decimals"] = .int(counter.decimals) }
    let numbers = [
      ("stepDown", counter.stepDown), ("minimum", counter.minimum), ("maximum", counter.maximum),
      ("target", counter.target), ("every", counter.every), ("reachedAt", counter.reachedAt),
    ]
    for case (let name, let number?) in numbers { object[name] = .int(number) }
    if counter.minimum != nil || counter.maximum != nil { object["limits"] = .string(counter.limits.rawValue) }
    if counter.target != nil { object["progress"] = counter.progress.map { JSON($0) } }
    if counter.isStopwatch {
      let now = Clock.microsecondsSince1970()
      let elapsed = counter.elapsed(at: now, in: Boot.current)
      object["elapsed"] = .int(elapsed)
      // In terms of the clock as it is now, whatever it was when it was started.
      if counter.since != nil { object["since"] = .int(now &- (elapsed &- counter.value)) }
    }
    if let period = counter.period {
      object["period"] = .string(period)
      for case (let name, let time?) in [("began", counter.began), ("renewsAt", counter.renewsAt)] {
        object[name] = .int(time)
      }
    }
    self = .object(object)
  }

  private init(_ progress: Counter.Progress) {
    self = .object([
      "done": .int(progress.done), "left": .int(progress.left), "percent": .int(progress.percent),
    ])
  }

  /// A group as the interface describes it.
  init(_ group: Group) {
    var object: JSONObject = [
      "name": .string(group.name.text), "title": .string(group.title), "id": .int(group.id.number),
    ]
    for (name, text) in [("colour", group.colour), ("icon", group.icon), ("note", group.note)] where !text.isEmpty {
      object[name] = .string(text)
    }
    self = .object(object)
  }

  /// A formula as the interface describes it, with what it comes to.
  init(_ formula: Formula, _ standings: Standings) {
    var object: JSONObject = [
      "name": .string(formula.name.text), "title": .string(formula.title), "id": .int(formula.id.number),
      "formula": .string(formula.text), "display": .string(formula.display.rawValue),
    ]
    for (name, text) in [("colour", formula.colour), ("icon", formula.icon), ("note", formula.note)]
    where !text.isEmpty { object[name] = .string(text) }
    if let value = standings.value(of: formula) {
      object["value"] = .string(value.text(decimals: 12))
      object["text"] = .string(formula.display.text(value))
    }
    self = .object(object)
  }

  /// An event as the interface describes it.
  init(_ event: Event, in ledger: Ledger) {
    var object: JSONObject = [
      "sequence": .int(event.sequence), "time": .int(event.time), "kind": .string(event.kind.rawValue),
      "counter": .string(event.subject == .counter ? event.name.text : ""), "change": .int(event.change),
      "value": .int(event.value),
    ]
    if let undoes = event.undoes { object["undoes"] = .int(undoes) }
    object["cause"] = JSON(event.cause)
    switch event.subject {
    case .counter:
      object["id"] = .int(event.counter.number)
      switch event.unit {
      case .decimal(0): break
      case .decimal(let decimals): object["decimals"] = .int(decimals)
      case .time: object["stopwatch"] = true
      }
    case .group: object["group"] = .string(event.name.text)
    case .formula: object["formula"] = .string(event.name.text)
    case .all: break
    }
    if event.kind == .armed { object["until"] = .int(event.time &+ ledger.resetWindow) }
    if event.marks.contains(.reached) { object["reached"] = true }
    if event.marks.contains(.limited) { object["limited"] = true }
    if let boundary = event.boundary { object["boundary"] = .int(boundary) }
    if event.kind == .renewed, let began = event.alterations.first(where: { $0.field == .began })?.before.integer {
      object["began"] = .int(began)
    }
    if let lap = event.lap { object["lap"] = .int(lap) }
    if let about = event.about { object["about"] = .int(about) }
    if let batch = event.batch { object["batch"] = .int(batch) }
    if let note = event.note { object["note"] = .string(note) }
    let alterations = event.alterations.filter(\.field.isSetting)
    if !alterations.isEmpty { object["alterations"] = .array(alterations.map { JSON($0, in: ledger) }) }
    self = .object(object)
  }

  private init(_ alteration: Alteration, in ledger: Ledger) {
    var object: JSONObject = ["field": .string(alteration.field.rawValue)]
    for (name, value) in [("before", alteration.before), ("after", alteration.after)] {
      switch value {
      case .none: break
      case .integer(let number) where alteration.field == .group:
        // One that was removed since has no name any more.
        object[name] = .string(ledger.group(.init(number))?.name.text ?? "")
      // The interface has one type for all of them.
      case .integer(let number): object[name] = .string(String(number))
      case .text(let text): object[name] = .string(text)
      }
    }
    self = .object(object)
  }

  private init(_ cause: Cause) {
    var object: JSONObject = ["producer": .string(cause.producer)]
    if let device = cause.device { object["device"] = .string(device) }
    if let gesture = cause.gesture { object["gesture"] = .string(gesture) }
    self = .object(object)
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
    Clock.boot.map { Boot(id: $0, began: Clock.microsecondsAtBoot()) }
  }
}
