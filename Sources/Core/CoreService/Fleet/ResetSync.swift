import Fleet

/// Remembers the resets to ask other stations for, and the resets to send. In memory only.
///
/// A new station receives the names of the same resets from all others, and asks one of them. No message of others
/// makes this station build more than ``most`` rows a second.
struct ResetSync {
  struct Key: Hashable {
    let period: CounterPeriod
    let reset: Entry
  }

  /// The time within which a question or a reply is not repeated, in nanoseconds.
  var patience: Int64 = 5_000_000_000
  /// The maximum number of resets in questions, and of rows in replies, in a second.
  var most = 1_000

  /// Whether the timer is armed.
  var isScheduled = false

  /// The maximum number of resets that are asked for, or that wait for their reply.
  private static let mostWaiting = 4_096
  private static let mostHolders = 3
  /// The maximum number of questions about a reset. Then another message must name the reset first.
  private static let mostQuestions = 6
  /// The number of rows of a reset that are sent before those of the next one.
  private static let portion = 200
  static let second: Int64 = 1_000_000_000

  private struct Wanted {
    /// Stations that know the reset, the next one to ask first.
    var holders: [String] = []
    var asked: (station: String, time: Int64)?
    var questions = 0
  }

  private var wanted: [Key: Wanted] = [:]
  /// The last time at which each station sent a new part of a reset.
  private var progress: [String: Int64] = [:]
  private var answered: [Key: Int64] = [:]
  private var queue: [(key: Key, writers: ArraySlice<WriterID>?)] = []
  private var queued: Set<Key> = []
  private var (asking, sending) = (Pace(), Pace())

  /// Limits a number of rows per second.
  private struct Pace {
    private var (start, used) = (Int64.min / 2, 0)

    mutating func room(of most: Int, at now: Int64) -> Int {
      if now &- start >= ResetSync.second { (start, used) = (now, 0) }
      return max(most - used, 0)
    }

    mutating func use(_ count: Int) { used += count }
  }

  /// Whether a reply of this station or of others is missing.
  var isWaiting: Bool { !queue.isEmpty || !wanted.isEmpty }

  // MARK: Asking

  /// Records that another station knows a reset that is missing here; returns whether it is asked now.
  mutating func want(_ key: Key, of station: String, at now: Int64) -> Bool {
    guard var one = wanted[key] ?? (wanted.count < Self.mostWaiting ? Wanted() : nil) else { return false }
    one.holders.removeAll { $0 == station }
    one.holders = [station] + one.holders.prefix(Self.mostHolders - 1)
    wanted[key] = one
    return isDue(one, at: now) && ask(key, at: now) != nil
  }

  /// The resets to ask for again, by the station to ask. Resets that arrived meanwhile are removed.
  mutating func questions(
    at now: Int64, isKnown: (Key) -> Bool
  ) -> [(station: String, period: CounterPeriod, resets: Set<Entry>)] {
    var asked: [String: [CounterPeriod: Set<Entry>]] = [:]
    for (key, one) in wanted {
      if isKnown(key) || one.questions >= Self.mostQuestions && isDue(one, at: now) {
        wanted[key] = nil
      } else if isDue(one, at: now), let station = ask(key, at: now) {
        asked[station, default: [:]][key.period, default: []].insert(key.reset)
      }
    }
    return asked.flatMap { station, periods in periods.map { (station, $0.key, $0.value) } }
  }

  /// Records that a station has sent a new part of a reset. The rest follows without a question.
  mutating func hear(from station: String, at now: Int64) {
    if progress.count >= ReplicaStore.maximumCounters { progress.removeAll() }
    progress[station] = now
  }

  private func isDue(_ one: Wanted, at now: Int64) -> Bool {
    guard let (station, time) = one.asked else { return true }
    return now &- max(time, progress[station] ?? time) >= patience
  }

  private mutating func ask(_ key: Key, at now: Int64) -> String? {
    guard var one = wanted[key], let station = one.holders.first, asking.room(of: most, at: now) > 0 else {
      return nil
    }
    asking.use(1)
    // Another station the next time.
    one.holders = one.holders.dropFirst() + [station]
    one.asked = (station, now)
    one.questions += 1
    wanted[key] = one
    return station
  }

  // MARK: Answering

  /// Queues a reset that another station asks for. All stations receive the reply, so one reply is enough.
  mutating func answer(_ key: Key, at now: Int64) {
    if let time = answered[key], now &- time < patience { return }
    guard queue.count < Self.mostWaiting, queued.insert(key).inserted else { return }
    queue.append((key, nil))
  }

  /// The next rows of the resets that this station was asked for.
  mutating func answers(of station: Station, at now: Int64) -> [Message] {
    var messages: [Message] = []
    while !queue.isEmpty {
      let room = sending.room(of: most, at: now)
      guard room > 0 else { break }
      let (key, rest) = queue.removeFirst()
      let seen = station.knowledge[key.period].resets[key.reset]?.seen.keys
      let writers = rest ?? ArraySlice(seen.map(Array.init) ?? [])
      let part = writers.prefix(min(room, Self.portion))
      messages += station.messages(of: key.reset, in: key.period, part)
      sending.use(max(part.count, 1))
      guard part.endIndex < writers.endIndex else {
        queued.remove(key)
        if answered.count >= ReplicaStore.maximumRows { answered.removeAll() }
        answered[key] = now
        continue
      }
      queue.append((key, writers[part.endIndex...]))
    }
    return messages
  }
}
