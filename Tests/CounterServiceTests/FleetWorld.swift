import CountersAPI
import Counting
import Foundation
import Platform
import TestKit
import Testing

@testable import CounterService
@testable import CounterStore
@testable import Fleet

/// A core in a fleet, with the acts that it must know.
final class FleetTestStation {
  let folder: TemporaryFolder
  var boot: String
  private(set) var core: Core?
  private var loop: EventLoop?
  /// The acts that are known here, and those of them that a kill leaves.
  var known: Set<Int> = []
  var durable: Set<Int> = []
  /// The acts of events.
  var acts: [Int64: Int] = [:]

  init(boot: String) throws {
    folder = TemporaryFolder()
    self.boot = boot
    try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: false)
    try start()
  }

  /// A machine that begins with the files of another one.
  init(copyOf image: FleetImage, boot: String) throws {
    folder = TemporaryFolder()
    self.boot = boot
    try FileManager.default.copyItem(atPath: image.folder.path("state"), toPath: folder.path("state"))
    (known, durable, acts) = (image.known, image.known, image.acts)
    try start()
  }

  var fleet: FleetService {
    guard let fleet = core?.fleet else { fatalError("The station does not run.") }
    return fleet
  }

  func start() throws {
    let loop = try EventLoop()
    core = try Core(
      store: try CounterStore(folder: folder.path("state")), loop: loop,
      surroundings: .init(runtime: folder.path("run"), boot: boot))
    self.loop = loop
    // In these tests an answer reaches only the station that asked.
    fleet.talk.patience = 0
  }

  /// The totals of quarter hours.
  func totals(between bounds: [Int64], isOwn: Bool = false) throws -> [Totals] {
    guard let core, let counter = counter() else { return [] }
    try core.store.flush(core.ledger)
    return try core.store.reader.totals(of: [counter.id], between: bounds, now: .init(time: 0, boot: nil), isOwn: isOwn)
      .totals
  }

  /// Ends the core; what was not committed is lost.
  func kill() {
    core?.end()
    (core, loop) = (nil, nil)
    known = durable
  }

  func stop() {
    commit()
    kill()
  }

  /// Commits everything, as the timer does.
  func commit() {
    core?.showLearned(isDue: true)
    core?.settle()
    durable = known
  }

  func reboot() throws {
    kill()
    boot = UUID().uuidString.filter(\.isHexDigit)
    try? FileManager.default.removeItem(atPath: folder.path("run"))
    try start()
  }

  func image() throws -> FleetImage {
    stop()
    defer { try? start() }
    return try FleetImage(of: self)
  }

  /// Puts earlier files back, while the machine runs on.
  func restore(_ image: FleetImage) throws {
    stop()
    try FileManager.default.removeItem(atPath: folder.path("state"))
    try FileManager.default.copyItem(atPath: image.folder.path("state"), toPath: folder.path("state"))
    (known, durable, acts) = (image.known, image.known, image.acts)
    try start()
  }

  func counter(_ name: String = "people") -> Counter? { try? core?.ledger.find(.named(name)) }

  /// Performs a change and returns its events, which are not committed yet.
  func perform(_ verb: Request.Verb, time: Int64 = Clock.microsecondsSince1970()) throws -> [Event] {
    try core?.perform(Request(verb, time: time, cause: Cause(producer: "test"), isAdministrators: true)) ?? []
  }

  func hear(_ publications: [Counters.Publication]) -> [Counters.Publication] {
    fleet.learn(publications).publications
  }

  /// All that the station publishes at a connection.
  func everything() -> [Counters.Publication] {
    commit()
    return fleet.everything()
  }

  /// What the station answers to one that knows nothing: a reset tells registers of other writers, too.
  func history() -> [Counters.Publication] {
    guard let name = fleet.membership?.station else { return [] }
    return fleet.member.counters.values.flatMap { id in
      ((try? core?.store.digests(of: counter()?.id ?? .init(0), most: 1000)) ?? [:]).keys.flatMap { writer in
        fleet.learn(HistoryMessage(id, .wanted([writer: .none], of: name)), from: name)
      }
    }
  }

  /// Everything of `other` reaches this station, and the answers go back and forth.
  func learnAll(from other: FleetTestStation, _ disorder: ([Counters.Publication]) -> [Counters.Publication] = { $0 }) {
    var messages = disorder(other.everything())
    var (hearer, speaker) = (self, other)
    for _ in 0..<20 where !messages.isEmpty {
      messages = disorder(hearer.hear(messages))
      swap(&hearer, &speaker)
    }
    #expect(messages.isEmpty)
    known.formUnion(other.known)
  }
}

/// The files of a station at one moment, with what it knew then.
final class FleetImage {
  let folder = TemporaryFolder()
  let known: Set<Int>
  let acts: [Int64: Int]

  init(of station: FleetTestStation) throws {
    try FileManager.default.copyItem(atPath: station.folder.path("state"), toPath: folder.path("state"))
    (known, acts) = (station.durable, station.acts)
  }
}

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
    case .reset: add(.reset(seen: counts(in: station.known)), event, station)
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

  /// What the retained messages of a station tell.
  func announced(by station: FleetTestStation) -> Set<Int> {
    let own = station.fleet.member.station.writers
    var told: Set<Int> = []
    for act in station.known {
      switch acts[act] {
      case .undo: told.insert(act)
      case _ where writers[act].map(own.contains) != true: break
      case .count: told.insert(act)
      case .reset(let seen):
        told.insert(act)
        told.formUnion(seen)
      }
    }
    return told
  }
}
