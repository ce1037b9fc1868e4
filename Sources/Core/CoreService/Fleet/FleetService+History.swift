import CoreAPI
import Counting
import Fleet
import Journal
import Linux

/// The fleet's history by quarter hours: this station's digests, questions and replies.
extension FleetService {
  /// The maximum number of registers in a reply.
  private static let mostAnswered = 800
  /// The maximum number of digests per counter after a connection: those of the last heard writers.
  private static let mostDigests = 4_096
  /// The number of unreported quarter hours from which a register is published without its page, and others must ask.
  private static let mostUnheard = 200

  private var tables: FleetTables { core.store.fleetTables }

  // MARK: Hearing

  /// Merges a message about the history.
  func learn(_ message: HistoryMessage, from name: String) -> [Counters.Publication] {
    guard let local = member.locals[message.counter] else { return [] }
    switch message.content {
    case .known(let digests): return compare(digests, of: name, message.counter, local)
    case .wanted(let marks, let station):
      guard station == membership?.station else { return [] }
      return history(answer(marks, of: message.counter, local))
    case .page(let page): return learn(page, of: message.counter, local, from: name)
    }
  }

  /// Records what the sender knows and this station lacks; returns the questions that are due.
  private func compare(
    _ digests: [WriterID: HistoryDigest], of name: String, _ counter: CounterID, _ local: Counter.ID
  ) -> [Counters.Publication] {
    let now = Clock.boottime()
    // Under its own name a station receives messages of copies, which know other counts, and perhaps its own.
    let isOther = name != membership?.station
    for (writer, digest) in digests {
      let author = HistoryChanges.Author(local, writer)
      if isOther, writer == member.station.writer { talk.confirm(digest.mark, of: author) }
      // An unreadable journal accepts no history.
      guard let mine = try? tables.digest(of: author) else { continue }
      guard digest != mine, !tables.refused.contains(author) else {
        talk.changed.remove(author)
        continue
      }
      if digest.mark <= mine.mark, mine != .none { talk.changed.insert(author) }
      guard writer != member.station.writer, digest.mark >= mine.mark else { continue }
      talk.miss(digest, beyond: mine.mark, of: author, at: name, now: now)
    }
    scheduleReport()
    return historyQuestions()
  }

  /// Marks writers whose counts have just become known for the next report, because their history is missing here:
  /// other stations send only the history of writers that a report names.
  func tellMissingHistory(of writers: Set<WriterID>, _ counter: CounterID) {
    guard let local = member.locals[counter] else { return }
    for writer in writers {
      let author = HistoryChanges.Author(local, writer)
      guard !tables.refused.contains(author), (try? tables.digest(of: author)) == HistoryDigest.none else { continue }
      talk.changed.insert(author)
    }
  }

  /// Asks other stations for the history that is still missing here.
  func historyQuestions() -> [Counters.Publication] {
    let due = talk.questions(at: Clock.boottime()) { author in
      tables.refused.contains(author) ? nil : try? tables.digest(of: author)
    }
    var wanted: [CounterID: [String: [WriterID: HistoryMark]]] = [:]
    for (author, after, holder) in due {
      guard let id = member.counters[author.counter], author.writer != member.station.writer else { continue }
      wanted[id, default: [:]][holder, default: [:]][author.writer] = after
    }
    return wanted.flatMap { id, holders in
      holders.flatMap { holder, marks in history(HistoryMessage.wanted(marks, of: id, from: holder)) }
    }
  }

  private func learn(
    _ page: HistoryMessage.Page, of counter: CounterID, _ local: Counter.ID, from name: String
  ) -> [Counters.Publication] {
    // A present writer with later counts is closed when its register arrives; then its history is asked for.
    guard page.writer != member.station.writer else { return [] }
    for (quarter, register) in page.registers {
      let key = HistoryChanges.Key(local, page.writer, quarter)
      guard let former = try? tables.quarter(key) ?? QuarterRegister(), former < register else { continue }
      member.hear(register, key)
    }
    guard page.hasMore, talk.askForMore(.init(local, page.writer), at: Clock.boottime()) else { return [] }
    return history(HistoryMessage.wanted([page.writer: page.until], of: counter, from: name))
  }

  // MARK: Saying

  private func history(_ messages: [HistoryMessage]) -> [Counters.Publication] { answers(messages.map(\.text)) }

