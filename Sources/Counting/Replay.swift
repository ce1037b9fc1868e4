/// Replays recorded events and checks that each one fits the state before it: for imports, and to verify a journal.
///
/// Adds the facts that events of earlier versions lack: the name and the initial fields of an entity in its first
/// event, and that an undo made its counter the current one again.
public struct Replay: Sendable {
  /// Removed entities in the state before removal, for an undo.
  private var removed: [Counter.ID: Entity] = [:]
  /// Events after which a counter was no longer the current one.
  private var handedOver: Set<Int64> = []
  /// Entities in their initial state.
  private let beginnings: [Counter.ID: Entity]

  /// - Parameter beginnings: the initial states of entities, needed only if their first events do not state their
  ///   names.
  public init(beginnings: [Counter.ID: Entity] = [:]) { self.beginnings = beginnings }

  /// Applies the next event to `ledger`.
  ///
  /// - Returns: the event with the missing facts added.
  /// - Throws: ``EventFault`` if the event is not valid; then nothing has changed.
  @discardableResult
  public mutating func replay(_ event: Event, on ledger: inout Ledger) throws(EventFault) -> Event {
    var event = completed(event)
    if event.subject == .counter, let undone = event.undoes, handedOver.contains(undone) {
      event.marks.insert(.becameCurrent)
    }
    let former = removed[event.counter]
    try ledger.check(event, reviving: former)
    if event.presence == .disappeared { removed[event.counter] = ledger.entity(event.subject, event.counter) }
    if event.marks.contains(.wasCurrent) { handedOver.insert(event.sequence) }
    ledger.apply(event, reviving: former)
    return event
  }

  /// A removed entity in the state before removal. It may exist again.
  public func removedEntity(_ id: Counter.ID) -> Entity? { removed[id] }

  /// Adds the facts to the event that journals of earlier versions do not state.
  public func completed(_ event: Event) -> Event {
    guard let beginning = beginnings[event.counter], event.about == nil else { return event }
    var event = event
    if event.kind == .created, event[.name] == nil {
      event.alterations = beginning.alterations
      event.marks.insert(.altered)
    } else if event.kind == .reset, event[.began] == nil, event.subject == .counter {
      event.alterations.append(Alteration(.began, from: .none, to: .integer(event.time)))
      event.marks.insert(.altered)
    }
    return event
  }
}

/// An event that is not valid after the events before it.
public struct EventFault: Error, Equatable, Sendable {
  public let sequence: Int64
  /// The reason, to follow a colon.
  public let reason: String

  public init(sequence: Int64, reason: String) { (self.sequence, self.reason) = (sequence, reason) }

  public var message: String { "Event \(sequence) does not fit the events before it: \(reason)." }
}
