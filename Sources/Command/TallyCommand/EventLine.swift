import CoreAPI
import Counting
import JSON
import Linux
import Reports
import Text

/// The output of an event, as text or as JSON.
@dynamicMemberLookup
struct EventLine {
  let event: Counters.Event
  /// The counter's title, or its name if the title is unknown.
  let title: String
  /// The number of consecutive empty periods that are shown as the line of the last one.
  var emptyPeriods = 0
  /// The event that an undo or a redo concerns, if known.
  var origin: Counters.Event?
  /// The value in effect after the event's batch, if it differs from the event's value.
  var standing: Int64?
  /// Whether a later line of the list shows an event that was recorded earlier.
  var isOutOfOrder = false

  /// - Parameter counter: the event's counter, if known.
  init(_ event: Counters.Event, of counter: CounterLine? = nil) {
    self.event = event
    title = counter?.title ?? event.counter
  }

  subscript<Value>(dynamicMember member: KeyPath<Counters.Event, Value>) -> Value { event[keyPath: member] }

  /// The counter's name; empty for an event of a group, of a formula or of all counters.
  var name: String { event.counter }

  /// The value as text, in the format of the locale; after a count of a period that had ended, the value in effect.
  var count: String { format.text(event.standing ?? standing ?? reading ?? event.value) }

  /// The reading of a stopwatch whose stop was undone: it runs as if it had not been stopped, and the event has its
  /// value without this run. `nil` for other events.
  private var reading: Int64? {
    guard event.knownKind == .undone, event.unit == .time, let origin, origin.knownKind == .stopped else { return nil }
    return origin.value.addingReportingOverflow(max(0, event.time &- origin.time)).partialValue
  }

  private var format: ValueText { ValueText(unit: event.unit) }

  /// The subject of the event.
  var subject: String {
    if !name.isEmpty { return name }
    if let formula = event.formula { return "the formula \(formula)" }
    return event.group.map { "the group \($0)" } ?? "all counters"
  }

  /// The result, in one line.
  var sentence: String { name.isEmpty ? "\(subject.capitalisedStart): \(what)" : "\(count) \(name) (\(what)\(beyond))" }

  /// A remark about a new limit that the value already exceeds.
  private var beyond: String {
    let places = (event.knownKind == .changed ? event.alterations : []).compactMap { alteration -> String? in
      guard let limit = alteration.after.flatMap({ Int64($0) }) else { return nil }
      switch Field(rawValue: alteration.field) {
      case .maximum where event.value > limit: return "above the maximum"
      case .minimum where event.value < limit: return "below the minimum"
      default: return nil
      }
    }
    return places.map { "; the value is \($0)" }.joined()
  }

  /// The JSON object: the members of the event, with the counter's name and title instead of `counter`, and with an ISO
  /// 8601 time.
  var json: JSON {
    typealias Member = Counters.Event.Member
    var line: JSONObject = [:]
    line[Member.sequence] = .int(event.sequence)
    line[Member.time] = .string(time.iso8601)
    line[Member.kind] = .string(event.kind)
    line["name"] = .string(name)
    line["title"] = .string(title)
    line[Member.change] = .int(event.change)
    line[Member.value] = .int(event.value)
    if event.unit != .things {
      line["text"] = .string(event.unit.text(event.value))
      line["changeText"] = .string(event.unit.text(event.change))
      if let lap = event.lap { line["lapText"] = .string(event.unit.text(lap)) }
      if let boundary = event.boundary { line["boundaryText"] = .string(event.unit.text(boundary)) }
    }
    for member in Self.optional {
      if let value = event.object[member], value != .null { line[member] = value }
    }
    if event.unit != .things, event.has(.alterations) {
      line[Member.alterations] = .array(event.alterations.map { .object(withTexts($0)) })
    }
    line[Member.cause] = event.object[Member.cause] ?? [:]
    return .object(line.spellingTimes("began", "until"))
  }

  /// A change of a setting, with its amounts in the counter's unit as well.
  private func withTexts(_ alteration: Counters.Alteration) -> JSONObject {
    var object = alteration.object
    guard let field = Field(rawValue: alteration.field), field.isAmount else { return object }
    object["beforeText"] = alteration.before.flatMap { Int64($0) }.map { .string(event.unit.text($0)) }
    object["afterText"] = alteration.after.flatMap { Int64($0) }.map { .string(event.unit.text($0)) }
    return object
  }