  /// The registers after marks, of committed entries only.
  private func answer(
    _ marks: [WriterID: HistoryMark], of counter: CounterID, _ local: Counter.ID
  ) -> [HistoryMessage] {
    guard !talk.isBeginning else { return [] }
    var pages: [HistoryMessage.Page] = []
    var room = Self.mostAnswered
    let now = Clock.boottime()
    for (writer, after) in marks.sorted(by: { $0.key < $1.key }) {
      let author = HistoryChanges.Author(local, writer)
      guard room > 0 else {
        // The next report contains the writer's digest, so that the station asks again.
        if ((try? tables.digest(of: author)) ?? .none) != .none { talk.changed.insert(author) }
        continue
      }
      guard talk.answer(author, after: after, at: now) else { continue }
      let found = self.pages(of: author, after: after, most: room)
      room -= found.reduce(0) { $0 + $1.registers.count }
      pages += found
    }
    scheduleReport()
    return pages.map { HistoryMessage(counter, .page($0)) }
  }

  private func pages(
    of author: HistoryChanges.Author, after start: HistoryMark, most: Int
  ) -> [HistoryMessage.Page] {
    let length = HistoryMessage.rows
    guard let found = try? tables.quarters(of: author, after: start, most: most + 1) else { return [] }
    let rows = found.prefix(most)
    return stride(from: 0, to: rows.count, by: length).map { first in
      let isLast = first + length >= rows.count
      return page(of: author.writer, rows.dropFirst(first).prefix(length), hasMore: isLast && found.count > rows.count)
    }
  }

  private func page(
    of writer: WriterID, _ rows: some Sequence<(quarter: Int64, register: QuarterRegister)>, hasMore: Bool = false
  ) -> HistoryMessage.Page {
    let registers = Dictionary(rows.map { ($0.quarter, $0.register) }, uniquingKeysWith: max)
    let last = registers.lazy.map { HistoryMark(number: $1.number, quarter: $0) }.max()
    return .init(writer, until: last ?? .none, registers, hasMore: hasMore)
  }

  /// The digests of a counter. For writers known only by their counts the digest is ``HistoryDigest/none``.
  private func allDigests(of counter: CounterID, _ local: Counter.ID) -> [WriterID: HistoryDigest] {
    var digests = (try? tables.digests(of: local, most: Self.mostDigests)) ?? [:]
    let knowledge = member.station.knowledge
    for period in knowledge.periods where period.counter == counter {
      for writer in knowledge[period].registers.keys where digests[writer] == nil && digests.count < Self.mostDigests {
        let author = HistoryChanges.Author(local, writer)
        if !tables.refused.contains(author), let digest = try? tables.digest(of: author) { digests[writer] = digest }
      }
    }
    return digests
  }

  /// The last quarter hours of the present writer that no other station has reported.
  func lastPage(of counter: CounterID) -> HistoryMessage.Page? {
    guard let local = member.locals[counter], let writer = member.station.writer, !talk.isBeginning else { return nil }
    let author = HistoryChanges.Author(local, writer)
    let start = talk.confirmed[author] ?? .none
    guard let found = try? tables.quarters(of: author, after: start, most: Self.mostUnheard), !found.isEmpty,
      found.count < Self.mostUnheard
    else { return nil }
    return page(of: writer, found.suffix(Message.pageRows))
  }

  // MARK: The timer

  func sendDueMessages() { bridge.send(dueMessages()) }

  /// The messages that are due: kept counts, and questions about the history.
  func dueMessages() -> [Counters.Publication] {
    isTalkArmed = false
    guard membership != nil else { return [] }
    defer { scheduleTalk() }
    let news = kept.isDue ? allKept() : []
    kept.isDue = false
    return news + historyQuestions()
  }

  func scheduleTalk() {
    guard talk.isWaiting || kept.isDue, !isTalkArmed else { return }
    isTalkArmed = true
    talking?.arm(at: Clock.boottime() &+ 1_000_000_000)
  }

  /// The digests that have changed since the last report; in the first report of a connection all digests.
  func historyNews() -> [Counters.Publication] {
    let isAll = talk.isTellingAll && !talk.isBeginning
    if isAll { talk.isTellingAll = false }
    let changed = Dictionary(grouping: talk.changed, by: \.counter)
    talk.changed = []
    return history(
      member.counters.flatMap { local, id in
        var digests = isAll ? allDigests(of: id, local) : [:]
        for author in changed[local] ?? [] { digests[author.writer] = try? tables.digest(of: author) }
        return HistoryMessage.known(digests, of: id)
      })
  }
}
