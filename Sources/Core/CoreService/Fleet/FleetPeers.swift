import CoreAPI
import Counting
import Fleet
import Journal
import Linux
import Text
import Varlink

/// The state that other stations have published about themselves. After a start of the core the bridge has the broker
/// send it again; the journal keeps the stations' identities.
struct FleetPeers {
  private(set) var stations: [String: Peer] = [:]
  var offers = FleetOffers()
  /// The number of changes of stations so far.
  private var changes = 0
  /// The problems of messages, shown for an hour after the last message with the problem; with the time of that message
  /// in nanoseconds since the boot, the station concerned and the topic.
  private var lasting: [(problem: String, time: Int64, subject: String, topic: String)] = []
  /// The IDs that stations have published under each name, with times in nanoseconds since the boot. For the name of
  /// this station only the IDs of others.
  private var callers: [String: [String: Int64]] = [:]
  /// The names of stations that have counted beside a copy, with times in nanoseconds since the boot.
  private var copies: [String: Int64] = [:]
  /// The stations that claim writers now.
  private(set) var claims: [WriterID: String] = [:]
  /// The number of present claims per station name.
  private var claimCounts: [String: Int] = [:]
  /// For a writer whose last claim was retained and names a station unknown here: the former claimant. That station may
  /// be another one, or it may be an earlier name of the former claimant.
  private var contested: [WriterID: String] = [:]
  /// The number of entries in ``Peer/heard`` of all stations.
  private var heardCount = 0
  /// The problems that were logged already.
  private var told: Set<String> = []
  private var log = FleetLog()
  /// Whether the stations differ from those in the journal.
  private(set) var isChanged = false
  /// Whether a station in the journal was forgotten.
  private(set) var hasForgotten = false
  /// Writers whose claimant may be missing in the journal.
  private(set) var unsavedClaims: Set<WriterID> = []
  /// Claims saved since the last commit.
  private var uncommittedClaims: Set<WriterID> = []

  static let mostStations = 1024
  private static let mostProblems = 20
  private static let mostTold = 1000

  /// The maximum number of claimed writers, and of entries that were heard, in all.
  static let mostRows = 131_072
  /// The time in nanoseconds after which a clash of names ends if one of the stations has not published its name again.
  static let lapse: Int64 = 60_000_000_000
  /// ``lapse`` for copies, which are detected only when both count, possibly at long intervals. Also the time for which
  /// a problem is shown after its last message.
  static let longLapse: Int64 = 3_600_000_000_000
  private static let mostCallers = 8

  /// The present problems, as sentences: those that messages had within an hour, then the clashes of names.
  ///
  /// - Parameter own: the name of this station.
  func problems(_ own: String?, at now: Int64 = Clock.boottime()) -> [String] {
    let clashes = Set(callers.keys).union(copies.keys).filter {
      hasClash(over: $0, isOwn: $0 == own, at: now) || hasCopy($0, at: now)
    }.sorted()
    let recent = lasting.filter { now &- $0.time < Self.longLapse }.map(\.problem)
    return recent + clashes.prefix(Self.mostProblems).map { Self.clash(over: $0, isOwn: $0 == own) }
  }

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
    var writer: WriterID? { sequence.last }
    /// The writers that the station has been, the present one last.
    private var sequence: [WriterID] = []

    private static let longestSequence = 16

