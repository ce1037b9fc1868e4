import CoreAPI
import Counting
import Fleet

/// The values in messages that a bridge passes on. Any client with the right to share may call itself a bridge, so each
/// value is checked like any untrusted input.
extension Counters.FleetCounts {
  func message() throws(MessageError) -> Message {
    guard let id = CounterID(counter) else { throw .wrong("counter") }
    guard period.map(Event.times.contains) ?? true else { throw .wrong("period") }
    guard of.map({ Membership.isName($0) }) ?? true else { throw .wrong("of") }
    let asked = try asked.entries("asked")
    return Message(
      CounterPeriod(id, start: period),
      Replica(
        registers: try registers.rows("registers"), resets: try resets.values("resets", \.value),
        undone: try undone.entries("undone")),
      held: try held.values("held") { held in held.entry.value.map { ($0, held.digest) } },
      asked: asked, of: asked.isEmpty ? nil : of, page: try quarters?.page())
  }
}

extension Counters.FleetHistory {
  func message() throws(MessageError) -> HistoryMessage {
    guard let id = CounterID(counter) else { throw .wrong("counter") }
    if has(.known) {
      let digests = try known.limited("history").values("history") { row in
        row.mark.map { ($0.writer, HistoryDigest(mark: $0.mark, sum: row.sum ?? 0)) }
      }
      return HistoryMessage(id, .known(digests))
    }
    if has(.wanted) {
      guard let of, Membership.isName(of) else { throw .wrong("of") }
      return HistoryMessage(id, .wanted(try wanted.limited("wanted").values("wanted", \.mark), of: of))
    }
    guard let quarters else { throw .wrong("quarters") }
    return HistoryMessage(id, .page(try quarters.page()))
  }
}

extension Counters.FleetEntry {
  var value: Entry? { Entry(received: writer, number: number) }
}

extension Counters.FleetReset {
  /// The reset; `nil` for one that no station can have made.
  fileprivate var value: (Entry, Reset)? {
    guard let entry = entry.value, 0...Int64(ReplicaStore.maximumRows) ~= size, base == nil || base?.value != nil,
      let seen = try? registers.rows("registers")
    else { return nil }
    return (entry, Reset(on: base?.value, size: Int(size), seen: seen))
  }
}

extension Counters.FleetMark {
  var mark: (writer: WriterID, mark: HistoryMark)? {
    guard let writer = WriterID(writer), let mark = HistoryMark(received: number, quarter: quarter) else { return nil }
    return (writer, mark)
  }
}

extension Counters.FleetQuarters {
  fileprivate func page() throws(MessageError) -> HistoryMessage.Page {
    guard let writer = WriterID(writer) else { throw .wrong("writer") }
    guard let until = HistoryMark(received: number, quarter: quarter) else { throw .wrong("until") }
    let registers = try quarters.limited("quarters").values("quarters") { row in
      QuarterRegister(
        received: row.number, in: row.quarter, counts: row.counts, added: row.added, subtracted: row.subtracted,
        first: row.first, last: row.last
      ).map { (row.quarter, $0) }
    }
    return HistoryMessage.Page(writer, until: until, registers, hasMore: isMore)
  }
}

extension Array {
  /// The keys and values of all elements.
  ///
  /// - Throws: ``MessageError/wrong(_:)`` for an element without a value, and for two with one key.
  fileprivate func values<Key: Hashable, Value>(
    _ member: String, _ value: (Element) -> (Key, Value)?
  ) throws(MessageError) -> [Key: Value] {
    var values: [Key: Value] = [:]
    for element in self {
      guard let (key, value) = value(element), values.updateValue(value, forKey: key) == nil else {
        throw .wrong(member)
      }
    }
    return values
  }

  fileprivate func limited(_ member: String) throws(MessageError) -> Self {
    guard count <= HistoryMessage.rows else { throw .wrong(member) }
    return self
  }
}

extension [Counters.FleetRegister] {
  fileprivate func rows(_ member: String) throws(MessageError) -> [WriterID: Register] {
    try values(member) { row in
      guard let writer = WriterID(row.writer) else { return nil }
      return Register(received: row.number, added: row.added, subtracted: row.subtracted, counts: row.counts)
        .map { (writer, $0) }
    }
  }
}

extension [Counters.FleetEntry] {
  fileprivate func entries(_ member: String) throws(MessageError) -> Set<Entry> {
    let entries = Set(compactMap(\.value))
    guard allSatisfy({ $0.value != nil }) else { throw .wrong(member) }
    return entries
  }
}
