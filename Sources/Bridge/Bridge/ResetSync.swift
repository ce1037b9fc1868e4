public import CoreAPI
public import Fleet

/// The conversation about resets: asks other stations for resets that are missing here, and sends those that they ask
/// for. In memory only: other messages name the resets again.
///
/// A new station receives the names of the same resets from all others, and asks one of them. No message of others
/// makes this station send more than ``most`` rows a second.
public struct ResetSync {
  struct Key: Hashable {
    let period: CounterPeriod
    let reset: Entry

    init(period: CounterPeriod, reset: Entry) { (self.period, self.reset) = (period, reset) }

    /// - Returns: `nil` for values that no reset has.
    init?(_ counter: String, _ start: Int64?, _ reset: Counters.FleetEntry) {
      guard let id = CounterID(counter), let reset = Entry(received: reset.writer, number: reset.number) else {
        return nil
      }
      self.init(period: CounterPeriod(id, start: start), reset: reset)
    }
  }

  /// Rows of a reset to read from the core.
  public struct Request: Sendable {
    let key: Key
    fileprivate(set) var offset: Int64 = 0
    fileprivate(set) var limit: Int64 = 0

    /// The call of the core.
    public var call: Counters.Request<Counters.ResetRowsReply> {
      .resetRows(
        key.period.counter.description, period: key.period.start,
        reset: .init(writer: key.reset.writer.description, number: key.reset.number), offset: offset, limit: limit)
    }
  }

  /// The time within which a question or a reply is not repeated, in nanoseconds.
  var patience: Int64 = 5_000_000_000
  /// The maximum number of resets in questions, and of rows in replies, in a second.
  var most = 1_000

  /// The maximum number of resets that are asked for, or that wait for their reply.
  private static let mostWaiting = 4_096
  private static let mostHolders = 3
  /// The maximum number of questions about a missing reset. Then another message must name the reset first.
  private static let mostQuestions = 6
  /// The number of rows of a reset that are sent before rows of the next reset.
  private static let portion = 200
  /// The maximum numbers of remembered stations and replies.
  private static let (mostStations, mostAnswered) = (1_024, 8_192)
  public static let second: Int64 = 1_000_000_000

  private struct Wanted {
    /// Stations that know the reset, the next one to ask first.
    var holders: [String] = []
    var asked: (station: String, time: Int64)?
    var questions = 0
    /// The maximum number of questions.
    var limit = ResetSync.mostQuestions
  }

  private var wanted: [Key: Wanted] = [:]
  /// The last time at which each station sent a new part of a reset.
  private var progress: [String: Int64] = [:]
  private var answered: [Key: Int64] = [:]
  private var queue: [Request] = []
  private var queued: Set<Key> = []
  /// Whether the core has not returned the rows of the last request yet.
  private var isReading = false
  private var (asking, sending) = (RowPace(), RowPace())

  public init() {}

  /// Whether a reply of this station or of others is missing.
  public var isWaiting: Bool { !queue.isEmpty || !wanted.isEmpty }

  // MARK: Asking

  /// Records the core's reply about messages; returns the questions to send.
  public mutating func learn(_ reply: Counters.LearnFleetReply, at now: Int64) -> [Message] {
    for station in reply.progress { hear(from: station, at: now) }
    let complete = Set(reply.complete.compactMap { Key($0.counter, $0.period, $0.reset) })
    for key in complete { wanted[key] = nil }
    var asked: [Question: Set<Entry>] = [:]
    for one in reply.wanted {
      guard let key = Key(one.counter, one.period, one.reset), one.isDifferent || !complete.contains(key),
        want(key, of: one.station, isOther: one.isDifferent, at: now)
      else { continue }
      asked[Question(station: one.station, period: key.period), default: []].insert(key.reset)
    }
    return Self.messages(asked)
  }

