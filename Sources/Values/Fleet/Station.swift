/// One station of a fleet: its own acts, and its copy of the acts of other stations. The journal stores it completely.
///
/// The caller starts each run with ``resume(with:boot:)``, which decides whether the last writer may continue, and
/// passes a new writer where ``writer`` is `nil`. It writes ``continuity(boot:)`` to the runtime folder *before* each
/// commit, and replies and publishes after it.
public struct Station: Equatable, Sendable {
  public private(set) var knowledge: ReplicaStore
  /// All writers that this station has been. Copies of its journal share the writers from before the copy.
  public private(set) var writers: Set<WriterID> = []
  /// The writer of the next act; `nil` before ``begin(_:)``.
  public private(set) var writer: WriterID?
  /// The number of the writer's last entry.
  public private(set) var number: Int64 = 0
  /// The number of each own writer's last act in this journal. After a restore or a copy of the journal, other stations
  /// may know later acts.
  public private(set) var lasts: [WriterID: Int64] = [:]
  /// The number of known entries of the writer. Entries of one change may have one number in several periods.
  private var acts: Int64 = 0

  /// - Parameter knowledge: the initially known rows.
  public init(knowledge: ReplicaStore = ReplicaStore()) { self.knowledge = knowledge }

  /// The state from a journal.
  ///
  /// - Parameters:
  ///   - last: the last entry of a writer that is not closed.
  ///   - lasts: the numbers of the last acts of own writers.
  public init(
    writers: Set<WriterID>, last: Entry?, lasts: [WriterID: Int64] = [:],
    parts: some Sequence<(CounterPeriod, Replica)>
  ) {
    knowledge = ReplicaStore()
    (self.writers, writer, number, self.lasts) = (writers, last?.writer, last?.number ?? 0, lasts)
    for (period, part) in parts { knowledge.join(part, of: period) }
    acts = acts(in: knowledge.periods)
  }

  /// The number of the writer's entries in periods.
  private func acts(in periods: some Sequence<CounterPeriod>) -> Int64 {
    guard let writer else { return 0 }
    return periods.reduce(0) { sum, period in
      let replica = knowledge[period]
      let resets = replica.resets.keys.count { $0.writer == writer }
      return sum &+ (replica.registers[writer]?.counts ?? 0) &+ Int64(resets)
    }
  }

  // MARK: Writers

  /// Continues as the last writer if `proof`, from the runtime folder, shows that no act is missing in the journal;
  /// otherwise closes the writer.
  public mutating func resume(with proof: WriterProof?, boot: String) {
    // A proof with another number is not enough: this journal may lack acts, or may be a copy in which acts were
    // recorded after the proof.
    if proof != continuity(boot: boot) { writer = nil }
  }

  /// Becomes a new writer, whose ID must be unused. The old one is closed for good.
  public mutating func begin(_ writer: WriterID) {
    self.writer = writer
    writers.insert(writer)
    (number, acts) = (0, 0)
  }

  /// The proof of the present state; `nil` without a writer.
  public func continuity(boot: String) -> WriterProof? {
    writer.map { WriterProof(boot: boot, writer: $0, number: number, acts: acts) }
  }

  // MARK: Own acts

  /// Counts: adding, subtracting, correcting, and undoing or redoing an own count, in the period of that count.
  ///
  /// A count that moves to another period, because the clock was wrong, is two entries: its opposite, and itself again.
  /// No register ever shrinks.
  ///
  /// - Parameter number: the sequence number of the event, or another number that is not below ``number``, and above
  ///   the numbers of the writer's entries in the period.
  /// - Throws: ``ActError/needsWriter`` also if the writer's sum is full: begin a new writer, and repeat.
  @discardableResult
  public mutating func count(_ change: Int64, in period: CounterPeriod, as number: Int64) throws(ActError) -> Entry {
    guard change != .min else { throw .outOfRange }
    let entry = try entry(number, in: period)
    // This writer may have counted in a dropped period, and its register must not restart from 0.
    guard self.number == 0 || !knowledge.mayHaveDropped(period) else { throw .needsWriter }
    let register = knowledge[period].registers[entry.writer] ?? .empty
    guard let sum = register.adding(change, as: number) else { throw .needsWriter }
    knowledge.join(Replica(registers: [entry.writer: sum]), of: period)
    made(entry)
    return entry
  }

  /// Uses a number for a count in a period that is not kept. Only the history contains the count.
  public mutating func pass(_ number: Int64, in period: CounterPeriod) throws(ActError) {
    note(try entry(number, in: period))
  }

  /// Resets a counter: removes the effect of all entries of the period that are known here.
  @discardableResult
  public mutating func reset(_ period: CounterPeriod, as number: Int64) throws(ActError) -> Entry {
    try reset(period, to: knowledge[period].reset, as: number)
  }

  /// Makes an undone reset effective again. Counts since the reset stay.
  @discardableResult
  public mutating func redo(_ reset: Entry, of period: CounterPeriod, as number: Int64) throws(ActError) -> Entry {
    let replica = knowledge[period]
    guard let former = replica.resets[reset], replica.isHeld(reset), writers.contains(reset.writer) else {
      throw .notOwnReset
    }
    return try self.reset(period, to: former, as: number)
  }

