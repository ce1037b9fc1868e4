import Counting
import Fleet
import Journal

/// Turns the events of shared counters into acts.
extension FleetService {
  /// Turns the events of a change into acts. The ledger has the state after them.
  func note(_ events: [Event]) throws(StoreError) {
    guard isMember, !member.counters.isEmpty else { return }
    for (index, event) in events.enumerated() where event.subject == .counter && event.about == nil {
      guard let id = member.counters[event.counter] else { continue }
      guard let counter = core.ledger[event.counter] else { continue }
      let closing = index + 1 < events.count ? events[index + 1] : nil
      let isLate = closing.map { $0.closesEndedPeriod && $0.counter == event.counter } ?? false
      var end = isLate ? closing?.time : nil
      if let taken = event.undoes, end == nil {
        // The undo of a late count also undoes the event that closed the count's period again.
        switch try core.store.lateOrigin(of: taken) {
        case .closing: continue
        case .count(let time): end = time
        case .other: break
        }
      }
      let start = end.map { core.ledger.start(of: counter, endingAt: $0) } ?? core.ledger.periodStart(of: counter)
      try note(event, of: counter, in: CounterPeriod(id, start: start), isLate: end != nil)
    }
  }

  private func note(_ event: Event, of counter: Counter, in period: CounterPeriod, isLate: Bool) throws(StoreError) {
    if event.alterations.contains(where: \.field.isDefinition) { bridge.definitions.insert(counter.id) }
    switch event.kind {
    case .learned: return
    case .renewed where event.closesEndedPeriod: return
    case _ where event.presence != .unchanged:
      bridge.definitions.insert(counter.id)
      return doubt(counter)
    case .renewed:
      member.announce(period)
      return doubt(counter)
    case .reset:
      member.reset(period, room(of: period.counter), as: event.sequence)
      reset(period.counter, as: event.sequence)
      return doubt(counter)
    case .undone, .redone:
      if try takeBack(event) { return doubt(counter) }
    case .changed where event.marks.contains(.notUndoable):
      // The clock was set, and the counts since belong to another period.
      guard let former = event.alterations.first(where: { $0.field == .renewsAt })?.before.integer else { return }
      let before = CounterPeriod(period.counter, start: core.ledger.start(of: counter, endingAt: former))
      guard before != period else { return }
      let own = Int64(clamping: member.station.own(in: before))
      member.count(own == .min ? .max : -own, in: before, room(of: period.counter), as: event.sequence)
      member.count(own, in: period, room(of: period.counter), as: event.sequence)
      return doubt(counter)
    default: break
    }
    let contribution = try core.store.contribution(of: event)
    member.count(
      event.change, in: period, room(of: period.counter), as: event.sequence, isEntry: contribution != nil)
    if let (quarter, register) = contribution { member.make(register, of: counter.id, in: quarter) }
    guard !isLate, event.change != 0, let own = core.ledger.shares[counter.id] else { return }
    let (sum, overflow) = own.addingReportingOverflow(event.change)
    core.setShare(of: counter.id, to: overflow ? own : sum)
  }

  /// Undoes or redoes a reset of this station; returns whether the event did.
  private func takeBack(_ event: Event) throws(StoreError) -> Bool {
    guard let taken = event.undoes else { return false }
    if let act = try act(of: taken) {
      member.undo(act)
      return true
    }
    // A redo undoes an undo.
    guard let root = try core.store.undone(by: taken), let act = try act(of: root) else { return false }
    member.redo(act, as: event.sequence)
    return true
  }

  private func act(of event: Int64) throws(StoreError) -> FleetChanges.Act? {
    if let act = member.unsaved.acts[event] { return act }
    return try core.store.fleetTables.act(of: event)
  }

  /// Marks the value of a counter for comparison with the total at the next commit.
  private func doubt(_ counter: Counter) {
    if member.stale[counter.id] == nil { member.stale[counter.id] = [] }
    updateShares()
  }
}

extension Field {
  /// Whether changes of the field are published to other stations.
  fileprivate var isDefinition: Bool {
    [.name, .title, .step, .start, .period, .minimum, .maximum, .limits, .target].contains(self)
  }
}