  /// The questions to repeat.
  public mutating func questions(at now: Int64) -> [Message] {
    var asked: [Question: Set<Entry>] = [:]
    for (key, one) in wanted where isDue(one, at: now) {
      if one.questions >= one.limit {
        wanted[key] = nil
      } else if let station = ask(key, at: now) {
        asked[Question(station: station, period: key.period), default: []].insert(key.reset)
      }
    }
    return Self.messages(asked)
  }

  private struct Question: Hashable {
    let station: String
    let period: CounterPeriod
  }

  private static func messages(_ asked: [Question: Set<Entry>]) -> [Message] {
    asked.flatMap { Message($0.period, asked: $1, of: $0.station).split() }
  }

  /// Records that another station knows a reset that is missing here; returns whether it is asked now.
  ///
  /// - Parameter isOther: whether the reset is known here, with other rows. Then a single question is enough.
  mutating func want(_ key: Key, of station: String, isOther: Bool = false, at now: Int64) -> Bool {
    guard var one = wanted[key] ?? (wanted.count < Self.mostWaiting ? Wanted() : nil) else { return false }
    one.holders.removeAll { $0 == station }
    one.holders = [station] + one.holders.prefix(Self.mostHolders - 1)
    one.limit = isOther ? 1 : Self.mostQuestions
    wanted[key] = one
    return isDue(one, at: now) && ask(key, at: now) != nil
  }

  /// Records that a station has sent a new part of a reset. The rest follows without a question.
  mutating func hear(from station: String, at now: Int64) {
    if progress.count >= Self.mostStations { progress.removeAll() }
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
    // The next question goes to another station.
    one.holders = one.holders.dropFirst() + [station]
    one.asked = (station, now)
    one.questions += 1
    wanted[key] = one
    return station
  }

  // MARK: Answering

  /// Records the questions to `station`. The sender of a retained message does not wait for a reply.
  public mutating func hear(_ messages: [Counters.StationMessage], of station: String, at now: Int64) {
    for message in messages where !message.isRetained {
      guard let counts = message.counts, counts.of == station else { continue }
      for entry in counts.asked {
        if let key = Key(counts.counter, counts.period, entry) { answer(key, at: now) }
      }
    }
  }

  /// Queues a reset that another station asks for. All stations receive the reply, so one reply is enough.
  mutating func answer(_ key: Key, at now: Int64) {
    if let time = answered[key], now &- time < patience { return }
    guard queue.count < Self.mostWaiting, queued.insert(key).inserted else { return }
    queue.append(Request(key: key))
  }

  /// The rows to read from the core now. The next request is after the reply to this one.
  public mutating func next(at now: Int64) -> Request? {
    let room = sending.room(of: most, at: now)
    guard !isReading, room > 0, var request = queue.first else { return nil }
    queue.removeFirst()
    request.limit = Int64(min(room, Self.portion))
    isReading = true
    return request
  }

  /// Records the core's reply to a request, `nil` for a refusal; returns the messages with the rows.
  public mutating func take(_ reply: Counters.ResetRowsReply?, for request: Request, at now: Int64) -> [Message] {
    isReading = false
    var request = request
    let rows = (reply?.registers ?? []).compactMap(\.row)
    sending.use(max(rows.count, 1))
    if let reply, reply.isMore, !rows.isEmpty {
      request.offset += Int64(rows.count)
      queue.append(request)
    } else {
      queued.remove(request.key)
      if answered.count >= Self.mostAnswered { answered.removeAll() }
      answered[request.key] = now
    }
    guard let reply, let size = reply.size else { return [] }
    let base = reply.base.flatMap { Entry(received: $0.writer, number: $0.number) }
    let seen = Dictionary(rows) { $1 }
    let part = Replica(resets: [request.key.reset: Reset(on: base, size: Int(clamping: size), seen: seen)])
    return Message(request.key.period, part).split()
  }
}

extension Counters.FleetRegister {
  fileprivate var row: (WriterID, Register)? {
    guard let writer = WriterID(writer) else { return nil }
    return Register(received: number, added: added, subtracted: subtracted, counts: counts).map { (writer, $0) }
  }
}
