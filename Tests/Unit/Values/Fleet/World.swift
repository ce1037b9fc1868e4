import Randomness

@testable import Fleet

/// A mistake in the daemon around the values, which an invariant must find.
enum Flaw: String, CaseIterable {
  /// A station counts as the same writer for ever: the PN-counter by station.
  case writerIsStation
  /// The writer goes on after any start on the same boot.
  case writerIsBoot
  /// The proof is written after the commit, and may be lower than the journal.
  case proofAfterCommit
  /// The reply comes before the commit.
  case acknowledgedBeforeCommit
  /// The message comes before the commit.
  case publishedBeforeCommit
  /// Others are told to be heard from memory.
  case heardInMemory
  /// An act commits what this station did, and forgets what it learned.
  case learnedIsDropped
  /// IDs of commands are in memory only.
  case commandsInMemory
  /// A reset that is undone stays in force, as only a reply says so.
  case undoneInMemory
  /// Nobody repeats what others did.
  case nothingRelayed
  /// Requests for resets get no reply.
  case noReplies

  /// The invariant that it breaks.
  var invariant: String {
    switch self {
    case .writerIsStation, .writerIsBoot, .proofAfterCommit: "I6"
    case .publishedBeforeCommit: "I1"
    case .acknowledgedBeforeCommit: "I2"
    case .learnedIsDropped: "I3"
    case .undoneInMemory: "I7"
    case .commandsInMemory: "I8"
    case .heardInMemory: "I9"
    case .nothingRelayed, .noReplies: "I4"
    }
  }

  /// A seed with which one schedule is enough.
  var seed: UInt64 {
    switch self {
    case .proofAfterCommit: 1375
    case .learnedIsDropped: 66
    case .writerIsBoot: 27
    case .undoneInMemory: 14
    case .noReplies: 5
    case .writerIsStation: 2
    default: 1
    }
  }
}

/// Machines, disks and brokers around ``Station``, with every fault that they are built for.
struct World {
  /// What a copied card carries along.
  struct Disk {
    var station = Station()
    var undoable: [Act] = []
    var redoable: [Act] = []
    var commands = RecentCommands()
    var ghost = Ghost()
  }

  /// An act of this station that it can undo.
  enum Act: Equatable {
    case count(Int64, CounterPeriod)
    case reset(Entry, CounterPeriod)
  }

  struct Machine {
    let name: Int
    var disk: Disk
    /// `nil` while the daemon is down.
    var memory: Disk?
    var boot = 0
    /// The runtime folder, which a boot empties.
    var proof: WriterProof?
    /// The wall clock's error.
    var clock: Int64 = 0
    var broker: Int?
    var inbox: [Envelope] = []
    /// What others were told to survive on this disk.
    var claims = Ghost()
  }

  /// A message on its way.
  struct Envelope {
    let message: Message
    /// Encoded only where it arrives: most messages are lost.
    var bytes: [UInt8] { Array(message.text.utf8) }
  }

  struct Broker {
    var retained: [String: Envelope] = [:]
    var saved: [String: Envelope] = [:]
  }

  static let counters: [CounterID] = {
    var random = SeededRandom(seed: 0)
    return (0..<2).map { _ in CounterID.random(using: &random) }
  }()

  let flaw: Flaw?
  var oracle = Oracle()
  var machines: [Machine]
  var brokers = [Broker(), Broker()]
  var images: [Disk] = []
  var now: Int64 = 1_000_000
  var random = SeededRandom(seed: 0)
  private var boots = 0

  init(machines count: Int, flaw: Flaw?) {
    self.flaw = flaw
    machines = (0..<count).map { Machine(name: $0, disk: Disk(), broker: $0 % 2) }
    for index in machines.indices { boot(index) }
  }

  // MARK: Daemons

  /// Boots the machine; its daemon is down at first.
  mutating func boot(_ index: Int) {
    boots += 1
    machines[index].boot = boots
    machines[index].proof = nil
    kill(index)
  }

  mutating func kill(_ index: Int) {
    machines[index].memory = nil
    machines[index].inbox = []
  }

