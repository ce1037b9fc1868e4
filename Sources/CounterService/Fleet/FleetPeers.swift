import CountersAPI
import Counting
import Fleet
import Platform
import Varlink

/// What the other stations have told about themselves. Kept in memory only: it is told again.
struct FleetPeers {
  private(set) var stations: [String: Peer] = [:]
  private(set) var offers: [CounterID: Offer] = [:]
  /// Problems that have no end.
  private var lasting: [String] = []
  /// Names of several stations, with the IDs of these.
  private var clashes: [String: Clash] = [:]
  /// The problems that were told already.
  private var told: Set<String> = []
  private var log = FleetLog()

  static let mostStations = 1024
  private static let mostProblems = 20
  private static let mostTold = 1000

  private struct Clash {
    var ids: Set<String>
    let text: String
  }

  /// The present problems, as sentences: those that have no end, then the clashes of names.
  var problems: [String] { lasting + clashes.sorted { $0.key < $1.key }.map(\.value.text) }

  struct Peer {
    var id = ""
    var version: String?
    var isOnline: Bool?
    /// How far its clock is ahead, in microseconds.
    var clock: Int64?
    /// Microseconds since 1970.
    var lastSeen: Int64?
    /// The writers that it says are its own. Copies of a card share those from before the copy.
    private(set) var writers: Set<WriterID> = []
    /// The last writer that it said it counts as.
    fileprivate(set) var writer: WriterID?
    /// The last entry of each writer of this core that it has reported.
    var heard: [CounterID: [WriterID: Int64]] = [:]
    /// The writers that it has been, the present one last.
    private var sequence: [WriterID] = []

    private static let longestSequence = 16

    /// Notes the writer that reports now.
    ///
    /// - Returns: the writer before it, if this one had reported earlier: a station closes a writer for good, so these are
    ///   two machines, one with a copy of the other's disk.
    mutating func become(_ writer: WriterID) -> WriterID? {
      let former = sequence.last
      guard former != writer else { return nil }
      let isBack = sequence.contains(writer)
      sequence.removeAll { $0 == writer }
      sequence = sequence.suffix(Self.longestSequence - 1) + [writer]
      return isBack ? former : nil
    }

    /// The station says that writers are its own; does nothing beyond the bound.
    mutating func claim(_ claimed: Set<WriterID>) {
      if writers.count < Knowledge.maximumRows { writers.formUnion(claimed) }
    }
  }

  /// A counter that a station shares.
  struct Offer {
    let id: CounterID
    let name: String
    let decimals: Int64
    /// Settings for a counter that is made here.
    let settings: Settings
    let station: String

    var title: String { settings[.title]?.text ?? name }
  }

  /// Changes what is known of a station; does nothing beyond the bound.
  mutating func change(_ name: String, _ body: (inout Peer) -> Void) {
    guard stations[name] != nil || stations.count < Self.mostStations else { return }
    body(&stations[name, default: Peer()])
  }

  /// A station counts as a writer, and no other station does: one that did has another name now.
  mutating func claim(_ writer: WriterID, by name: String) {
    for (other, peer) in stations where other != name && peer.writer == writer { stations[other]?.writer = nil }
    change(name) { peer in
      peer.claim([writer])
      peer.writer = writer
    }
  }

  /// The writers of each station, each of which counts for one station only: for the one that counts as it, or else for
  /// the first one by name that claims it, those that are online before the others.
  ///
  /// - Parameter own: the writers of this core, which no other station has.
  func writers(except own: Set<WriterID>) -> [String: Set<WriterID>] {
    let sorted = stations.sorted { one, other in
      (one.value.isOnline == true ? 0 : 1, one.key) < (other.value.isOnline == true ? 0 : 1, other.key)
    }
    let present = sorted.compactMap { name, peer in peer.writer.map { ($0, name) } }
    let claimed = sorted.flatMap { name, peer in peer.writers.map { ($0, name) } }
    let owners = Dictionary(present + claimed) { first, _ in first }
    return owners.reduce(into: [:]) { writers, owner in
      if !own.contains(owner.key) { writers[owner.value, default: []].insert(owner.key) }
    }
  }

  mutating func forget(_ name: String) {
    stations[name] = nil
    offers = offers.filter { $0.value.station != name }
  }

  mutating func learn(_ offer: Offer) {
    guard offers[offer.id] != nil || offers.count < Knowledge.maximumCounters else { return }
    // The first station that still offers it decides its form.
    if offers[offer.id].map({ $0.station == offer.station }) ?? true { offers[offer.id] = offer }
  }

  mutating func withdraw(_ id: CounterID, by station: String) {
    if offers[id]?.station == station { offers[id] = nil }
  }

  /// The offer with a name or an ID.
  func offer(named name: String, except adopted: Set<CounterID>) throws(CountingError) -> Offer {
    if let id = CounterID(name), let offer = offers[id] {
      guard !adopted.contains(id) else { throw .badSetting("name", reason: "this counter is adopted already") }
      return offer
    }
    let found = offers.values.filter { $0.name == name && !adopted.contains($0.id) }
    guard let offer = found.first else {
      throw .badSetting(
        "name", reason: "no other station offers a counter “\(name.shortened)” that is not adopted here")
    }
    guard found.count == 1 else {
      let ids = found.map { "\($0.id) of \($0.station)" }.sorted().joined(separator: ", ")
      throw .badSetting("name", reason: "several counters are called “\(name.shortened)”; name one by its ID: \(ids)")
    }
    return offer
  }

  // MARK: Problems

  /// Notes that several stations have one name; returns the sentence.
  mutating func clash(over name: String, between ids: Set<String>, isOwn: Bool) -> String {
    let text =
      isOwn
      ? "Another station is called “\(name)”, too. Give one of them another name: tally fleet join"
      : "Two stations are called “\(name)”. Give one of them another name: tally fleet join"
    if clashes[name] != nil || clashes.count < Self.mostProblems {
      var clash = clashes[name] ?? Clash(ids: [], text: text)
      if clash.ids.count < Self.mostStations { clash.ids.formUnion(ids) }
      clashes[name] = clash
    }
    return text
  }

  /// A station of this name has left or has another name now. If several are left, they will say so.
  mutating func endClash(over name: String) { clashes[name] = nil }

  /// A station has this name now, and no other.
  mutating func endClash(of id: String, calledNow name: String) {
    for (other, var clash) in clashes where other != name && clash.ids.remove(id) != nil {
      clashes[other] = clash.ids.count > 1 ? clash : nil
    }
  }

  /// Notes a problem that a person must know of.
  ///
  /// - Parameter isKept: whether it is shown from now on.
  /// - Returns: the sentence for the log, unless it was told before, or too many were told just now.
  mutating func note(
    _ problem: String, about subject: String, isKept: Bool = true, at now: Int64 = Clock.boottime()
  ) -> String? {
    let key = "\(subject)\n\(problem)"
    guard !told.contains(key), let line = log.admit(problem, at: now) else { return nil }
    if told.count >= Self.mostTold { told.removeAll() }
    told.insert(key)
    let problem = problem.printableLine
    guard isKept, !lasting.contains(problem) else { return line }
    lasting.append(problem)
    if lasting.count > Self.mostProblems { lasting.removeFirst() }
    return line
  }
}
