/// Parses a time from left to right. A method that returns `nil` may have consumed part of it.
struct TimeReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    // A valid time has at most 64 bytes.
    rest = text.utf8.count <= 64 ? Array(text.utf8)[...] : [0]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ word: String) -> Bool {
    let word = Array(word.utf8)
    guard rest.starts(with: word) else { return false }
    rest = rest.dropFirst(word.count)
    return true
  }

  private mutating func number(digits: Int, _ range: ClosedRange<Int>) -> Int? {
    let found = rest.prefix(digits)
    guard found.count == digits, found.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let value = found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard range ~= value else { return nil }
    rest = rest.dropFirst(digits)
    return value
  }

  /// `2026-11-21`
  mutating func date() -> CalendarDate? {
    let before = rest
    if let year = number(digits: 4, 1...9999), skip("-"), let month = number(digits: 2, 1...12), skip("-"),
      let day = number(digits: 2, 1...31), let date = CalendarDate(year: year, month: month, day: day)
    {
      return date
    }
    rest = before
    return nil
  }

  /// `14:05`, `9:05` or `14:05:30`, with a fraction of a second or without.
  mutating func clock() -> (second: Int, microseconds: Int64)? {
    guard let hour = number(digits: 2, 0...23) ?? number(digits: 1, 0...9), skip(":"),
      let minute = number(digits: 2, 0...59)
    else { return nil }
    guard skip(":") else { return (hour * 3600 + minute * 60, 0) }
    guard let second = number(digits: 2, 0...59) else { return nil }
    return skip(".")
      ? fraction().map { (hour * 3600 + minute * 60 + second, $0) } : (hour * 3600 + minute * 60 + second, 0)
  }

  /// One to nine digits; digits beyond microseconds are dropped.
  private mutating func fraction() -> Int64? {
    let digits = rest.prefix { 0x30...0x39 ~= $0 }
    guard 1...9 ~= digits.count else { return nil }
    rest = rest.dropFirst(digits.count)
    let six = Array(digits.prefix(6)) + Array(repeating: 0x30, count: max(0, 6 - digits.count))
    return six.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// `Z`, `+01:00`, `+0100` or `+01`, in seconds east of universal time.
  mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2, 0...14) else { return nil }
    guard skip(":") || !isAtEnd else { return sign * hours * 3600 }
    guard let minutes = number(digits: 2, 0...59) else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
