public import CoreAPI
public import Fleet

/// The conversation about the history by quarter hours: asks other stations for the history that is missing here, and
/// sends what they ask for. In memory only: later reports name the missing history again.
public struct HistorySync {
  struct Author: Hashable {
    let counter: CounterID
    let writer: WriterID
  }

  /// Quarter hours to read from the core.
  public struct Request: Sendable {
    let counter: CounterID
    fileprivate(set) var marks: [(writer: WriterID, after: HistoryMark)]

    /// The call of the core.
    public var call: Counters.Request<Counters.QuartersReply> {
      .quarterRows(
        counter.description, after: marks.map { Counters.FleetMark($0.writer, $0.after) }, limit: HistorySync.portion)
    }
  }

  /// A request for the digests that the core has now, of writers whose history is to be asked for.
  public struct DigestRequest: Sendable {
    let counter: CounterID
    let writers: [WriterID]

    /// The call of the core.
    public var call: Counters.Request<Counters.DigestsReply> {
      .historyDigests(counter.description, writers: writers.map(\.description))
    }
  }

  /// The time within which a question or a reply is not repeated, in nanoseconds.
  var patience = usualPatience
  private static let usualPatience: Int64 = 5_000_000_000
  /// The maximum number of repeated questions for the same history; the last is after ten minutes.
  var mostTries = 8
  /// The maximum number of stations remembered per writer.
  private static let mostHolders = 8
  /// The maximum number of registers in a reply.
  private static let portion: Int64 = 800
  /// The maximum number of registers that are sent in a second, apart from the last portion.
  var most = 8_000

  /// The time of the last question about each writer, in nanoseconds since the boot.
  private var asked: [Author: Int64] = [:]
  private var answered: [Author: (after: HistoryMark, time: Int64)] = [:]
  /// The histories that other stations know and that were missing here at the time of their report.
  private var missing: [Author: Missing] = [:]
  /// The wait before a question, in nanoseconds: most counts in a report arrive without a question.
  private static let usualDelay: Int64 = 2_000_000_000
  /// The earliest time at which a missing history is due.
  private var earliest: Int64 = .max
  /// The maximum numbers of writers with a missing history, and of questions in a second.
  private static let (mostMissing, mostQuestions) = (32_768, 1_000)
  /// The maximum numbers of remembered questions and replies, and of waiting questions from other stations.
  private static let (mostRemembered, mostWaiting) = (131_072, 1_024)
  private static let second: Int64 = 1_000_000_000
  private var delay: Int64 { min(Self.usualDelay, patience) }
  private var queue: [Request] = []
  /// Whether the core has not returned the rows of the last request yet.
  private var isReading = false
  private var sending = RowPace()

  public init() {}

  /// The history of a writer, as other stations know it.
  private struct Missing {
    /// The stations that have reported the history; the last element is asked next.
    var holders: [String]
    /// The digest with the highest mark that the holders reported.
    var digest: HistoryDigest
    /// This station's mark when the wait began.
    var mark: HistoryMark
    /// Whether the last registers were equal when the wait began, so that an earlier one is missing.
    let hasGap: Bool
    /// The time of the next question, in nanoseconds since the boot.
    var due: Int64
    /// The number of questions since the last progress.
    var tries = 0

    mutating func add(_ holder: String, _ digest: HistoryDigest, due time: Int64) {
      due = min(due, time)
      holders.removeAll { $0 == holder }
      holders = holders.suffix(HistorySync.mostHolders - 1) + [holder]
      if self.digest.mark <= digest.mark { self.digest = digest }
    }

    /// Returns the station to ask now, and moves it to the start of ``holders``, so that it is asked last.
    mutating func next() -> String {
      let holder = holders.removeLast()
      holders.insert(holder, at: 0)
      return holder
    }
  }

  /// Whether a reply of this station or of others is missing.
  public var isWaiting: Bool { !missing.isEmpty || !queue.isEmpty }

  // MARK: Asking

  /// Records the histories that are missing here, according to the core.
  public mutating func learn(_ reply: Counters.LearnFleetReply, at now: Int64) {
    for one in reply.missing {
      guard let counter = CounterID(one.counter), let (writer, mark) = one.known.position else { continue }
      miss(
        HistoryDigest(mark: mark, sum: one.known.sum ?? 0),
        beyond: HistoryMark(number: one.number, quarter: one.quarter), of: Author(counter: counter, writer: writer),
        at: one.station, now: now)
    }
  }

