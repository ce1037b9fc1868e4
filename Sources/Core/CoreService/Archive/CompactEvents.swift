import Counting

/// Short lines of text for the events of an import, in a file that only this object writes. A line has the event's
/// numbers, and the indices of its name and cause.
///
/// An import delays all other calls while it reads its events, and JSON takes ten times as long. The caller keeps
/// events with rare fields, and events whose name or cause is not among the first ones, in another form.
struct CompactEvents {
  private var names = Indexed<CounterName>()
  private var causes = Indexed<Cause>()

  /// The line of an event, with its line break; `nil` if it has no compact form.
  mutating func line(_ event: Event) -> [UInt8]? {
    guard event.alterations.isEmpty, event.boundary == nil, event.about == nil, event.note == nil,
      let kind = Self.kinds.firstIndex(of: event.kind), let subject = Self.subjects.firstIndex(of: event.subject),
      let name = names.index(of: event.name, isSame: { $0.text.isSpelt(like: $1.text) }),
      let cause = causes.index(of: event.cause, isSame: { $0.isSpelt(like: $1) })
    else { return nil }
    var decimals: Int64 = -1
    if case .decimal(let number) = event.unit { decimals = number }
    let numbers: [Int64] = [
      event.sequence, event.time, Int64(kind), Int64(subject), event.counter.number, event.change, event.value,
      event.presence.rawValue, event.undoes ?? 0, event.marks.rawValue, decimals, Int64(name), Int64(cause),
      event.batch ?? 0,
    ]
    var line: [UInt8] = []
    line.reserveCapacity(96)
    for number in numbers {
      line.append(contentsOf: String(number).utf8)
      line.append(UInt8(ascii: " "))
    }
    line[line.count - 1] = UInt8(ascii: "\n")
    return line
  }

  /// The event of a line without its line break; `nil` if this object did not write it.
  func event(_ line: ArraySlice<UInt8>) -> Event? {
    var numbers = Numbers(line)
    guard let sequence = numbers.next(), let time = numbers.next(), let kind = Self.kinds.at(numbers.next()),
      let subject = Self.subjects.at(numbers.next()), let id = numbers.next(), let change = numbers.next(),
      let value = numbers.next(), let presence = numbers.next().flatMap(Event.Presence.init),
      let undoes = numbers.next(), let marks = numbers.next(), let decimals = numbers.next(),
      let name = names.values.at(numbers.next()), let cause = causes.values.at(numbers.next()),
      let batch = numbers.next()
    else { return nil }
    return Event(
      sequence: sequence, time: time, kind: kind, subject: subject, counter: Counter.ID(id), name: name,
      unit: decimals < 0 ? .time : .decimal(decimals), change: change, value: value, presence: presence,
      undoes: undoes == 0 ? nil : undoes, cause: cause, marks: Event.Marks(rawValue: marks),
      batch: batch == 0 ? nil : batch)
  }

  private static let kinds = Event.Kind.allCases
  private static let subjects: [Event.Subject] = [.counter, .group, .formula, .all]
}

/// Texts and their indices; a bounded number of them.
private struct Indexed<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var indices: [Value: Int] = [:]

  private static var most: Int { 4096 }

  /// - Parameter isSame: whether two equal values have the same spelling; other spellings are kept.
  mutating func index(of value: Value, isSame: (Value, Value) -> Bool) -> Int? {
    if let index = indices[value] { return isSame(values[index], value) ? index : nil }
    guard values.count < Self.most else { return nil }
    indices[value] = values.count
    values.append(value)
    return values.count - 1
  }
}

extension String {
  fileprivate func isSpelt(like other: String?) -> Bool { other.map { utf8.elementsEqual($0.utf8) } ?? false }
}

extension Cause {
  fileprivate func isSpelt(like other: Cause) -> Bool {
    producer.isSpelt(like: other.producer) && device?.isSpelt(like: other.device) ?? true
      && gesture?.isSpelt(like: other.gesture) ?? true
  }
}

/// Decimal numbers with a space between two.
private struct Numbers {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, place) = (bytes, bytes.startIndex) }

  /// The next number; `nil` if there is none.
  mutating func next() -> Int64? {
    var isNegative = false
    if place < bytes.endIndex, bytes[place] == UInt8(ascii: "-") {
      isNegative = true
      place += 1
    }
    // The least number has no positive counterpart.
    let first = place
    var number: Int64 = 0
    while place < bytes.endIndex, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] {
      let (product, isLong) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarge) = product.subtractingReportingOverflow(Int64(bytes[place] - UInt8(ascii: "0")))
      guard !isLong, !isLarge else { return nil }
      number = sum
      place += 1
    }
    guard place > first else { return nil }
    if place < bytes.endIndex {
      guard bytes[place] == UInt8(ascii: " ") else { return nil }
      place += 1
    }
    if isNegative { return number }
    return number == .min ? nil : -number
  }
}

extension Array {
  fileprivate func at(_ index: Int64?) -> Element? {
    guard let index, 0..<Int64(count) ~= index else { return nil }
    return self[Int(index)]
  }
}