    /// Records the writer that reports now.
    ///
    /// - Returns: whether the station had already left this writer for another. A station closes a writer for good, so
    ///   two machines report, one with a copy of the other's disk.
    mutating func become(_ writer: WriterID) -> Bool {
      guard self.writer != writer else { return false }
      let isBack = sequence.contains(writer)
      sequence.removeAll { $0 == writer }
      sequence = sequence.suffix(Self.longestSequence - 1) + [writer]
      return isBack
    }
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
    if let former = claims.updateValue(name, forKey: writer) {
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

  // MARK: Problems

  /// Records that a station has published its ID.
  ///
  /// - Returns: whether several stations have the name, apart from those not heard within ``lapse``.
  mutating func hear(_ id: String, called name: String, isOwn: Bool, at now: Int64 = Clock.boottime()) -> Bool {
    var ids = (callers[name] ?? [:]).filter { now &- $0.value < Self.lapse }
    if callers.count >= Self.mostStations {
      callers = callers.filter { $0.value.contains { now &- $0.value < Self.lapse } }
    }
    guard callers[name] != nil || callers.count < Self.mostStations else { return false }
    if ids[id] != nil || ids.count < Self.mostCallers { ids[id] = now }
    callers[name] = ids
    return hasClash(over: name, isOwn: isOwn, at: now)
  }

  /// Whether several stations have published this name within ``lapse``.
  func hasClash(over name: String, isOwn: Bool, at now: Int64 = Clock.boottime()) -> Bool {
    (callers[name] ?? [:]).count { now &- $0.value < Self.lapse } > (isOwn ? 0 : 1)
  }

  /// Ends a clash of names, because one station has left or was renamed; remaining ones publish the name again.
  ///
  /// - Returns: whether several stations had the name. Then the next clash is logged, too.
  @discardableResult
  mutating func endClash(over name: String, isOwn: Bool, at now: Int64 = Clock.boottime()) -> Bool {
    let hadClash = hasClash(over: name, isOwn: isOwn, at: now) || hasCopy(name, at: now)
    (callers[name], copies[name]) = (nil, nil)
    guard hadClash else { return false }
    for sentence in [Self.clash(over: name, isOwn: isOwn), Self.clashEnded(over: name)] {
      told.remove(Self.key(sentence, about: name))
    }
    return true
  }

  /// Records that a station of this name counts beside a copy of itself with the same ID.
  mutating func noteCopy(of name: String, at now: Int64 = Clock.boottime()) {
    if copies[name] != nil || copies.count < Self.mostStations { copies[name] = now }
  }

  /// Whether a station of this name has counted beside a copy of itself within an hour.
  func hasCopy(_ name: String, at now: Int64 = Clock.boottime()) -> Bool {
    copies[name].map { now &- $0 < Self.longLapse } ?? false
  }

  static func clash(over name: String, isOwn: Bool) -> String {
    isOwn
      ? "Another station is called “\(name)”, too. Give one of them another name: tally fleet join --station NAME"
      : "Two stations are called “\(name)”. Give one of them another name: tally fleet join --station NAME"
  }

  /// Ends the problems of a topic, or of a station, because the broker holds nothing of it any more.
  mutating func endProblems(in topic: String) {
    let station = topic.hasSuffix("/station") ? String(topic.dropLast("/station".count)) : nil
    lasting.removeAll { $0.topic == topic || $0.subject == station }
  }

  static func clashEnded(over name: String) -> String {
    "One of the stations that were called “\(name)” has left or has another name now."
  }

  /// Records a problem that a person should know of.
  ///
  /// - Parameters:
  ///   - topic: the topic of the message that has the problem.
  ///   - isKept: whether the problem is shown for the next hour.
  /// - Returns: the sentence for the log; `nil` if it was logged before, or if the limit of log lines is reached.
  mutating func note(
    _ problem: String, about subject: String, in topic: String = "", isKept: Bool = true,
    at now: Int64 = Clock.boottime()
  ) -> String? {
    let key = Self.key(problem, about: subject)
    let isTold = told.contains(key)
    guard let line = isTold ? "" : log.admit(problem, at: now) else { return nil }
    if told.count >= Self.mostTold { told.removeAll() }
    told.insert(key)
    if isKept {
      let problem = problem.printableLine
      if let place = lasting.firstIndex(where: { $0.problem == problem }) {
        lasting[place].time = now
      } else {
        lasting.append((problem, now, subject, topic))
        if lasting.count > Self.mostProblems { lasting.removeFirst() }
      }
    }
    return isTold ? nil : line
  }

  private static func key(_ problem: String, about subject: String) -> String { "\(subject)\n\(problem)" }
}