  /// Runs the daemon, if it is down.
  mutating func start(_ index: Int) {
    guard machines[index].memory == nil else { return }
    var disk = machines[index].disk
    if flaw == .commandsInMemory { disk.commands = RecentCommands() }
    let (proof, boot) = (machines[index].proof, "\(machines[index].boot)")
    switch flaw {
    case .writerIsStation: break
    case .writerIsBoot where proof?.writer == disk.station.writer: break
    case .proofAfterCommit
    where proof?.writer == disk.station.writer && disk.station.number >= proof?.number ?? 0:
      break
    default: disk.station.resume(with: proof, boot: boot)
    }
    machines[index].memory = disk
    connect(index, to: machines[index].broker)
  }

  /// Writes `disk` in one transaction.
  mutating func commit(_ index: Int, _ disk: Disk) throws {
    let (old, new) = (machines[index].disk.station.knowledge, disk.station.knowledge)
    for period in old.periods where old[period] != new[period] {
      var both = new[period]
      both.join(old[period])
      guard both == new[period] else { throw Violation(invariant: "I3", text: "machine \(index) forgot on disk") }
    }
    machines[index].disk = disk
    machines[index].memory = disk
  }

  // MARK: Acts

  /// What the oracle is told once an act is on disk.
  enum Record {
    case press(Entry, Int64, CounterPeriod)
    case reset(Entry, Oracle.PastReset)
    case undone(Entry, CounterPeriod)

    var period: CounterPeriod {
      switch self {
      case .press(_, _, let period), .undone(_, let period): period
      case .reset(_, let reset): reset.period
      }
    }
  }

  /// Where a daemon is killed in the middle of an act.
  enum Stop: Int { case beforeProof, beforeCommit, beforeReply, never }

  /// Makes an act, commits it and publishes it, or is killed on the way.
  mutating func act(
    _ index: Int, until stop: Stop, _ body: (inout Disk, inout SeededRandom) throws(ActError) -> Record?
  ) throws {
    start(index)
    guard var disk = machines[index].memory, let record = try body(&disk, &random) else { return }
    var acknowledged: [Entry: CounterPeriod] = [:]
    switch record {
    case .press(let entry, _, let period):
      disk.ghost.marks[period, default: [:]][entry.writer] = entry.number
      acknowledged[entry] = period
    case .reset(let entry, let reset):
      disk.ghost.resets[entry] = reset.rows
      acknowledged[entry] = reset.period
    case .undone(let entry, _): disk.ghost.undone.insert(entry)
    }
    if flaw == .acknowledgedBeforeCommit { machines[index].disk.ghost.acknowledged.merge(acknowledged) { $1 } }
    if flaw == .publishedBeforeCommit { publish(index, disk.station.announcement(of: record.period)) }
    if stop == .beforeProof { return kill(index) }
    let proof = disk.station.continuity(boot: "\(machines[index].boot)")
    if flaw != .proofAfterCommit { machines[index].proof = proof }
    if stop == .beforeCommit { return kill(index) }
    switch record {
    case .press(let entry, let change, let period): try oracle.press(entry, change, in: period)
    case .reset(let entry, let reset): try oracle.reset(entry, reset)
    case .undone: break
    }
    if flaw == .learnedIsDropped { disk.station = disk.station.alone }
    if flaw == .undoneInMemory, case .undone = record {
      let ghost = disk.ghost
      disk = machines[index].disk
      disk.ghost = ghost
    }
    try commit(index, disk)
    if stop == .beforeReply { return kill(index) }
    if flaw == .proofAfterCommit { machines[index].proof = proof }
    machines[index].disk.ghost.acknowledged.merge(acknowledged) { $1 }
    machines[index].memory?.ghost.acknowledged.merge(acknowledged) { $1 }
    publish(index, disk.station.announcement(of: record.period), retained: true)
  }

  /// The number of the next event; other counters use the numbers between.
  static func next(_ disk: inout Disk, _ random: inout SeededRandom) -> Int64 {
    if disk.station.writer == nil {
      let writer = WriterID.random(using: &random)
      disk.station.begin(writer)
      disk.ghost.writers.insert(writer)
    }
    return disk.station.number + random.whole(1...3)
  }

  static func count(
    _ change: Int64, in period: CounterPeriod, _ disk: inout Disk, _ random: inout SeededRandom
  ) throws(ActError) -> Record {
    let number = next(&disk, &random)
    return .press(try disk.station.count(change, in: period, as: number), change, period)
  }