  /// Undoes a reset of this station.
  public mutating func undo(_ reset: Entry, of period: CounterPeriod) throws(ActError) {
    guard writers.contains(reset.writer), knowledge[period].resets[reset] != nil else { throw .notOwnReset }
    knowledge.join(Replica(undone: [reset]), of: period)
  }

  private mutating func reset(
    _ period: CounterPeriod, to reset: Reset, as number: Int64
  ) throws(ActError) -> Entry {
    let entry = try entry(number, in: period)
    knowledge.add(entry, reset, to: period)
    made(entry)
    return entry
  }

  private func entry(_ number: Int64, in period: CounterPeriod) throws(ActError) -> Entry {
    guard let writer else { throw .needsWriter }
    let (entry, replica) = (Entry(writer: writer, number: number), knowledge[period])
    guard number >= self.number, number > replica.registers[writer]?.number ?? 0, replica.resets[entry] == nil else {
      throw .numberInUse
    }
    return entry
  }

  private mutating func made(_ entry: Entry) {
    note(entry)
    acts &+= 1
  }

  private mutating func note(_ entry: Entry) {
    number = entry.number
    lasts[entry.writer] = entry.number
  }

  // MARK: Periods

  /// The periods of the counter to drop when `period` is added; `nil` if there is no room for `period` itself.
  public func surplus(adding period: CounterPeriod, in room: PeriodRetention) -> Set<CounterPeriod>? {
    knowledge.surplus(adding: period, in: room)
  }

  /// Forgets everything about these periods.
  public mutating func drop(_ periods: Set<CounterPeriod>) {
    acts &-= acts(in: periods)
    knowledge.drop(periods)
  }

  // MARK: Totals

  /// This station's share of the total.
  public func own(in period: CounterPeriod) -> Int128 { knowledge[period].total(of: writers) }

  /// The ranges of own act numbers that resets have removed, in order. For writers with acts that this journal lacks,
  /// all their acts, because the missing ones may be undos.
  public func gone(in period: CounterPeriod) -> [ClosedRange<Int64>] {
    let replica = knowledge[period]
    let own = writers.compactMap { writer in
      replica.registers[writer].map { register in
        (register: register, floor: replica.effect.floor[writer]?.number ?? 0, last: lasts[writer] ?? register.number)
      }
    }.sorted { $0.last < $1.last }
    var ranges: [ClosedRange<Int64>] = []
    // Each writer continues the numbers of the previous one.
    var end: Int64 = 0
    for (register, floor, last) in own {
      let gone = register.number > last ? last : min(floor, last)
      if gone > end {
        let former = ranges.last.flatMap { $0.upperBound == end ? $0 : nil }
        if former != nil { ranges.removeLast() }
        ranges.append((former?.lowerBound ?? end + 1)...gone)
      }
      end = last
    }
    return ranges
  }

  // MARK: Messages

  /// The result of merging a message.
  public struct Learned: Equatable, Sendable {
    /// Whether the message contained anything new.
    public var isNew = false
    /// Writers with contradicting registers: two machines use the ID, or a register is forged.
    public var contradictions: Set<WriterID> = []
    /// Other stations' writers whose register in the period was not known before.
    public var strangers: Set<WriterID> = []
    /// Periods that were dropped for the period of the message.
    public var dropped: Set<CounterPeriod> = []
    /// Resets that are complete from now on, each after its base.
    public var resets: [Entry] = []
    /// Resets that the sender knows completely, and that are missing or different here.
    public var wanted: Set<Entry> = []
  }

  /// Merges a message from any sender.
  ///
  /// A message with later acts of this station's own writer closes the writer: this machine was set back to an earlier
  /// state while it ran, or a copy of it runs.
  /// - Parameters:
  ///   - sender: the sender whose share of the rows includes the rows of the message.
  ///   - isCounted: whether the counter is counted here, which gives it more room.
  ///   - room: the periods of the counter that are kept; a message about another one is ignored. `nil` for all.
  /// - Throws: an error before any change.
  public mutating func learn(
    _ message: Message, from sender: RowSender? = nil, isCounted: Bool = false, in room: PeriodRetention? = nil
  ) throws(MessageError) -> Learned {
    let (period, part) = (message.period, message.content)
    var learned = Learned()
    guard let surplus = room.map({ knowledge.surplus(adding: period, in: $0) }) ?? [] else { return learned }
    try knowledge.check(part, of: period, without: surplus, isCounted: isCounted, from: sender)
    do {
      let former = knowledge[period]
      learned.isNew = !former.covers(part)
      learned.contradictions = former.contradictions(in: part)
      if learned.isNew {
        learned.strangers = Set(part.registers.keys.filter { former.registers[$0] == nil && !writers.contains($0) })
      }
      if let writer, !former.covers(part.acts(of: writer)) { self.writer = nil }
    }
    // A message that only asks for something leaves no rows, and does not add its counter.
    if learned.isNew {
      drop(surplus)
      learned.dropped = surplus
      learned.resets = knowledge.join(part, of: period, from: sender)
    }
    learned.wanted = knowledge[period].missing(of: message, isNew: learned.isNew)
    return learned
  }

