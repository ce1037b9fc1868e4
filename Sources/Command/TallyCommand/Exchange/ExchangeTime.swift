import Calendars
import Counting
import JSON
import Linux
import Reports

/// Conversion of times in files, which are ISO 8601 with the UTC offset.
enum ExchangeTime {
  /// An entry of the core with an ISO 8601 time.
  static func spelt(_ entry: JSONObject) -> JSONObject {
    guard var event = entry["event"]?.object, let time = event["time"]?.int else { return entry }
    event["time"] = .string(LocalTime(microseconds: time).iso8601)
    return ["event": .object(event)]
  }

  /// An entry with its time in microseconds, for the core.
  static func counted(_ line: JSON) throws(TimeError) -> JSON {
    guard var event = line.object?["event"]?.object, let text = event["time"]?.string else {
      return line
    }
    event["time"] = .int(try moment(text))
    return .object(["event": .object(event)])
  }

  static func moment(_ text: String) throws(TimeError) -> Int64 {
    try TimeText.moment(text, now: Clock.microsecondsSince1970(), in: Zone.local)
  }

  // MARK: Tables

  /// The order of day, month and year in the dates of a table.
  enum DateOrder {
    case dayFirst
    case monthFirst
  }

  /// Parses a time of a table: as people type them, with a day, or the time since 1970 in seconds or smaller units.
  ///
  /// - Parameters:
  ///   - clock: the time of day, if another column has it.
  ///   - order: the order of dates like 1/12/2026; `nil` if it is not known.
  /// - Throws: ``TimeError``; ``UnclearDate`` for a date in an unknown order, and ``ShortYear``.
  static func moment(_ text: String, clock: String?, _ order: DateOrder?) throws -> Int64 {
    do { return try reading(text, clock: clock, order) } catch let unclear as UnclearDate {
      // A text that is no time in either order has another fault.
      guard (try? reading(text, clock: clock, .dayFirst)) == nil else { throw unclear }
      do { _ = try reading(text, clock: clock, .monthFirst) } catch TimeError.unreadable(let text) {
        throw TimeError.unreadable(text)
      }
      throw unclear
    }
  }

  private static func reading(_ text: String, clock: String?, _ order: DateOrder?) throws -> Int64 {
    if let epoch = epoch(text), clock == nil { return epoch.microseconds }
    // A time without a day would mean today.
    if text.prefix(3).contains(":") { throw TimeError.unreadable(text) }
    let date = in24Hours(try isoDate(text, order) ?? text)
    do throws(TimeError) { return try moment(clock.map { "\(date) \(in24Hours($0))" } ?? date) } catch {
      guard case .unreadable = error else { throw error }
      throw TimeError.unreadable(clock.map { "\(text) \($0)" } ?? text)
    }
  }

  /// A text whose time of day, if it is like 1:15 PM, 1:15:30 p.m. or 1pm, is converted to 24 hours.
  private static func in24Hours(_ text: String) -> String {
    var words = text.split(whereSeparator: \.isWhitespace)
    guard let last = words.popLast() else { return text }
    var digits = last.prefix { $0.isNumber || $0 == ":" }
    let half = last.dropFirst(digits.count).lowercased().filter { $0 != "." }
    if digits.isEmpty { digits = words.popLast() ?? "" }
    let hours = digits.prefix { $0 != ":" }
    guard ["am", "pm"].contains(half), let hour = Int(hours), 1...12 ~= hour else { return text }
    let rest = digits.dropFirst(hours.count)
    let clock = "\(hour % 12 + (half == "pm" ? 12 : 0))\(rest.isEmpty ? ":00" : rest)"
    return (words + [clock[...]]).joined(separator: " ")
  }

  /// The reason why a text of a table is no time, with what is missing.
  static func reason(of error: TimeError) -> String {
    guard case .unreadable(let text) = error else { return error.message }
    let (shown, words) = ("“\(text.shortened)” is not a time", text.split(whereSeparator: \.isWhitespace))
    if text.prefix(3).contains(":"), TimeText.secondOfDay(in24Hours(text)) != nil {
      return "\(shown) with its day: the date is missing. Write it like “2026-11-21 \(text.shortened)”"
    }
    if let day = words.first, day.count == 5, day.allSatisfy(\.isNumber) {
      return "\(shown), but perhaps the number of a day in a spreadsheet program. Format the column there as a date, "
        + "and save the table again"
    }
    if text.wholeMatch(of: /\d{4}[-\/.]\d{1,2}|\d{1,2}[-\/.]\d{4}/) != nil {
      return "\(shown): a month has no day. Write one, like 2026-11-01, or leave the row out"
    }
    if !text.contains(where: \.isNumber) {
      return "\(shown). If the row is no count, leave it out; otherwise write a time like 2026-11-21 or "
        + "“2026-11-21 14:05”"
    }
    if text.lowercased().filter({ $0 != "." }).contains(/\d\s*[ap]m$/) {
      return "\(shown): with AM and PM the hours are 1 to 12, and the minutes have two digits"
    }
    return "\(shown). Write it like 2026-11-21, “2026-11-21 14:05” or 2026-11-21T14:05:00+01:00"
  }

