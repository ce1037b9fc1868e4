import Counting

@testable import CounterService
@testable import CounterStore
@testable import Fleet

/// What every driver of a station was told: the acts of all stations.
struct FleetOracle {
  enum Act {
    case count(Int64)
    case reset(seen: Set<Int>)
    case undo(reset: Int)
  }

  private(set) var acts: [Act] = []
  private var writers: [WriterID?] = []
  /// What each act adds to the totals, at the time of its count.
  private var effects: [(time: Int64, totals: Totals)?] = []

  /// Adds the act that an event of a station was.
  mutating func note(_ event: Event, at station: FleetTestStation) {
    guard event.presence == .unchanged, event.kind != .learned, event.counter == station.counter()?.id else { return }
    switch event.kind {
    case .added, .subtracted: add(.count(event.change), event, station)
    case .reset: add(.reset(seen: counts(in: station.known.totals)), event, station)
    case .undone, .redone:
      guard let former = event.undoes.flatMap({ station.acts[$0] }) else {
        return add(.count(event.change), event, station)
      }
      switch acts[former] {
      case .count: add(.count(event.change), event, station)
      case .reset: add(.undo(reset: former), event, station)
      case .undo(let reset): add(acts[reset], event, station)
      }
    default: if event.change != 0 { add(.count(event.change), event, station) }
    }
  }

  mutating func add(_ act: Act, _ event: Event?, _ station: FleetTestStation) {
    acts.append(act)
    effects.append(event.flatMap { effect(of: $0, at: station) })
    writers.append(station.fleet.member.station.writer)
    station.known.insert(acts.count - 1)
    if let event { station.acts[event.sequence] = acts.count - 1 }
  }

  private func effect(of event: Event, at station: FleetTestStation) -> (time: Int64, totals: Totals)? {
    switch event.kind {
    case .added: return (event.time, Totals(counts: 1, added: event.change))
    case .subtracted: return (event.time, Totals(counts: 1, subtracted: -event.change))
    default:
      guard let former = event.undoes.flatMap({ station.acts[$0] }), let (time, totals) = effects[former] else {
        return nil
      }
      return (time, Totals(counts: -totals.counts, added: -totals.added, subtracted: -totals.subtracted))
    }
  }

  /// The totals of quarter hours for those who know some acts.
  func totals(of known: Set<Int>, between bounds: [Int64]) -> [Totals] {
    zip(bounds, bounds.dropFirst()).map { start, end in
      known.reduce(into: Totals()) { sum, act in
        if let (time, totals) = effects[act], start..<end ~= time { sum.include(totals) }
      }
    }
  }

  private func counts(in known: Set<Int>) -> Set<Int> {
    known.filter { if case .count = acts[$0] { true } else { false } }
  }

  /// The total of those who know some acts.
  func total(of known: Set<Int>) -> Int64 {
    var (undone, gone): (Set<Int>, Set<Int>) = ([], [])
    for act in known {
      if case .undo(let reset) = acts[act] { undone.insert(reset) }
    }
    for act in known where !undone.contains(act) {
      if case .reset(let seen) = acts[act] { gone.formUnion(seen) }
    }
    return known.subtracting(gone).reduce(0) { sum, act in
      if case .count(let change) = acts[act] { sum + change } else { sum }
    }
  }

  /// What the retained messages of a station tell: its own acts. They come together with all of its history.
  func announced(by station: FleetTestStation) -> KnownActs {
    let own = station.fleet.member.station.writers
    var told: Set<Int> = []
    for act in station.known.totals {
      switch acts[act] {
      case .undo(let reset): if writers[reset].map(own.contains) == true { told.insert(act) }
      case _ where writers[act].map(own.contains) != true: break
      case .count: told.insert(act)
      case .reset(let seen):
        told.insert(act)
        told.formUnion(seen)
      }
    }
    return KnownActs(totals: told, quarters: station.known.quarters)
  }
}
