public import CoreAPI

/// Changes of a counter, or of formulas alone, for one message to pages.
public struct PendingChange: Sendable, Equatable {
  /// The last events, oldest first, as many as pages show.
  public private(set) var events: [Counters.Event]
  /// The counter after these events.
  public private(set) var counter: Counters.Counter?
  /// The IDs of the formulas that changed. A message states their values at the time when it is sent: values stored
  /// here could be older than those in a message about another counter.
  public private(set) var formulas: Set<Int64>
  /// The number of changes.
  public private(set) var count = 1

  public init(_ reply: Counters.WatchReply) {
    events = [reply.event].compactMap(\.self)
    counter = reply.counter
    formulas = Set(reply.formulas.map(\.id))
  }

  /// These changes and a later one of the same counter.
  public func followed(by later: PendingChange) -> PendingChange {
    var all = later
    all.events = (events + later.events).suffix(BoardState.eventsShown)
    all.formulas.formUnion(formulas)
    all.count += count
    return all
  }
}
