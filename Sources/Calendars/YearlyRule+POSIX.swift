extension YearlyRule {
  /// Reads what stands at the end of a zone's file.
  ///
  /// - Returns: `nil` for anything but `STD offset [DST [offset] ,start[/time],end[/time]]`.
  init?(posix text: some Collection<UInt8>) {
    var reader = PosixReader(rest: Array(text)[...])
    guard reader.skipName(), let west = reader.time(hours: 0...24) else { return nil }
    standard = -west
    if reader.rest.isEmpty {
      daylight = nil
      return
    }
    guard reader.skipName() else { return nil }
    var offset = standard + 3600
    if reader.rest.first != UInt8(ascii: ",") {
      guard let west = reader.time(hours: 0...24) else { return nil }
      offset = -west
    }
    guard let start = reader.moment(), let end = reader.moment(), reader.rest.isEmpty else { return nil }
    daylight = Daylight(offset: offset, start: start, end: end)
  }
}

/// Goes through a text of POSIX's `TZ` once, from left to right.
private struct PosixReader {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Three letters or more, or anything between angle brackets.
  mutating func skipName() -> Bool {
    if skip("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let name = rest.prefix { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 & 0xDF }
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    var value = 0
    var digits = 0
    while digits < 4, let byte = rest.first, 0x30...0x39 ~= byte {
      value = value * 10 + Int(byte - 0x30)
      digits += 1
      rest.removeFirst()
    }
    return digits > 0 && range ~= value ? value : nil
  }

  /// `[+|-]hh[:mm[:ss]]` in seconds.
  mutating func time(hours: ClosedRange<Int>) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard var seconds = number(hours).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where skip(":") {
      guard let part = number(0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func moment() -> YearlyRule.Moment? {
    guard skip(","), let day = day() else { return nil }
    guard skip("/") else { return YearlyRule.Moment(day: day, second: 2 * 3600) }
    return time(hours: 0...167).map { YearlyRule.Moment(day: day, second: $0) }
  }

  private mutating func day() -> YearlyRule.Moment.Day? {
    if skip("J") { return number(1...365).map { .julian($0) } }
    guard skip("M") else { return number(0...365).map { .ordinal($0) } }
    guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let weekday = number(0...6)
    else { return nil }
    return .weekday(month: month, week: week, weekday: weekday)
  }
}