  /// This station's registers and its resets, undone ones included, to publish at each connection. The first message is
  /// ``latest(of:)``; the last ones have new resets and undos.
  public func announcement(of period: CounterPeriod) -> [Message] {
    let replica = knowledge[period]
    let former = replica.registers.filter { $0.key != writer && writers.contains($0.key) }
    func own(_ entries: some Sequence<Entry>) -> [Entry] {
      entries.filter { writers.contains($0.writer) }.sorted { ($0.number, $0.writer) < ($1.number, $1.writer) }
    }
    let resets = own(replica.resets.keys).map { Replica(resets: [$0: replica.resets[$0] ?? Reset(seen: [:])]) }
    let undone = own(replica.undone).map { Replica(undone: [$0]) }
    let rest = ([Replica(registers: former)] + resets + undone).map { Message(period, $0) }
    return [latest(of: period)] + Message.split(rest, of: period)
  }

  /// The register of the present writer, the only one that a count changes; empty without a writer.
  public func latest(of period: CounterPeriod) -> Message {
    guard let writer, let register = knowledge[period].registers[writer] else { return Message(period) }
    return Message(period, Replica(registers: [writer: register]))
  }

  /// A row of the known state of a counter in a period.
  public enum Row: Hashable, Sendable {
    case register(WriterID)
    case reset(Entry)
    case undone(Entry)
  }

  /// All rows, in no order.
  public func rows(of period: CounterPeriod) -> [Row] {
    let replica = knowledge[period]
    return replica.registers.keys.map(Row.register) + replica.resets.keys.map(Row.reset)
      + replica.undone.map(Row.undone)
  }

  /// All rows as messages, so that others merge them and ask for resets.
  public func summary(of period: CounterPeriod) -> [Message] { summary(of: period, rows(of: period)) }

  /// Registers, the IDs of complete resets, parts of others, and undone resets. The rows must be on disk, because
  /// others then rely on this station to keep them.
  public func summary(of period: CounterPeriod, _ rows: some Sequence<Row>) -> [Message] {
    let replica = knowledge[period]
    var (registers, parts): ([WriterID: Register], [Entry: Reset]) = ([:], [:])
    var (held, undone): ([Entry: Int64], Set<Entry>) = ([:], [])
    for row in rows {
      switch row {
      case .register(let writer): registers[writer] = replica.registers[writer]
      case .reset(let entry) where replica.isHeld(entry): held[entry] = replica.resets[entry]?.digest
      // A receiver may have the other parts of the reset. The station that made the reset may be lost.
      case .reset(let entry): parts[entry] = replica.resets[entry]
      case .undone(let entry): if replica.undone.contains(entry) { undone.insert(entry) }
      }
    }
    return Message(period, Replica(registers: registers, resets: parts, undone: undone), held: held).split()
  }
}

extension Replica {
  /// A writer's registers, also those in resets, and its resets.
  fileprivate func acts(of writer: WriterID) -> Replica {
    let registers = ([registers] + resets.values.map(\.seen)).compactMap { $0[writer] }
    return Replica(
      registers: registers.reduce(nil as Register?) { $1.joined(with: $0) }.map { [writer: $0] } ?? [:],
      resets: resets.filter { $0.key.writer == writer })
  }

  /// The resets that a message names and that are missing or different here.
  ///
  /// - Parameter isNew: whether the message had new rows. Forged resets may form a circle and claim rows that do not
  ///   exist, and asking again after each repeated message would never end.
  fileprivate func missing(of message: Message, isNew: Bool) -> Set<Entry> {
    let bases = message.content.resets.values.compactMap(\.base).filter { base in
      resets[base].map { isNew && !$0.hasAllRows } ?? true
    }
    return Set(message.held.filter { !isHeld($0.key, with: $0.value) }.keys).union(bases)
  }
}

/// The proof that a journal continues on this boot, kept in a runtime folder, which a boot empties.
///
/// It is written before the commit of its entries. A journal that was restored, copied to another machine, or lost its
/// last commit never equals the proof, so no number is used for two acts in a period.
public struct WriterProof: Equatable, Sendable {
  /// The kernel's ID of the boot.
  public let boot: String
  public let writer: WriterID
  public let number: Int64
  /// The number of the writer's entries, without those in periods that are not kept.
  public let acts: Int64

  public init(boot: String, writer: WriterID, number: Int64, acts: Int64) {
    self.boot = boot
    self.writer = writer
    self.number = number
    self.acts = acts
  }
}

/// The reason for refusing an own act. The error is thrown before any change.
public enum ActError: Error, Equatable, Sendable {
  /// A new writer must begin first.
  case needsWriter
  /// The number is below the last entry's, or not above the writer's numbers in the period.
  case numberInUse
  /// The change has no opposite in 64 bits.
  case outOfRange
  /// No reset of this station has this ID.
  case notOwnReset
}
