import Calendars

/// Checks recorded events. Events that ``Ledger/perform(_:at:cause:)`` returns are always valid.
extension Ledger {
  /// Checks that `event` can be applied next.
  ///
  /// - Parameter removed: the entity with the ID of the event's entity in its state before the removal, if it was
  ///   removed.
  /// - Throws: ``EventFault`` with the first reason against it.
  func check(_ event: Event, reviving removed: Entity?) throws(EventFault) {
    if let reason = fault(of: event, removed) { throw EventFault(sequence: event.sequence, reason: reason) }
  }

  private func fault(of event: Event, _ removed: Entity?) -> String? {
    guard event.sequence == lastSequence &+ 1 else { return "event \(lastSequence &+ 1) is expected" }
    guard Event.times ~= event.time else { return "its time is not between the years 1970 and 9999" }
    for earlier in [event.undoes, event.about, event.batch] {
      if let earlier, !(1...event.sequence ~= earlier) {
        return "it refers to event \(earlier), which is not an earlier event"
      }
    }
    if event.undoes == event.sequence || event.about == event.sequence { return "it refers to itself" }
    if event.about != nil {
      let isTakeback = event.kind == .undone || event.kind == .redone
      guard isTakeback ? event.undoes != nil : event.kind == .noted && event.undoes == nil else {
        return "a note cannot be “\(event.kind.rawValue)”"
      }
      let isNote = event.alterations.allSatisfy { $0.field == .note } && event.presence == .unchanged
      return isNote && event.change == 0 ? nil : "a note changes nothing else"
    }
    if let reason = faultOfPresence(event) { return reason }
    // The common case.
    if event.subject == .counter, event.presence == .unchanged, event.alterations.isEmpty {
      guard let counter = self[event.counter] else { return "there is no counter \(event.counter.number)" }
      return faultOfValue(event, before: counter.value)
    }
    return faultOfEntity(event, removed)
  }

  private func faultOfPresence(_ event: Event) -> String? {
    let expected: [Event.Presence]
    switch event.kind {
    case .created: expected = [.appeared]
    case .removed: expected = [.disappeared]
    case .noted: return "it is a note about no event"
    case .undone, .redone: expected = [.appeared, .disappeared, .unchanged]
    default: expected = [.unchanged]
    }
    guard expected.contains(event.presence), event.subject != .all || event.presence == .unchanged else {
      return "\(event.kind.rawValue) cannot make or remove anything"
    }
    let isTakeback = event.kind == .undone || event.kind == .redone
    return isTakeback == (event.undoes != nil) ? nil : "\(event.kind.rawValue) and what it takes back contradict"
  }

  private func faultOfValue(_ event: Event, before: Int64) -> String? {
    before.addingReportingOverflow(event.change) == (event.value, false)
      ? nil : "\(before) changed by \(event.change) is not \(event.value)"
  }

  private func faultOfEntity(_ event: Event, _ removed: Entity?) -> String? {
    if event.subject == .all {
      return event.alterations.isEmpty ? nil : "it changes settings, but concerns no counter, group or formula"
    }
    let number = event.counter.number
    let present = entity(event.subject, event.counter)
    switch event.presence {
    case .appeared:
      guard number > 0, entity(.counter, event.counter) == nil, entity(.group, event.counter) == nil,
        entity(.formula, event.counter) == nil
      else { return "number \(number) is in use" }
      // Removed entities keep their rows.
      guard event.kind != .created || removed == nil else { return "number \(number) was in use" }
      guard event.change == 0 else { return "it changes the value" }
      guard event.kind != .created else {
        guard event[.name] != nil else { return "it states no name" }
        return faultOfName(event.createdName, event.subject) ?? faultOfFields(event, before: nil)
      }
      guard let removed, removed.subject == event.subject else { return "what it brings back was never removed" }
      if case .counter(let counter) = removed, counter.value != event.value {
        return "\(counter.value) changed by 0 is not \(event.value)"
      }
      return event.alterations.isEmpty ? faultOfName(removed.name, event.subject) : "it changes settings as well"
    case .disappeared, .unchanged:
      guard let present else { return "there is no \(event.subject.rawValue) \(number)" }
      if case .counter(let counter) = present, let reason = faultOfValue(event, before: counter.value) {
        return reason
      }
      guard event.presence == .unchanged else {
        return event.alterations.isEmpty ? nil : "it changes settings as well"
      }
      if let name = event[.name]?.text.map(CounterName.init(trusted:)), name != present.name,
        let reason = faultOfName(name, event.subject)
      {
        return reason
      }
      return faultOfFields(event, before: present)
    }
  }