  /// A reset that a station has just made, which had seen these entries.
  static func made(_ entry: Entry, _ period: CounterPeriod, _ marks: [WriterID: Int64], _ station: Station) -> Record {
    let reset = station.knowledge[period].resets[entry]
    return .reset(
      entry, .init(period: period, marks: marks, rows: Set(reset?.seen.keys ?? [:].keys), base: reset?.base))
  }

  // MARK: Brokers

  mutating func connect(_ index: Int, to broker: Int?) {
    machines[index].broker = broker
    machines[index].inbox = []
    guard let broker, let station = machines[index].memory?.station else { return }
    let retained = brokers[broker].retained.sorted { $0.key < $1.key }.map(\.value)
    machines[index].inbox = retained
    for period in station.knowledge.periods.sorted() {
      publish(index, station.announcement(of: period), retained: true)
    }
    tell(index)
  }

  /// Tells others what is on disk here.
  mutating func tell(_ index: Int) {
    let machine = machines[index]
    guard let station = flaw == .heardInMemory ? machine.memory?.station : machine.disk.station else { return }
    for period in station.knowledge.periods.sorted() {
      let summary = station.summary(of: period)
      for message in summary { machines[index].claims.join(Ghost(message)) }
      if flaw != .nothingRelayed { publish(index, summary) }
    }
  }

  mutating func publish(_ index: Int, _ messages: [Message], retained: Bool = false) {
    guard let broker = machines[index].broker else { return }
    // Short messages, so that a reset of a few writers has parts.
    let messages = random.below(2) == 0 ? messages : messages.flatMap { $0.split(into: 3) }
    for (page, message) in messages.enumerated() {
      let envelope = Envelope(message: message)
      if retained {
        let (period, name) = (message.period, machines[index].name)
        brokers[broker].retained["\(name)/\(period.counter)/\(period.start ?? 0)/\(page)"] = envelope
      }
      for other in machines.indices where other != index && machines[other].broker == broker {
        if machines[other].memory != nil { machines[other].inbox.append(envelope) }
      }
    }
  }

  mutating func receive(_ index: Int, _ envelope: Envelope) throws {
    guard var memory = machines[index].memory else { return }
    let learned: Station.Learned
    do { learned = try memory.station.learn(try Message(parsing: envelope.bytes)) } catch {
      throw Violation(invariant: "I4", text: "an honest message was refused: \(error)")
    }
    if !learned.contradictions.isEmpty && oracle.forgedWriters.isEmpty && oracle.forgedPeriods.isEmpty {
      throw Violation(invariant: "I6", text: "machine \(index) heard two registers that contradict each other")
    }
    memory.ghost.join(Ghost(envelope.message))
    machines[index].memory = memory
    if flaw != .noReplies { publish(index, memory.station.replies(to: envelope.message, learned)) }
  }

  // MARK: Invariants

  /// Checks the machine against the oracle.
  func check(_ index: Int) throws {
    let machine = machines[index]
    let (station, ghost) = (machine.memory ?? machine.disk).both
    for period in station.knowledge.periods {
      let replica = station.knowledge[period]
      guard replica.isAsDefined, station.own(in: period) == replica.definedTotal(of: station.writers) else {
        throw Violation(invariant: "I7", text: "machine \(index) keeps another effect of resets than all rows have")
      }
    }
    for period in Set(station.knowledge.periods).union(ghost.marks.keys) where !oracle.forgedPeriods.contains(period) {
      let replica = station.knowledge[period]
      let honest = oracle.forgedWriters.isEmpty ? nil : Set(replica.registers.keys).subtracting(oracle.forgedWriters)
      let (shown, right) = (replica.total(of: honest), oracle.total(ghost, period))
      guard shown == right else {
        // With the right registers, the resets are wrong.
        let registers = replica.registers.filter { honest?.contains($0.key) != false }
        let raw = registers.values.reduce(0) { $0 + $1.change }
        let invariant = raw == oracle.total(ghost, period, withResets: false) ? "I7" : "I1"
        throw Violation(invariant: invariant, text: "machine \(index) shows \(shown) instead of \(right)")
      }
      let (own, share) = (station.own(in: period), oracle.total(ghost, period, of: ghost.writers))
      guard own == share || honest != nil else {
        throw Violation(invariant: "I2", text: "the own share of machine \(index) is \(own) instead of \(share)")
      }
    }
    for (entry, period) in ghost.acknowledged where !oracle.forgedPeriods.contains(period) {
      let replica = station.knowledge[period]
      guard replica.registers[entry.writer]?.number ?? 0 >= entry.number || replica.resets[entry] != nil else {
        throw Violation(invariant: "I2", text: "machine \(index) acknowledged \(entry.short) and has lost it")
      }
    }
    for (command, count) in ghost.commands where count > 1 {
      throw Violation(invariant: "I8", text: "machine \(index) did command \(command) \(count) times")
    }
    for (period, marks) in machine.claims.marks {
      let registers = machine.disk.station.knowledge[period].registers
      for (writer, number) in marks where registers[writer]?.number ?? 0 < number {
        throw Violation(invariant: "I9", text: "others heard that machine \(index) keeps \(number), which it lost")
      }
    }
  }