  /// The optional members of the object, in order.
  private static let optional: [Counters.Event.Member] = [
    .undoes, .id, .decimals, .stopwatch, .group, .reached, .boundary, .limited, .late, .lap, .batch, .about, .note,
    .formula, .began, .until, .standing, .alterations,
  ]

  /// The line of a list: time, value, change and cause, in at most `width` columns.
  ///
  /// - Parameter numberWidth: the columns of the sequence number at the start; 0 for none.
  func text(withDay: Bool, width: Int = .max, numberWidth: Int = 0) -> String {
    let number = numberWidth > 0 ? "\(event.sequence)".padded(to: numberWidth, onLeft: true) + "  " : ""
    let when = number + Output.styled(withDay ? time.second : time.clock, .faint)
    let late = event.isLate && !isGesture || isOutOfOrder && isEntered ? ", entered later" : ""
    let note = event.note.map { "  “\($0.printableLine)”" } ?? ""
    // The batch is stated only if events are shown with numbers.
    let together = numberWidth > 0 ? event.batch.flatMap { $0 == event.sequence ? nil : ", with \($0)" } ?? "" : ""
    let line =
      "\(when)  \(Output.styled(name.isEmpty ? subject : "\(count) \(name)", .bold))  \(what)\(together)\(late)\(note)"
    let room = max(0, width - line.columns - 2)
    return room < 4 ? line.clipped(to: width) : "\(line)  \(Output.styled(who.printableLine.clipped(to: room), .faint))"
  }

  private var time: LocalTime { LocalTime(microseconds: event.time) }

  /// A short description of the event.
  var what: String {
    switch event.knownKind {
    case .added: Output.styled(signed, .up) + remarks
    case .subtracted: Output.styled(signed, .down) + remarks
    case .armed: "armed: repeat the reset to confirm"
    // The event of a group has no lap: each of its stopwatches has a separate one.
    case .lapped: event.lap.map { "lap of \(ValueText(unit: .time).text($0))" } ?? "lap"
    case .changed where event.began != nil: "clock set back: period resumed"
    // The clock is back still, or is right again.
    case .changed where isOfClock: "clock was behind: period continued"
    case .changed: isMove ? fields() : "changed \(fields())"
    case .renewed where isLate:
      "\(format.text(event.change == .min ? .max : -event.change)) counted for the previous period"
    case .renewed:
      "new period after \(format.text(event.value.subtractingReportingOverflow(event.change).partialValue))"
        + (emptyPeriods > 1 ? ", the last of \(emptyPeriods) in a row" : "")
    case .noted: noted
    case .undone where event.about != nil: "undid \(note(isReversed: true))"
    case .redone where event.about != nil: "redid \(note())"
    case .undone, .redone: takeback
    default: (event.change == 0 ? event.kind : "\(event.kind) \(signed)") + remarks
    }
  }

  /// The description of a count that was entered with its time: `+3 at 2026-11-21 09:00`.
  var late: String { "\(signed) at \(time.minute)\(remarks)" }

  /// A shorter description, for a sentence about its undo or redo; with the time if the event was on another day, or
  /// entered later.
  func brief(in takeback: EventLine) -> String { brief + when(in: takeback) }

  /// The time of a change that was entered later, or undone or redone on another day: ` at 2026-11-27 18:00`; otherwise
  /// empty.
  ///
  /// - Parameter isOfEndedPeriod: whether the change was made in a period that had ended, which its day does not say.
  func when(in takeback: EventLine, isOfEndedPeriod: Bool = false) -> String {
    let needsNoTime = time.day == takeback.time.day && !isOfEndedPeriod && (!event.isLate || isGesture)
    return event.change == 0 || event.knownKind == .renewed || needsNoTime ? "" : " at \(time.minute)"
  }

  /// The description without the time.
  var brief: String {
    switch event.knownKind {
    case .added, .subtracted: signed
    case .changed where newName != nil: "the rename to \(newName ?? "")"
    case .changed where !event.alterations.isEmpty:
      fields(move: "a move", archiving: "the archiving", unarchiving: Self.unarchiving)
    case .corrected: event.change == 0 ? "a correction" : "a correction of \(signed)"
    case .noted: note()
    case .renewed, .lapped: noun
    case let kind?: kind.noun.map { event.change == 0 || kind.effect == .none ? $0 : "\($0) \(signed)" } ?? what
    case nil: what
    }
  }