  struct UnclearDate: Error { let text: String }

  /// A date whose year has two digits: its century is never guessed.
  struct ShortYear: Error { let text: String }

  /// A text whose date, if it is like 31.12.2026, 12/31/2026 or 2026/12/31, is converted to ISO 8601. Browsers write a
  /// comma after it. The short form of ISO 8601, 20261231T140500+0100, gets its marks.
  private static func isoDate(_ text: String, _ order: DateOrder?) throws -> String? {
    if let short = text.wholeMatch(of: /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(.*)/)?.output {
      return "\(short.1)-\(short.2)-\(short.3)T\(short.4):\(short.5):\(short.6)\(short.7)"
    }
    let date = text.prefix { $0.isNumber || "./-".contains($0) }
    let parts = date.split(whereSeparator: { "./-".contains($0) })
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3, parts.count == 3, date.filter({ !$0.isNumber }).count == 2 else { return nil }
    if parts.allSatisfy({ $0.count <= 2 }) { throw ShortYear(text: text) }
    guard !date.contains("-") else { return nil }
    func iso(_ year: Int, _ month: Int, _ day: Int) -> String {
      let rest = text.dropFirst(date.count).drop { $0 == "," }
      return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)\(rest)"
    }
    if parts[0].count == 4 { return iso(numbers[0], numbers[1], numbers[2]) }
    guard parts[2].count == 4 else { return nil }
    // With full stops the day is always first.
    switch date.contains(".") ? .dayFirst : order {
    case .dayFirst?: return iso(numbers[2], numbers[1], numbers[0])
    case .monthFirst?: return iso(numbers[2], numbers[0], numbers[1])
    case nil: throw UnclearDate(text: text)
    }
  }

  /// The order of the dates in a column, from those with only one reading.
  static func order(of texts: some Sequence<String>) -> DateOrder? {
    var orders: Set<DateOrder> = []
    for text in texts {
      if (try? moment(text, clock: nil, nil)) != nil { continue }
      let isDayFirst = (try? moment(text, clock: nil, .dayFirst)) != nil
      if isDayFirst != ((try? moment(text, clock: nil, .monthFirst)) != nil) {
        orders.insert(isDayFirst ? .dayFirst : .monthFirst)
      }
    }
    return orders.count == 1 ? orders.first : nil
  }

  /// Whether a field is a time, and cannot be another number.
  static func isTime(_ text: String) -> Bool {
    guard text.first?.isNumber ?? false else { return false }
    if epoch(text) != nil { return isInMilliseconds(text) }
    do { return try moment(text, clock: nil, nil) != .max } catch {
      return error is UnclearDate || error is ShortYear
    }
  }

  /// Whether a field is a day, without a time of day.
  static func isDay(_ text: String) -> Bool {
    text.allSatisfy { $0.isNumber || "./-".contains($0) } && epoch(text) == nil
  }

  /// Whether a field, or one of a day beside one of a time of day, is a midnight of the local clocks: a spreadsheet program
  /// writes a day like this.
  static func isMidnight(_ text: String, clock: String?) -> Bool {
    let day = text.prefix { $0.isNumber || "./-".contains($0) }
    let rest = text.dropFirst(day.count).drop { $0 == "," || $0 == "T" || $0.isWhitespace }
    guard isDay(String(day)), rest.isEmpty == (clock != nil) else { return false }
    return in24Hours(clock ?? String(rest)).wholeMatch(of: /0?0:00(:00(\.0+)?)?/) != nil
  }

  /// Whether a field may be the seconds since 1970.
  static func isInSeconds(_ text: String) -> Bool { epoch(text)?.isInSeconds ?? false }

  /// Whether a field is the milliseconds since 1970, or smaller units.
  static func isInMilliseconds(_ text: String) -> Bool { epoch(text).map { !$0.isInSeconds } ?? false }

  /// The time since 1970 in seconds, milliseconds, microseconds or nanoseconds, between the years 1990 and 2100.
  private static func epoch(_ text: String) -> (microseconds: Int64, isInSeconds: Bool)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, 9...19 ~= whole.utf8.count, whole.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int64(whole)
    else { return nil }
    let seconds: Range<Int64> = 631_152_000..<4_102_444_800
    if parts.count == 1 {
      for (unit, factor) in [(1_000, 1_000), (1_000_000, 1)] as [(Int64, Int64)] where seconds ~= number / unit {
        return (number * factor, false)
      }
      if seconds ~= number / 1_000_000_000 { return (number / 1_000, false) }
    }
    guard seconds ~= number, let microseconds = try? Unit.decimal(6).number(text) else { return nil }
    return (microseconds, true)
  }
}