  /// Ends all faults, lets all stations talk, and checks that they agree on everything that any disk has.
  ///
  /// - Parameter ring: each talks to two others only.
  mutating func settle(ring: Bool) throws {
    var known = Ghost()
    for index in machines.indices {
      machines[index].broker = nil
      start(index)
      known.join(machines[index].disk.ghost)
      known.join(machines[index].memory?.ghost ?? Ghost())
    }
    for _ in 0..<machines.count + 3 {
      var isNew = false
      for index in machines.indices {
        guard let memory = machines[index].memory else { continue }
        try commit(index, memory)
        let peers = machines.indices.filter {
          $0 != index && (!ring || $0 == (index + 1) % machines.count || index == ($0 + 1) % machines.count)
        }
        for period in memory.station.knowledge.periods.sorted() {
          let said = flaw == .nothingRelayed ? [] : memory.station.summary(of: period)
          for peer in peers {
            isNew = try talk(from: index, to: peer, memory.station.announcement(of: period) + said) || isNew
          }
        }
      }
      if !isNew { break }
    }
    for period in known.marks.keys.sorted() {
      let totals = machines.compactMap { $0.memory?.station.knowledge[period].total() }
      guard Set(totals).count <= 1 else {
        throw Violation(invariant: "I4", text: "the stations show \(totals)")
      }
      guard oracle.forgedWriters.isEmpty, oracle.forgedPeriods.isEmpty, let total = totals.first else { continue }
      let right = oracle.total(known, period)
      guard total == right else { throw Violation(invariant: "I4", text: "all show \(total) instead of \(right)") }
    }
    for index in machines.indices { try check(index) }
  }

  /// Gives messages to a station and its replies back, until none has anything to say.
  private mutating func talk(from one: Int, to other: Int, _ messages: [Message]) throws -> Bool {
    var isNew = false
    var open = messages.map { (from: one, to: other, message: $0) }
    while let (from, to, message) = open.popLast() {
      guard var memory = machines[to].memory else { continue }
      let learned = try memory.station.learn(message)
      memory.ghost.join(Ghost(message))
      machines[to].memory = memory
      isNew = isNew || learned.isNew
      if flaw != .noReplies { open += memory.station.replies(to: message, learned).map { (to, from, $0) } }
    }
    return isNew
  }
}

extension Station {
  /// What it says in return, as long as nobody asks too much.
  func replies(to message: Message, _ learned: Learned) -> [Message] {
    let replica = knowledge[message.period]
    return Message(message.period, asked: learned.wanted).split()
      + message.asked.sorted().flatMap { reset in
        replica.resets[reset].map { Message(message.period, Replica(resets: [reset: $0])).split() } ?? []
      }
  }

  /// The state without the registers and resets of others.
  fileprivate var alone: Station {
    let parts = knowledge.periods.map { period in
      (period, Replica(registers: knowledge[period].registers.filter { writers.contains($0.key) }))
    }
    return Station(writers: writers, last: writer.map { Entry(writer: $0, number: number) }, lasts: lasts, parts: parts)
  }
}

extension World.Disk {
  fileprivate var both: (Station, Ghost) { (station, ghost) }
}

extension CounterPeriod: Comparable {
  static func < (one: CounterPeriod, other: CounterPeriod) -> Bool {
    // The counters of this world differ by whether they have periods.
    (one.start ?? -1) < (other.start ?? -1)
  }
}