  /// The change that an undo or a redo concerns.
  private var takeback: String {
    let isUndo = event.knownKind == .undone
    let change = event.change == .min ? .max : -event.change
    let origin = isUnclearWithoutOrigin ? origin.map { EventLine($0) } : nil
    let isOfLate = origin?.isLate == true
    let isSilent = event.change == 0 && event.alterations.isEmpty
    // Their amounts alone read like counts.
    let corrected = self.origin.map { EventLine($0) }.flatMap {
      !$0.isLate && [.corrected, .renewed].contains($0.knownKind) ? $0.brief : nil
    }
    return [
      isUndo ? "undid" : "redid",
      event.change == 0 || isOfLate ? nil : corrected ?? (isUndo ? signed(change) : signed),
      event.alterations.isEmpty
        ? nil
        : fields(isReversed: isUndo, move: "a move", archiving: "the archiving", unarchiving: Self.unarchiving),
      isSilent || isOfLate ? origin?.noun : nil,
      self.origin.map { EventLine($0).when(in: self) }.flatMap { $0.isEmpty ? nil : String($0.dropFirst()) },
      event.undoes.map { isSilent && isUnclearWithoutOrigin && origin == nil ? "event \($0)" : "(event \($0))" },
    ].compactMap(\.self).joined(separator: " ")
  }

  /// Whether the line states the event that was undone or redone, or its time.
  var needsOrigin: Bool { event.undoes != nil && event.change != 0 || isUnclearWithoutOrigin }

  /// Whether the event is an undo or a redo that is unclear without its origin: the event does not state it, and its
  /// change is 0 or may belong to the event that closed an ended period again.
  var isUnclearWithoutOrigin: Bool {
    [.undone, .redone].contains(event.knownKind) && event.undoes != nil
      && (event.change == 0 || event.batch != nil || event.unit == .time) && event.alterations.isEmpty
      && event.about == nil
  }

  /// The event, for a sentence about its undo: `the start`.
  private var noun: String {
    isLate ? "the closing of the previous period" : event.knownKind?.noun ?? brief
  }

  /// Whether only the archived state has changed.
  private var isMove: Bool {
    let fields = event.alterations.map(\.field)
    return !fields.isEmpty && fields.allSatisfy { $0 == Field.archived.rawValue }
  }

  /// The note about another event, with its text.
  private var noted: String {
    let texts = noteTexts
    let place = "note on event \(event.about ?? 0)"
    if let text = texts.after { return "\(place): \(text.printableLine)" }
    return texts.before == nil ? "no \(place)" : "\(place) removed"
  }

