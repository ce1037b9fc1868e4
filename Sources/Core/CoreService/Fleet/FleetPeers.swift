import Fleet
import Journal

/// The state that other stations have published about themselves. After a start of the core the bridge has the broker
/// send it again; the journal keeps the stations' identities.
struct FleetPeers {
  private(set) var stations: [String: Peer] = [:]
  var offers = FleetOffers()
  /// The number of changes of stations so far.
  private var changes = 0
  /// The stations that claim writers now.
  private(set) var claims: [WriterID: String] = [:]
  /// The number of present claims per station name.
  private var claimCounts: [String: Int] = [:]
  /// The number of changes of claims so far.
  private var changedClaims = 0
  /// For a writer whose last claim was retained and names a station unknown here: the former claimant. That station may
  /// be another one, or it may be an earlier name of the former claimant.
  private var contested: [WriterID: String] = [:]
  /// The number of entries in ``Peer/heard`` of all stations.
  private var heardCount = 0
  /// Whether the stations differ from those in the journal.
  private(set) var isChanged = false
  /// Whether a station in the journal was forgotten.
  private(set) var hasForgotten = false
  /// Writers whose claimant may be missing in the journal.
  private(set) var unsavedClaims: Set<WriterID> = []
  /// Claims saved since the last commit.
  private var uncommittedClaims: Set<WriterID> = []

  static let mostStations = 1024
  /// The maximum number of claimed writers, and of entries that were heard, in all.
  static let mostRows = 131_072

  struct Peer {
    var id = ""
    var version: String?
    var isOnline: Bool?
    /// Whether the station was last heard before the start of the core or before the connection was lost.
    fileprivate(set) var isRemembered = false
    /// The amount by which the station's clock is ahead, in microseconds.
    var clock: Int64?
    /// The time at which the station was last heard, in microseconds since 1970.
    var lastSeen: Int64?
    /// The value of ``FleetPeers/changes`` at the last change of this station.
    fileprivate(set) var changed = 0
    /// The last entry of each writer of this core that the station has reported.
    fileprivate(set) var heard: [CounterID: [WriterID: Int64]] = [:]
    /// The writer that the station counts as.
    var writer: WriterID?
  }

  /// Changes the state of a station. Above the maximum number of stations, another one is forgotten.
  mutating func change(_ name: String, _ body: (inout Peer) -> Void) {
    if stations[name] == nil, stations.count >= Self.mostStations { makeRoom() }
    changes += 1
    var peer = stations[name] ?? Peer()
    let former = peer.id
    body(&peer)
    (peer.changed, peer.isRemembered) = (changes, false)
    stations[name] = peer
    if peer.id != former { isChanged = true }
  }

  /// Marks all stations as possibly offline, because the connection is lost; the next one reports who is online.
  mutating func doubtAll() {
    for name in stations.keys {
      stations[name]?.isRemembered = true
      stations[name]?.isOnline = nil
    }
  }

  /// Forgets a station, preferably one that never published its ID; among equals the one heard longest ago.
  private mutating func makeRoom() {
    func rank(_ peer: Peer) -> (Int, Int) { (peer.id.isEmpty ? 0 : 1, peer.changed) }
    if let (name, _) = stations.min(by: { rank($0.value) < rank($1.value) }) { forget(name) }
  }

  /// Forgets a station. Its claims of writers stay until another station claims the writers.
  mutating func forget(_ name: String) {
    for id in offers.counters(offeredBy: name) { offers.withdraw(id, by: name) }
    guard let peer = stations.removeValue(forKey: name) else { return }
    if !peer.id.isEmpty { (isChanged, hasForgotten) = (true, true) }
    heardCount -= peer.heard.values.reduce(0) { $0 + $1.count }
  }