  /// Records that another station has a longer history of a writer than this one (which has it up to `mark`), or a
  /// different history.
  mutating func miss(
    _ digest: HistoryDigest, beyond mark: HistoryMark, of author: Author, at holder: String, now: Int64
  ) {
    let due = now &+ delay
    if missing[author] != nil {
      missing[author]?.add(holder, digest, due: due)
    } else if missing.count < Self.mostMissing {
      missing[author] = Missing(
        holders: [holder], digest: digest, mark: mark, hasGap: digest.mark == mark, due: due)
    }
    earliest = min(earliest, due)
  }

  /// The writers that are due. Call ``questions(_:of:at:)`` with the core's reply.
  public mutating func due(at now: Int64) -> [DigestRequest] {
    guard earliest <= now else { return [] }
    // Further writers are returned by the next call.
    let due = missing.lazy.filter { $0.value.due <= now }.prefix(Self.mostQuestions).map(\.key)
    earliest = now &+ Self.second
    return Dictionary(grouping: due, by: \.counter).map { DigestRequest(counter: $0, writers: $1.map(\.writer)) }
  }

  /// The questions to send about writers that are due. As messages get lost and stations leave, questions are repeated
  /// at growing intervals at other stations.
  ///
  /// - Parameter reply: has the digests known here. A writer whose history cannot be merged is missing.
  public mutating func questions(
    _ reply: Counters.DigestsReply, of request: DigestRequest, at now: Int64
  ) -> [HistoryMessage] {
    let known = Dictionary(
      reply.digests.compactMap { digest in
        digest.position.map { ($0.writer, HistoryDigest(mark: $0.mark, sum: digest.sum ?? 0)) }
      }
    ) { $1 }
    let wanted = questions(known, of: request, at: now)
    return wanted.flatMap { HistoryMessage.wanted($1, of: request.counter, from: $0) }
  }

  /// The marks to ask each station for.
  mutating func questions(
    _ known: [WriterID: HistoryDigest], of request: DigestRequest, at now: Int64
  ) -> [String: [WriterID: HistoryMark]] {
    var questions: [String: [WriterID: HistoryMark]] = [:]
    for writer in request.writers {
      let author = Author(counter: request.counter, writer: writer)
      guard var entry = missing[author] else { continue }
      guard let mine = known[writer], mine != entry.digest, entry.hasGap || mine.mark <= entry.digest.mark else {
        missing[author] = nil
        continue
      }
      if entry.mark < mine.mark, !entry.hasGap, delay > 0 {
        // Counts of the writer arrive; the counts of the last report may still be on their way.
        (entry.mark, entry.tries, entry.due) = (mine.mark, 0, now &+ delay)
      } else if ask(author, at: now) {
        // If the last registers are equal, any earlier one may be missing.
        let isWhole = entry.hasGap || mine.mark == entry.digest.mark
        questions[entry.next(), default: [:]][writer] = isWhole ? HistoryMark.none : mine.mark
        entry.due = now &+ patience << Int64(entry.tries)
        entry.tries += 1
      }
      // While the writer counts, a closed gap cannot be distinguished from an open one.
      missing[author] = entry.tries < (entry.hasGap ? min(mostTries, 2) : mostTries) ? entry : nil
    }
    earliest = missing.values.lazy.map(\.due).min().map { max($0, now &+ min(delay, Self.second)) } ?? .max
    return questions
  }

  /// Whether a question about a writer is allowed now.
  private mutating func ask(_ author: Author, at now: Int64) -> Bool {
    if let time = asked[author], now &- time < patience { return false }
    if asked.count >= Self.mostRemembered { asked.removeAll() }
    asked[author] = now
    return true
  }

  /// Whether this station waits for a reply of which a part has arrived. Then the rest is asked for at once.
  private mutating func askForMore(_ author: Author, at now: Int64) -> Bool {
    guard let time = asked[author], now &- time < 12 &* Self.usualPatience else { return false }
    asked[author] = now
    return true
  }

  // MARK: Answering

