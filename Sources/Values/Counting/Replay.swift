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
