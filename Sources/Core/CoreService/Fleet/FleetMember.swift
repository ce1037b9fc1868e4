import Counting
import Fleet
import Journal
import Linux

/// The station of this core and the counters that it shares. A value, so that a refused group of changes discards its
/// copy.
struct FleetMember {
  private(set) var station: Station
  /// The shared counters, removed ones included.
  private(set) var counters: [Counter.ID: CounterID]
  /// The counter of this core for each shared counter of the fleet.
  private(set) var locals: [CounterID: Counter.ID]
  /// For each counter, the last event whose count left the value when a fleet began or stopped counting it. Also for
  /// counters that are not shared.
  private(set) var dropped: [Counter.ID: Int64]
  /// The rows that the next commit saves.
  private(set) var unsaved = FleetChanges()
  /// Counters whose value may differ from the fleet's total, with the stations that caused the difference.
  var stale: [Counter.ID: Set<String>] = [:]
  /// Counters and periods with own acts since the last publication.
  var announced: [CounterPeriod: News] = [:]
  /// Dropped periods that have ended, with the own writers and the number of messages that the broker holds of them.
  var ended: [CounterPeriod: (writers: Set<WriterID>, parts: Int)] = [:]
  /// The last totals of stations, as long as few have changed since. A reset changes many.
  private(set) var knownTotals: [CounterPeriod: KnownTotals] = [:]
  /// Whether an own act waits for the commit.
  private(set) var hasActs = false

  /// Own acts other than counts.
  struct News {
    var resets: Set<Entry> = []
    var undone: Set<Entry> = []

    /// Whether a message contains any of these acts.
    func isTold(by message: Message) -> Bool {
      message.content.resets.keys.contains(where: resets.contains) || !message.content.undone.isDisjoint(with: undone)
    }
  }

  /// The totals of the stations' writers at one time, and the changes of writers' totals since.
  struct KnownTotals {
    /// The totals by the name of the station, which may be unknown; that of the writers of none has no name.
    let stations: [String?: Int128]
    /// The ``FleetPeers/claimVersion`` and this station's name then.
    let claims: Int
    let own: String
    fileprivate(set) var changes: [WriterID: Int128] = [:]

    fileprivate static let mostChanges = 1_000
  }

  init(station: Station, counters: [Counter.ID: CounterID] = [:], dropped: [Counter.ID: Int64] = [:]) {
    self.station = station
    self.counters = counters
    self.dropped = dropped
    locals = Dictionary(counters.map { ($0.value, $0.key) }) { $1 }
  }

  mutating func share(_ counter: Counter.ID, as id: CounterID, dropping dropped: Int64) {
    if let former = locals[id] { counters[former] = nil }
    if let former = counters[counter] { locals[former] = nil }
    counters[counter] = id
    locals[id] = counter
    drop(counter, until: dropped)
  }

  /// Records that the counts of a counter up to `event` are no longer in its value.
  mutating func drop(_ counter: Counter.ID, until event: Int64) { dropped[counter] = event > 0 ? event : nil }

  mutating func keep(_ totals: KnownTotals?, of period: CounterPeriod) { knownTotals[period] = totals }

  private mutating func note(_ change: Int128, of writer: WriterID, in period: CounterPeriod) {
    guard let count = knownTotals[period]?.changes.count else { return }
    if count < KnownTotals.mostChanges {
      knownTotals[period]?.changes[writer, default: 0] += change
    } else {
      knownTotals[period] = nil
    }
  }

  /// Forgets the unsaved rows, after the commit.
  mutating func forgetUnsaved() { (unsaved, hasActs) = (FleetChanges(), false) }

  /// Continues as the last writer if the journal is proven to continue.
  mutating func resume(with proof: WriterProof?, boot: String?) {
    station.resume(with: boot == nil ? nil : proof, boot: boot ?? "")
  }

  /// Marks all values for comparison with the totals at the next commit.
  mutating func doubtAll() {
    for counter in counters.keys { stale[counter] = [] }
  }

  // MARK: Own acts

  /// - Parameters:
  ///   - room: the periods that are kept.
  ///   - isEntry: whether a count of 0 also makes an entry.
  mutating func count(
    _ change: Int64, in period: CounterPeriod, _ room: PeriodRetention, as number: Int64, isEntry: Bool = false
  ) {
    guard change != 0 || isEntry else { return }
    // `Int64.min` has no opposite.
    if change == .min {
      count(.min + 1, in: period, room, as: number)
      // A writer uses an entry number only once.
      begin()
      return count(-1, in: period, room, as: number)
    }
    guard let surplus = station.surplus(adding: period, in: room) else {
      return act { station throws(ActError) in try station.pass(number, in: period) }
    }
    act(on: period) { station throws(ActError) in
      .register(try station.count(change, in: period, as: number).writer)
    }
    drop(surplus)
  }

  /// Marks this station's register of a period for publication; acts that are already marked stay.
  mutating func announce(_ period: CounterPeriod) { announced[period] = announced[period] ?? News() }

  /// The own writers with counts in a period.
  func writers(of period: CounterPeriod) -> Set<WriterID> {
    let registers = station.knowledge[period].registers
    return station.writers.filter { registers[$0] != nil }
  }

  private mutating func drop(_ periods: Set<CounterPeriod>) {
    ended.merge(published(of: periods)) { $1 }
    station.drop(periods)
    unsaved.drop(periods)
    for period in periods { knownTotals[period] = nil }
  }