  /// The texts of the note before and after the event; `nil` for none.
  var noteTexts: (before: String?, after: String?) {
    let change = event.alterations.first { $0.field == Field.note.rawValue }
    func text(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    return (text(change?.before), text(change?.after))
  }

  /// The change to a note that an undo or a redo concerns.
  ///
  /// - Parameter isReversed: whether the event is an undo, which is described by the change that it undid.
  private func note(isReversed: Bool = false) -> String {
    let texts = noteTexts
    let (before, after) = isReversed ? (texts.after, texts.before) : texts
    let change = before == nil ? "" : after == nil ? "removal of the " : "change of the "
    return "the \(change)note on event \(event.about ?? 0)"
  }

  /// Whether the event subtracts a count of a period that had ended.
  var isLate: Bool { event.knownKind == .renewed && event.began == nil && event.change != 0 }

  /// Whether a person may have entered the event's time, such as `--at 14:05`. The clock also gives microseconds.
  /// Events of a clock that was set back are out of order, too.
  private var isEntered: Bool { !isOfClock && event.time.isMultiple(of: 1_000_000) }

  /// Whether the event was made by a gesture, which may have waited for the core. The device of an import is its file,
  /// and its gesture a day.
  private var isGesture: Bool {
    event.cause.producer != Cause.importer && (event.cause.gesture != nil || event.cause.device != nil)
  }

  /// Whether the event follows from the clock: the end of a period, or a period that continues.
  private var isOfClock: Bool {
    event.knownKind == .renewed
      || event.knownKind == .changed && (event.began != nil || event.alterations.isEmpty)
        && event.cause.producer == "tallyd"
  }

  private var signed: String { signed(event.change) }

  /// A change with its sign; “+0” for none.
  private func signed(_ change: Int64) -> String { (change < 0 ? "" : "+") + format.text(change) }

  /// Remarks about a count.
  var remarks: String {
    var remarks = isLate ? ", counted for the previous period" : ""
    if event.standing != nil, let end = event.until {
      remarks += ", in the period until \(LocalTime.minute(end))"
    }
    if let boundary = event.boundary {
      remarks += ", \(boundary == event.value ? "reached" : "passed") \(format.text(boundary))"
    }
    if event.isReached { remarks += ", reached the target" }
    if event.isLimited { remarks += ", stopped at the limit" }
    return remarks
  }

  /// The changed settings: "title A → B, group → kids".
  ///
  /// - Parameters:
  ///   - isReversed: whether the event is an undo, which is described by the change that it undid.
  ///   - move: the words for a new position.
  ///   - archiving: the words for a move into the archive.
  ///   - unarchiving: the words for a move out of the archive.
  private func fields(
    isReversed: Bool = false, move: String = "its place", archiving: String = "archived",
    unarchiving: String = "taken out of the archive"
  ) -> String {
    let changes = event.alterations.map { alteration in
      let before = isReversed ? alteration.after : alteration.before
      let after = isReversed ? alteration.before : alteration.after
      if alteration.field == Field.archived.rawValue {
        return (after ?? "0") == "0" ? unarchiving : archiving
      }
      // A position is a number without a meaning for users.
      guard alteration.field != Field.order.rawValue else { return move }
      return [
        word(for: alteration), text(before, of: alteration) ?? "", "→", text(after, of: alteration) ?? "none",
      ]
      .filter { !$0.isEmpty }.joined(separator: " ")
    }
    return changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
  }

  private static let unarchiving = "the return from the archive"

  /// The state that the undo of a change restored, as the text after the name: ` is “a + 1” again`, `: title is T
  /// again`, ` is archived again`; `nil` if the event changed something else.
  var restored: String? {
    let alterations = event.alterations
    if isMove { return alterations.first?.after == "1" ? " is archived again" : " is out of the archive again" }
    if let only = alterations.first, alterations.count == 1, only.field == Field.formula.rawValue {
      return only.after.map { " is “\($0.printableLine)” again" }
    }
    return settings.map { ": \($0) again" }
  }

  /// The name that a rename gave; `nil` for an event that changed something else.
  var newName: String? {
    let title = event.alterations.first { $0.field == Field.title.rawValue }?.after
    guard event.knownKind == .changed,
      let name = event.alterations.first(where: { $0.field == Field.name.rawValue })?.after,
      event.alterations.count == (title == nil ? 1 : 2), title == nil || title == name
    else { return nil }
    return name.printableLine
  }

  /// The changed settings with their new values: `period is daily 04:00, no colour`; `nil` if there are none.
  var settings: String? {
    let changes = event.alterations.filter {
      ![Field.archived.rawValue, Field.order.rawValue].contains($0.field)
    }
    let texts = changes.map { change in
      text(change.after, of: change).map { "\(word(for: change)) is \($0)" } ?? "no \(word(for: change))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// The name of a setting in the command line; for a setting that is unknown here, its name in the interface.
  private func word(for alteration: Counters.Alteration) -> String {
    Field(rawValue: alteration.field)?.option ?? alteration.field
  }

  /// A value of a setting: amounts in the counter's unit; `nil` for an empty one.
  private func text(_ value: String?, of alteration: Counters.Alteration) -> String? {
    let field = Field(rawValue: alteration.field)
    return switch field?.kind {
    case .amount: value.flatMap { Int64($0) }.map { format.text($0) } ?? value
    case .flag: value == "1" ? "yes" : nil
    case .words: value.flatMap { $0.isEmpty ? nil : $0.replacing(" ", with: ", ").printableLine }
    default: value.flatMap { $0.isEmpty ? nil : field == .icon ? $0.printableIcon : $0.printableLine }
    }
  }

  /// The cause as text.
  var who: String {
    let cause = event.cause
    switch (cause.gesture, cause.device) {
    case (_, let file) where cause.producer == Cause.importer:
      return cause.producer + (file.map { " of \($0)" } ?? "")
    case (let gesture?, let device?): return "\(gesture) on \(device)"
    case (let gesture?, nil): return "\(gesture), \(cause.producer)"
    case (nil, let device?): return device
    case (nil, nil): return cause.producer
    }
  }
}

extension String {
  /// The text as the start of a sentence. The name of a counter keeps its small letter.
  var capitalisedStart: String {
    switch self {
    case let text where text.hasPrefix("the "): "T" + dropFirst()
    case "all counters": "All counters"
    default: self
    }
  }
}
