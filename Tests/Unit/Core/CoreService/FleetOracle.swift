import Counting

@testable import CoreService
@testable import Fleet
@testable import Journal

/// What every driver of a station was told: the acts of all stations.
struct FleetOracle {
  enum Act {
    case count(Int64)
    /// `rows` are the writers of its rows, and `base` is the reset that it builds on.
    case reset(seen: Set<Int>, rows: Set<WriterID>, base: Int?)
    case undo(reset: Int)
  }

  private(set) var acts: [Act] = []
  private var writers: [WriterID?] = []
  private var resets: [Entry: Int] = [:]
  /// What each act adds to the totals, at the time of its count.
  private var effects: [(time: Int64, totals: Totals)?] = []

  /// Adds the act that an event of a station was.
  mutating func note(_ event: Event, at station: FleetTestStation) {
    guard event.presence == .unchanged, event.kind != .learned, event.counter == station.counter()?.id else { return }
    switch event.kind {
    case .added, .subtracted: add(.count(event.change), event, station)
    case .reset: add(reset(seen: counts(in: station.known.totals), event, station), event, station)
    case .undone, .redone:
      guard let former = event.undoes.flatMap({ station.acts[$0] }) else {
        return add(.count(event.change), event, station)
      }
      switch acts[former] {
      case .count: add(.count(event.change), event, station)
      case .reset: add(.undo(reset: former), event, station)
      case .undo(let reset):
        if case .reset(let seen, _, _) = acts[reset] { add(self.reset(seen: seen, event, station), event, station) }
      }
    default: if event.change != 0 { add(.count(event.change), event, station) }
    }
  }

  /// A reset that a station has just made.
  private func reset(seen: Set<Int>, _ event: Event, _ station: FleetTestStation) -> Act {
    let made = entry(of: event, at: station).flatMap { entry in
      station.fleet.member.station.knowledge.periods.lazy.compactMap { period in
        station.fleet.member.station.knowledge[period].resets[entry]
      }.first
    }
    return .reset(
      seen: seen, rows: Set(made?.seen.keys ?? [:].keys), base: made?.base.flatMap { resets[$0] })
  }

  private func entry(of event: Event, at station: FleetTestStation) -> Entry? {
    station.fleet.member.station.writer.map { Entry(writer: $0, number: event.sequence) }
  }

  mutating func add(_ act: Act, _ event: Event?, _ station: FleetTestStation) {
    acts.append(act)
    effects.append(event.flatMap { effect(of: $0, at: station) })
    writers.append(station.fleet.member.station.writer)
    station.known.insert(acts.count - 1)
    guard let event else { return }
    station.acts[event.sequence] = acts.count - 1
    if case .reset = act, let entry = entry(of: event, at: station) { resets[entry] = acts.count - 1 }
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
      if case .reset(let seen, _, let base) = acts[act], isWhole(base, in: known) { gone.formUnion(seen) }
    }
    return known.subtracting(gone).reduce(0) { sum, act in
      if case .count(let change) = acts[act] { sum + change } else { sum }
    }
  }

  /// Whether those who know some acts know a reset that another one builds on, and all that it builds on.
  private func isWhole(_ base: Int?, in known: Set<Int>) -> Bool {
    var next = base
    while let reset = next {
      guard known.contains(reset), case .reset(_, _, let base) = acts[reset] else { return false }
      next = base
    }
    return true
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
      case .reset(let seen, let rows, _):
        told.insert(act)
        told.formUnion(seen.filter { writers[$0].map(rows.contains) == true })
      }
    }
    return KnownActs(totals: told, quarters: station.known.quarters)
  }
}
