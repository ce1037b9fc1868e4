import Counting
public import JSON

/// A message about the history of a counter by quarter hours. Messages may be lost, repeated, late and in any order:
/// the registers count one by one, and the digests of stations show whether any are missing.
///
/// ```
/// {"version":1,"counter":"7b1e…","history":[["03ac…",57,1960000,-4738…]]}
/// {"version":1,"counter":"7b1e…","wanted":[["03ac…",40,1959998]],"of":"door1"}
/// {"version":1,"counter":"7b1e…","writer":"03ac…","until":[57,1960000],
///  "quarters":[[1960000,57,12,60,3,1764000000000000,1764000300000000]]}
/// ```
public struct HistoryMessage: Equatable, Sendable {
  public let counter: CounterID
  public let content: Content

  public enum Content: Equatable, Sendable {
    /// The sender reports the digests of the writers that it knows.
    case known([WriterID: HistoryDigest])
    /// The sender asks a station for all registers after marks.
    case wanted([WriterID: HistoryMark], of: String)
    case page(Page)
  }

  /// Registers of a writer.
  public struct Page: Equatable, Sendable {
    public let writer: WriterID
    /// The mark of the last register.
    public let until: HistoryMark
    /// The registers, by the numbers of their quarter hours.
    public let registers: [Int64: QuarterRegister]
    /// Whether the sender has more registers after these.
    public let hasMore: Bool

    public init(
      _ writer: WriterID, until: HistoryMark, _ registers: [Int64: QuarterRegister], hasMore: Bool = false
    ) {
      (self.writer, self.until, self.registers, self.hasMore) = (writer, until, registers, hasMore)
    }
  }

  /// The maximum number of registers or marks in a message: each takes less than 140 bytes.
  public static let rows = 100

  public init(_ counter: CounterID, _ content: Content) { (self.counter, self.content) = (counter, content) }

  /// Messages with all digests.
  public static func known(_ digests: [WriterID: HistoryDigest], of counter: CounterID) -> [HistoryMessage] {
    parts(of: digests).map { HistoryMessage(counter, .known($0)) }
  }

  /// Messages that ask a station for the registers after each mark.
  public static func wanted(_ marks: [WriterID: HistoryMark], of counter: CounterID, from station: String)
    -> [HistoryMessage]
  {
    parts(of: marks).map { HistoryMessage(counter, .wanted($0, of: station)) }
  }

  private static func parts<Value>(of values: [WriterID: Value]) -> [[WriterID: Value]] {
    let sorted = values.sorted { $0.key < $1.key }
    return stride(from: 0, to: sorted.count, by: rows).map { start in
      Dictionary(uniqueKeysWithValues: sorted[start..<min(start + rows, sorted.count)].map { ($0.key, $0.value) })
    }
  }

  // MARK: Text

  /// The message as JSON text.
  public var text: String {
    EncodedObject { message in
      message.add("version", Message.version)
      message.add("counter", counter.description)
      switch content {
      case .known(let digests):
        message.add("history", digests) { [$0.mark.number, $0.mark.quarter, $0.sum] }
      case .wanted(let marks, let station):
        message.add("wanted", marks) { [$0.number, $0.quarter] }
        message.add("of", station)
      case .page(let page): message.add(page)
      }
    }.description
  }

  /// Parses the members of a message from any sender, whose version was checked; `nil` for another kind of message.
  public init?(parsing members: JSONObject) throws(MessageError) {
    guard ["history", "wanted", "quarters"].contains(where: { members[$0] != nil }) else { return nil }
    guard let counter = members["counter"]?.string.flatMap(CounterID.init) else { throw .wrong("counter") }
    if members["history"] != nil {
      let digests = try members.rows("history") { numbers in
        guard numbers.count == 3, let mark = HistoryMark(numbers.prefix(2)) else { return nil as HistoryDigest? }
        return HistoryDigest(mark: mark, sum: numbers[2])
      }
      self.init(counter, .known(digests))
    } else if members["wanted"] != nil {
      guard let station = members["of"]?.string, Membership.isName(station) else { throw .wrong("of") }
      self.init(counter, .wanted(try members.rows("wanted") { HistoryMark($0[...]) }, of: station))
    } else {
      guard let page = try members.page() else { return nil }
      self.init(counter, .page(page))
    }
  }
}