  /// Records that a station claims writers as its own.
  ///
  /// - Parameters:
  ///   - isLive: whether the claim is new; a retained claim may come from an earlier name of the station.
  ///   - isPresent: whether the station counts as the writer now. Copies also claim the writers from before the copy.
  mutating func claim(_ writers: some Sequence<WriterID>, by name: String, isLive: Bool, isPresent: Bool = false) {
    let isKnown = isLive || stations[name] != nil
    for writer in writers {
      var former = contested[writer]
      if let present = claims[writer], present != name {
        guard
          isPresent
            || (isLive || stations[present]?.isOnline != true) && stations[present]?.writer != writer
        else { continue }
        former = present
        unsavedClaims.insert(writer)
      } else if claims[writer] == nil, claims.count >= Self.mostRows {
        continue
      }
      set(name, as: writer)
      contested[writer] = isKnown ? nil : former
      if isKnown, let former { dropFormerName(former) }
    }
  }

  private mutating func set(_ name: String, as writer: WriterID) {
    let former = claims.updateValue(name, forKey: writer)
    guard former != name else { return }
    changedClaims += 1
    if let former {
      claimCounts[former, default: 0] -= 1
      if claimCounts[former] == 0 { claimCounts[former] = nil }
    }
    claimCounts[name, default: 0] += 1
  }

  /// Forgets a station that is not heard in this connection and whose writers others claim now: it has been renamed.
  private mutating func dropFormerName(_ name: String) {
    if stations[name]?.isRemembered == true, claimCounts[name] == nil { forget(name) }
  }

  /// The station that a writer belongs to, which may be unknown; `nil` if no station claims it.
  ///
  /// - Parameter own: the name of this station.
  func claimant(of writer: WriterID, own: String) -> String? {
    let name = claims[writer]
    guard !contested.isEmpty, name.map({ !isKnown($0, own: own) }) ?? true else { return name }
    return contested[writer]
  }

  /// A number that another one replaces when claimants change; `nil` while they depend on which stations are known.
  var claimVersion: Int? { contested.isEmpty ? changedClaims : nil }

  func isKnown(_ name: String, own: String) -> Bool { name == own || stations[name] != nil }

  // MARK: The journal

  /// Begins with the stations that a journal has.
  init(_ known: [KnownStation] = [], claims: [WriterID: String] = [:]) {
    for station in known {
      var peer = Peer()
      (peer.id, peer.lastSeen, peer.isRemembered) = (station.id, station.seen, true)
      stations[station.name] = peer
    }
    for (writer, name) in claims.prefix(Self.mostRows) { set(name, as: writer) }
  }

  /// The stations for the journal: those with a published ID.
  var known: [KnownStation] {
    stations.compactMap { name, peer in
      peer.id.isEmpty ? nil : KnownStation(name: name, id: peer.id, seen: peer.lastSeen)
    }
  }

  /// Records that the broker holds counts of a station. Without an earlier description, the station has left the fleet.
  mutating func noteCounts(of name: String) {
    if stations[name]?.isRemembered == true { forget(name) }
  }

  mutating func didSaveStations() { (isChanged, hasForgotten) = (false, false) }

  mutating func didSaveClaims() {
    uncommittedClaims.formUnion(unsavedClaims)
    unsavedClaims = []
  }

  mutating func didCommit() { uncommittedClaims = [] }

  /// Marks the claims of writers as unsaved, because the journal has new rows of the writers.
  mutating func saveClaims(of writers: some Sequence<WriterID>) {
    unsavedClaims.formUnion(writers.lazy.filter { [claims] in claims[$0] != nil })
  }

  /// Marks the claims of the last commit as unsaved, because it has failed.
  mutating func saveAgain() {
    isChanged = true
    unsavedClaims.formUnion(uncommittedClaims)
    uncommittedClaims = []
  }

  /// Records that a station has heard a writer of this core up to an entry.
  mutating func hear(_ number: Int64, of writer: WriterID, _ counter: CounterID, by name: String) {
    guard let peer = stations[name] else { return }
    if let former = peer.heard[counter]?[writer] {
      guard number > former else { return }
    } else {
      guard heardCount < Self.mostRows else { return }
      heardCount += 1
    }
    stations[name]?.heard[counter, default: [:]][writer] = number
  }
}