  private func published(of periods: Set<CounterPeriod>) -> [CounterPeriod: (writers: Set<WriterID>, parts: Int)] {
    periods.reduce(into: [:]) { found, period in
      let (writers, parts) = (writers(of: period), station.announcement(of: period).count)
      if !writers.isEmpty || parts > 1 { found[period] = (writers, parts) }
    }
  }

  /// Adds the contribution of the last act to the history.
  mutating func make(_ contribution: QuarterRegister, of counter: Counter.ID, in quarter: Int64) {
    guard let writer = station.writer, station.number >= contribution.number else { return }
    unsaved.history.make(contribution, .init(counter, writer, quarter))
  }

  mutating func reset(_ period: CounterPeriod, _ room: PeriodRetention, as number: Int64) {
    guard let surplus = station.surplus(adding: period, in: room) else { return }
    var made: Entry?
    act(on: period) { station throws(ActError) in
      let entry = try station.reset(period, as: number)
      made = entry
      return .reset(entry)
    }
    if let made { unsaved.acts[number] = .init(period: period, entry: made) }
    drop(surplus)
  }

  /// Undoes a reset of this station.
  mutating func undo(_ act: FleetChanges.Act) {
    self.act(on: act.period) { station throws(ActError) in
      try station.undo(act.entry, of: act.period)
      return .undone(act.entry)
    }
  }

  /// Makes an undone reset effective again.
  mutating func redo(_ act: FleetChanges.Act, as number: Int64) {
    var made: Entry?
    self.act(on: act.period) { station throws(ActError) in
      let entry = try station.redo(act.entry, of: act.period, as: number)
      made = entry
      return .reset(entry)
    }
    if let made { unsaved.acts[number] = .init(period: act.period, entry: made) }
  }

  /// Performs an act, as a new writer if necessary.
  ///
  /// - Parameter perform: returns the row that the act has changed.
  private mutating func act(
    on period: CounterPeriod, _ perform: (inout Station) throws(ActError) -> Station.Row
  ) {
    var made: Station.Row?
    let total = station.knowledge[period].total()
    act { station throws(ActError) in made = try perform(&station) }
    guard let made else { return }
    if case .register(let writer) = made {
      note(station.knowledge[period].total() - total, of: writer, in: period)
    } else {
      knownTotals[period] = nil
    }
    unsaved.note(made, of: period)
    var news = announced[period] ?? News()
    switch made {
    case .register: break
    case .reset(let entry): news.resets.insert(entry)
    case .undone(let entry): news.undone.insert(entry)
    }
    announced[period] = news
  }

  private mutating func act(_ perform: (inout Station) throws(ActError) -> Void) {
    do throws(ActError) {
      try perform(&station)
    } catch .notOwnReset, .outOfRange {
      return
    } catch .needsWriter {
      begin()
      performAgain(perform)
    } catch {
      ServiceProcess.log(
        .error, "A number was about to be used for two counts of a fleet; this station continues as a new writer.")
      begin()
      performAgain(perform)
    }
    if let writer = station.writer { unsaved.lasts[writer] = station.lasts[writer] }
    hasActs = true
  }

  private mutating func performAgain(_ perform: (inout Station) throws(ActError) -> Void) {
    do throws(ActError) { try perform(&station) } catch {
      ServiceProcess.log(.error, "A count did not become a count of the fleet: \(error)")
    }
  }

  private mutating func begin() {
    var random = SystemRandomNumberGenerator()
    station.begin(.random(using: &random))
    unsaved.isNewWriter = true
  }

  // MARK: Learning

  mutating func hear(_ register: QuarterRegister, _ key: HistoryChanges.Key) { unsaved.history.hear(register, key) }

  /// Learns from a message.
  ///
  /// - Parameters:
  ///   - name: the station that sent it.
  ///   - isOwn: whether the rows of the message are the station's own rows.
  ///   - room: the periods that are kept.
  mutating func learn(
    _ message: Message, from name: String, isOwn: Bool, in room: PeriodRetention
  ) throws(MessageError) -> Station.Learned {
    let before = station.knowledge[message.period].rows(of: message.content)
    let surplus = station.surplus(adding: message.period, in: room) ?? []
    let published = published(of: surplus)
    let totals = totals(of: message)
    let isCounted = locals[message.period.counter] != nil
    let learned = try station.learn(message, from: isOwn ? .own(name) : .relayed, isCounted: isCounted, in: room)
    if learned.isNew {
      if !learned.dropped.isEmpty { ended.merge(published) { $1 } }
      unsaved.drop(learned.dropped)
      unsaved.note(of: message.period, from: before, to: station.knowledge[message.period].rows(of: message.content))
      if let counter = locals[message.period.counter] { stale[counter, default: []].insert(name) }
      for period in learned.dropped { knownTotals[period] = nil }
      if message.content.resets.isEmpty, message.content.undone.isEmpty {
        for (writer, total) in self.totals(of: message) {
          note(total - (totals[writer] ?? 0), of: writer, in: message.period)
        }
      } else {
        knownTotals[message.period] = nil
      }
    }
    return learned
  }

  /// The totals of the writers of a message, if their changes are noted.
  private func totals(of message: Message) -> [WriterID: Int128] {
    guard knownTotals[message.period] != nil else { return [:] }
    let replica = station.knowledge[message.period]
    return message.content.registers.reduce(into: [:]) { $0[$1.key] = replica.total(of: [$1.key]) }
  }
}