extension JSONObject {
  /// The page that the members of a message state; `nil` where they have no `quarters`.
  func page() throws(MessageError) -> HistoryMessage.Page? {
    guard self["quarters"] != nil else { return nil }
    guard let writer = self["writer"]?.string.flatMap(WriterID.init) else { throw .wrong("writer") }
    guard let until = self["until"]?.numbers, let until = HistoryMark(until[...]) else { throw .wrong("until") }
    return HistoryMessage.Page(writer, until: until, try registers(), hasMore: self["more"]?.bool ?? false)
  }
}

extension ObjectWriter {
  mutating func add(_ page: HistoryMessage.Page) {
    add("writer", page.writer.description)
    add("until", nil, then: [page.until.number, page.until.quarter])
    if page.hasMore { add("more", true) }
    add("quarters", rows: page.registers.sorted { $0.key < $1.key }) { quarter, register in
      let sums = [quarter, register.number, register.counts, register.added, register.subtracted]
      return (nil, sums + [register.first, register.last].compactMap(\.self))
    }
  }

  /// Adds rows of a writer and numbers.
  fileprivate mutating func add<Value>(
    _ name: StaticString, _ values: [WriterID: Value], _ numbers: (Value) -> [Int64]
  ) {
    add(name, rows: values.sorted { $0.key < $1.key }) { ($0.description, numbers($1)) }
  }
}

extension JSON {
  /// The numbers of an array; `nil` for anything else.
  fileprivate var numbers: [Int64]? {
    guard let values = array else { return nil }
    let numbers = values.compactMap(\.int)
    return numbers.count == values.count ? numbers : nil
  }
}

extension HistoryMark {
  /// A mark with numbers from outside; `nil` for numbers that no mark has.
  public init?(received number: Int64, quarter: Int64) {
    guard number >= 0, Self.quarters ~= quarter else { return nil }
    self.init(number: number, quarter: quarter)
  }

  fileprivate init?(_ numbers: ArraySlice<Int64>) {
    guard numbers.count == 2, let number = numbers.first, let quarter = numbers.last else { return nil }
    self.init(received: number, quarter: quarter)
  }

  /// The quarter hours in which an event can be.
  fileprivate static let quarters = (Event.times.lowerBound / length)...(Event.times.upperBound / length)
  private static let length: Int64 = 900_000_000
}

extension QuarterRegister {
  /// A register with values from outside; `nil` for values that no register of that quarter hour has.
  public init?(
    received number: Int64, in quarter: Int64, counts: Int64, added: Int64, subtracted: Int64, first: Int64?,
    last: Int64?
  ) {
    guard number >= 1, HistoryMark.quarters ~= quarter, (first == nil) == (last == nil),
      [first, last].allSatisfy({ $0.map(Event.times.contains) ?? true })
    else { return nil }
    self.init(number: number, counts: counts, added: added, subtracted: subtracted, first: first, last: last)
  }
}

extension JSONObject {
  fileprivate func rows<Value>(
    _ name: String, _ value: ([Int64]) -> Value?
  ) throws(MessageError) -> [WriterID: Value] {
    guard let rows = self[name]?.array, rows.count <= HistoryMessage.rows else { throw .wrong(name) }
    var values: [WriterID: Value] = [:]
    for row in rows {
      guard let row = row.array, let writer = row.first?.string.flatMap(WriterID.init),
        let numbers = JSON.array(Array(row.dropFirst())).numbers, let value = value(numbers),
        values.updateValue(value, forKey: writer) == nil
      else { throw .wrong(name) }
    }
    return values
  }

  fileprivate func registers() throws(MessageError) -> [Int64: QuarterRegister] {
    guard let rows = self["quarters"]?.array, rows.count <= HistoryMessage.rows else { throw .wrong("quarters") }
    var registers: [Int64: QuarterRegister] = [:]
    for row in rows {
      guard let numbers = row.numbers, [5, 7].contains(numbers.count),
        let register = QuarterRegister(
          received: numbers[1], in: numbers[0], counts: numbers[2], added: numbers[3], subtracted: numbers[4],
          first: numbers.count == 7 ? numbers[5] : nil, last: numbers.count == 7 ? numbers[6] : nil),
        registers.updateValue(register, forKey: numbers[0]) == nil
      else { throw .wrong("quarters") }
    }
    return registers
  }
}
