import CoreAPI
import Counting
import Fleet
import Journal
import Linux

/// The fleet's history by quarter hours: its merge, its digests, and the rows that the bridge sends to others.
extension FleetService {
  /// The maximum number of digests per counter after a connection: those of the last heard writers.
  private static let mostDigests = 4_096
  /// The number of unreported quarter hours from which a register is published without them, so that other stations
  /// must ask for them.
  private static let mostUnheard = 200

  private var tables: FleetTables { core.store.fleetTables }

  // MARK: Hearing

  /// Merges a message about the history; returns the history that is missing here. The bridge handles the questions in
  /// messages.
  func learn(_ message: HistoryMessage, from name: String) -> [MissingHistory] {
    switch message.content {
    case .known(let digests): return compare(digests, of: name, message.counter)
    case .wanted: break
    case .page(let page): learn(page, of: message.counter)
    }
    return []
  }

  private func compare(
    _ digests: [WriterID: HistoryDigest], of name: String, _ counter: CounterID
  ) -> [MissingHistory] {
    guard let local = member.locals[counter] else { return [] }
    var missing: [MissingHistory] = []
    // A message under this station's own name comes from this station, or from a copy of it that knows other counts.
    let isOther = name != membership?.station
    for (writer, digest) in digests {
      let author = HistoryChanges.Author(local, writer)
      if isOther, writer == member.station.writer { history.confirm(digest.mark, of: author) }
      // An unreadable journal accepts no history.
      guard let mine = try? tables.digest(of: author) else { continue }
      guard digest != mine, !tables.refused.contains(author) else {
        history.changed.remove(author)
        continue
      }
      if digest.mark <= mine.mark, mine != .none { history.changed.insert(author) }
      guard writer != member.station.writer, digest.mark >= mine.mark else { continue }
      missing.append(.init(station: name, counter: counter, writer: writer, digest: digest, mark: mine.mark))
    }
    offerReport()
    return missing
  }

  /// Marks writers whose counts have just become known for the next report, because their history is missing here:
  /// other stations send only the history of writers that a report names.
  func tellMissingHistory(of writers: Set<WriterID>, _ counter: CounterID) {
    guard let local = member.locals[counter] else { return }
    for writer in writers {
      let author = HistoryChanges.Author(local, writer)
      guard !tables.refused.contains(author), (try? tables.digest(of: author)) == HistoryDigest.none else { continue }
      history.changed.insert(author)
    }
  }

  func learn(_ page: HistoryMessage.Page, of counter: CounterID) {
    // A present writer with later counts is closed when its register arrives; then its history is asked for.
    guard let local = member.locals[counter], page.writer != member.station.writer else { return }
    for (quarter, register) in page.registers {
      let key = HistoryChanges.Key(local, page.writer, quarter)
      guard let former = try? tables.quarter(key) ?? QuarterRegister(), former < register else { continue }
      member.hear(register, key)
    }
  }

  // MARK: Reading

  private func local(_ counter: String?) -> Counter.ID? {
    counter.flatMap(CounterID.init).flatMap { member.locals[$0] }
  }

  /// The digests of writers whose history can be learned.
  func digests(of writers: some Sequence<WriterID>, _ counter: String?) -> [Counters.FleetMark] {
    guard let local = local(counter) else { return [] }
    return writers.compactMap { writer in
      let author = HistoryChanges.Author(local, writer)
      guard writer != member.station.writer, !tables.refused.contains(author) else { return nil }
      return (try? tables.digest(of: author)).map { .init(writer, $0) }
    }
  }

  /// The registers after marks, of committed entries only.
  func quarters(after marks: [Counters.FleetMark], _ counter: String?, most: Int) -> [Counters.FleetQuarters] {
    guard let local = local(counter), !history.isBeginning else { return [] }
    var (quarters, room): ([Counters.FleetQuarters], Int) = ([], most)
    for (writer, after) in marks.lazy.compactMap(\.mark) where room > 0 {
      let author = HistoryChanges.Author(local, writer)
      guard let found = try? tables.quarters(of: author, after: after, most: room + 1) else { continue }
      let rows = found.prefix(room)
      room -= rows.count
      guard let last = rows.last else { continue }
      quarters.append(
        .init(
          writer: writer.description, number: last.register.number, quarter: last.quarter,
          isMore: found.count > rows.count,
          quarters: rows.map { quarter, register in
            .init(
              quarter: quarter, number: register.number, counts: register.counts, added: register.added,
              subtracted: register.subtracted, first: register.first, last: register.last)
          }))
    }
    return quarters
  }

  // MARK: Saying

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
    guard let local = member.locals[counter], let writer = member.station.writer, !history.isBeginning else {
      return nil
    }
    let author = HistoryChanges.Author(local, writer)
    let start = history.confirmed[author] ?? .none
    guard let found = try? tables.quarters(of: author, after: start, most: Self.mostUnheard), !found.isEmpty,
      found.count < Self.mostUnheard
    else { return nil }
    let registers = Dictionary(found.suffix(Message.pageRows).map { ($0.quarter, $0.register) }, uniquingKeysWith: max)
    let last = registers.lazy.map { HistoryMark(number: $1.number, quarter: $0) }.max()
    return .init(writer, until: last ?? .none, registers)
  }

  /// The digests that have changed since the last report, or all digests.
  func historyNews(isAll: Bool = false) -> [Counters.Publication] {
    let changed = Dictionary(grouping: history.changed, by: \.counter)
    history.changed = []
    return answers(
      member.counters.flatMap { local, id in
        var digests = isAll ? allDigests(of: id, local) : [:]
        for author in changed[local] ?? [] { digests[author.writer] = try? tables.digest(of: author) }
        return HistoryMessage.known(digests, of: id).map(\.text)
      })
  }
}

extension Counters.FleetMark {
  fileprivate init(_ writer: WriterID, _ digest: HistoryDigest) {
    self.init(
      writer: writer.description, number: digest.mark.number, quarter: digest.mark.quarter, sum: digest.sum)
  }
}
