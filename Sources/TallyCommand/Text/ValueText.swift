import Counting
import Glibc

/// How a counter's numbers read: with its decimals, grouped as the person's locale does it, or as a time.
struct ValueText {
  var unit = Unit.things

  /// A locale's marks, and how many digits its groups have, the last group first.
  typealias Marks = (group: String, point: String, sizes: [Int])

  /// The marks of the person's locale, asked for once.
  static let locale: Marks = {
    unsafe setlocale(LC_ALL, "")
    guard let marks = unsafe localeconv() else { return ("", ".", []) }
    let group = unsafe String(cString: marks.pointee.thousands_sep)
    let point = unsafe String(cString: marks.pointee.decimal_point)
    // CHAR_MAX ends the grouping; the last size goes for all groups in front of it.
    let sizes = unsafe String(cString: marks.pointee.grouping).utf8.map(Int.init).filter { 1..<127 ~= $0 }
    return (group, point.isEmpty ? "." : point, sizes)
  }()

  /// `1.234,50` where people write it so.
  func text(_ units: Int64, signed: Bool = false) -> String {
    let sign = units < 0 ? "−" : signed && units > 0 ? "+" : ""
    let digits = plain(units).drop { $0 == "-" }
    if unit == .time { return sign + digits }
    let parts = digits.split(separator: ".")
    return sign + Self.grouped(String(parts.first ?? "0")) + (parts.count > 1 ? Self.locale.point + parts[1] : "")
  }

  /// `-1234.50` for programs, and for a person who may type it again.
  func plain(_ units: Int64) -> String { unit.text(units) }

  /// A number that the core wrote, such as `-1234.50 %`, as the locale does it; any other text as it is.
  static func localised(_ text: String) -> String {
    let number = text.prefix { "-.0123456789".contains($0) }
    let parts = number.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard text.dropFirst(number.count).isEmpty || text.dropFirst(number.count) == " %", 1...2 ~= parts.count else {
      return text
    }
    let sign = number.first == "-" ? "−" : ""
    return sign + grouped(String(parts[0])) + parts.dropFirst().map { locale.point + $0 }.joined()
      + text.dropFirst(number.count)
  }

  /// Digits in groups, where the locale groups them.
  static func grouped(_ digits: String, as locale: Marks = locale) -> String {
    guard !locale.group.isEmpty, !locale.sizes.isEmpty else { return digits }
    var (groups, rest, sizes) = ([Substring](), digits[...], locale.sizes[...])
    while let size = sizes.first, rest.count > size {
      groups.append(rest.suffix(size))
      rest = rest.dropLast(size)
      if sizes.count > 1 { sizes = sizes.dropFirst() }
    }
    return ([rest] + groups.reversed()).joined(separator: locale.group)
  }

  /// A time as one says it: `3 h 12 min`, `40 s`.
  static func spoken(_ microseconds: Int64) -> String {
    let seconds = max(0, microseconds) / 1_000_000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600:
      return seconds % 60 == 0 || seconds >= 600 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    case ..<172_800:
      return seconds / 60 % 60 == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
    default: return "\(seconds / 86_400) days"
    }
  }
}