  private func faultOfName(_ name: CounterName, _ subject: Event.Subject) -> String? {
    guard isFree(name, for: subject) else { return "the name “\(name.text.shortened)” is in use" }
    do throws(CountingError) { _ = try CounterName(name.text) } catch { return error.message.trimmedAsReason }
    return nil
  }

  /// - Parameter before: the entity that the event changes; `nil` if the event creates it.
  private func faultOfFields(_ event: Event, before: Entity?) -> String? {
    var seen: Set<Field> = []
    for alteration in event.alterations {
      let (field, after) = (alteration.field, alteration.after)
      guard seen.insert(field).inserted else { return "it changes “\(field.rawValue)” twice" }
      guard field.belongs(to: event.subject) else { return "a \(event.subject.rawValue) has no “\(field.rawValue)”" }
      if let before, before[field] != alteration.before {
        return "“\(field.rawValue)” was something else before"
      }
      guard field.isPlausible(after) else { return "“\(field.rawValue)” cannot be that" }
      if field == .group, let group = after.integer, groupRegistry[.init(group)] == nil {
        return "there is no group \(group)"
      }
    }
    return nil
  }
}

extension Field {
  func belongs(to subject: Event.Subject) -> Bool {
    switch subject {
    case .counter: isOfCounters
    case .group: isOfGroups
    case .formula: isOfFormulas
    case .all: false
    }
  }

  /// Whether the rules allow a recorded value.
  func isPlausible(_ value: Value) -> Bool {
    switch self {
    case .group: return value == .none || value.integer.map { $0 > 0 } ?? false
    case .period: return value == .none || value.text.flatMap(Schedule.init) != nil
    case .began, .reachedAt, .since, .renewsAt: return value == .none || value.integer.map { $0 >= 0 } ?? false
    case .minimum, .maximum, .target, .boottime: return value == .none || value.integer != nil
    case .start, .lapped: return value.integer != nil
    case .archived: return value == .integer(0) || value == .integer(1)
    case .step: return value.integer.map { $0 >= 1 } ?? false
    case .boot: return value == .none || value.text.map { $0.utf8.count <= 128 } ?? false
    default: return (try? checked(value, for: nil)) != nil
    }
  }
}

extension String {
  /// The sentence without its full stop, for use as a reason.
  fileprivate var trimmedAsReason: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// Replays recorded events and checks that each one fits the state before it: for imports, and to verify a journal.
public struct Replay: Sendable {
  /// Removed entities in the state before removal, for an undo.
  private var removed: [Counter.ID: Entity] = [:]

  public init() {}

  /// Applies the next event to `ledger`.
  ///
  /// - Throws: ``EventFault`` if the event is not valid; then nothing has changed.
  public mutating func replay(_ event: Event, on ledger: inout Ledger) throws(EventFault) {
    let former = removed[event.counter]
    try ledger.check(event, reviving: former)
    if event.presence == .disappeared { removed[event.counter] = ledger.entity(event.subject, event.counter) }
    ledger.apply(event, reviving: former)
  }

  /// A removed entity in its state before the removal. An entity with its ID may exist again.
  public func removedEntity(_ id: Counter.ID) -> Entity? { removed[id] }
}

/// An event that is not valid after the events before it.
public struct EventFault: Error, Equatable, Sendable {
  public let sequence: Int64
  /// The reason, as the text after a colon.
  public let reason: String

  public init(sequence: Int64, reason: String) { (self.sequence, self.reason) = (sequence, reason) }

  public var message: String { "Event \(sequence) does not fit the events before it: \(reason)." }
}