  /// Queues replies to the questions in messages from `station`. Returns questions of this station, which ask for the
  /// rest of replies that have arrived in part.
  public mutating func hear(
    _ messages: [Counters.StationMessage], of station: String, at now: Int64
  ) -> [HistoryMessage] {
    var questions: [HistoryMessage] = []
    for message in messages {
      guard let history = message.history, let counter = CounterID(history.counter) else { continue }
      if history.of == station {
        answer(history.wanted.compactMap(\.position), of: counter, at: now)
      } else if let page = history.quarters, page.isMore, let writer = WriterID(page.writer),
        askForMore(Author(counter: counter, writer: writer), at: now)
      {
        let mark = HistoryMark(number: page.number, quarter: page.quarter)
        questions += HistoryMessage.wanted([writer: mark], of: counter, from: message.station)
      }
    }
    return questions
  }

  /// Queues the registers after marks. All stations receive a reply, so one reply serves all that ask.
  private mutating func answer(
    _ marks: [(writer: WriterID, mark: HistoryMark)], of counter: CounterID, at now: Int64
  ) {
    guard queue.count < Self.mostWaiting else { return }
    var due: [(writer: WriterID, after: HistoryMark)] = []
    for (writer, mark) in marks.prefix(HistoryMessage.rows) {
      let author = Author(counter: counter, writer: writer)
      if let last = answered[author], last.after == mark, now &- last.time < patience { continue }
      if answered.count >= Self.mostRemembered { answered.removeAll() }
      answered[author] = (mark, now)
      due.append((writer, mark))
    }
    if !due.isEmpty { queue.append(Request(counter: counter, marks: due)) }
  }

  /// The registers to read from the core now; `nil` while the core has not replied to the last request.
  public mutating func next(at now: Int64) -> Request? {
    guard !isReading, !queue.isEmpty, sending.room(of: most, at: now) > 0 else { return nil }
    isReading = true
    return queue.removeFirst()
  }

  /// Records the core's reply to a request, `nil` for a refusal; returns the messages with the registers.
  public mutating func take(_ reply: Counters.QuartersReply?, for request: Request) -> [HistoryMessage] {
    isReading = false
    let pages = reply?.quarters ?? []
    let count = pages.reduce(0) { $0 + $1.quarters.count }
    sending.use(max(count, 1))
    // The next message begins with the writers whose registers did not fit.
    if count >= Int(Self.portion), let last = pages.last.flatMap({ WriterID($0.writer) }) {
      var rest = request
      rest.marks.removeFirst((rest.marks.lastIndex { $0.writer == last } ?? rest.marks.count - 1) + 1)
      if !rest.marks.isEmpty { queue.insert(rest, at: 0) }
    }
    return pages.flatMap(\.pages).map { HistoryMessage(request.counter, .page($0)) }
  }
}

/// Limits a number of rows per second.
struct RowPace {
  private var (start, used) = (Int64.min / 2, 0)

  mutating func room(of most: Int, at now: Int64) -> Int {
    if now &- start >= ResetSync.second { (start, used) = (now, 0) }
    return max(most - used, 0)
  }

  mutating func use(_ count: Int) { used += count }
}

extension Counters.FleetMark {
  /// The writer and its mark; `nil` for invalid values.
  fileprivate var position: (writer: WriterID, mark: HistoryMark)? {
    guard let writer = WriterID(writer), let mark = HistoryMark(received: number, quarter: quarter) else { return nil }
    return (writer, mark)
  }
}

extension Counters.FleetQuarters {
  /// The quarter hours as pages that fit into a message.
  fileprivate var pages: [HistoryMessage.Page] {
    guard let writer = WriterID(writer) else { return [] }
    return stride(from: 0, to: quarters.count, by: HistoryMessage.rows).compactMap { start in
      let rows = quarters[start..<min(start + HistoryMessage.rows, quarters.count)]
      guard let last = rows.last else { return nil }
      let registers = rows.map { row in
        let register = QuarterRegister(
          number: row.number, counts: row.counts, added: row.added, subtracted: row.subtracted, first: row.first,
          last: row.last)
        return (row.quarter, register)
      }
      return HistoryMessage.Page(
        writer, until: HistoryMark(number: last.number, quarter: last.quarter), Dictionary(registers) { $1 },
        hasMore: isMore && rows.endIndex == quarters.count)
    }
  }
}
