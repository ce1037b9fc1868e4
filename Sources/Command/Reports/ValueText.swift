public import Counting
import Glibc

/// The format of a counter's numbers: decimals with the digit groups of the locale, or a time.
public struct ValueText {
  public var unit = Unit.things
  /// The text after the number, such as “ %”.
  public var suffix = ""

  public init(unit: Unit = .things, suffix: String = "") { (self.unit, self.suffix) = (unit, suffix) }

  /// The separators of the locale, and the sizes of its digit groups, the last group first.
  public typealias Marks = (group: String, point: String, sizes: [Int])

  /// The separators of the current locale, cached.
  public static let locale: Marks = {
    unsafe setlocale(LC_ALL, "")
    guard let marks = unsafe localeconv() else { return ("", ".", []) }
    let group = unsafe String(cString: marks.pointee.thousands_sep)
    let point = unsafe String(cString: marks.pointee.decimal_point)
    // CHAR_MAX ends the grouping; otherwise the last size applies to all further groups.
    let sizes = unsafe String(cString: marks.pointee.grouping).utf8.map(Int.init).filter { 1..<127 ~= $0 }
    return (group, point.isEmpty ? "." : point, sizes)
  }()

  /// `1.234,50` in a locale with these separators.
  public func text(_ units: Int64, signed: Bool = false, as locale: Marks = Self.locale) -> String {
    let sign = units < 0 ? "−" : signed && units > 0 ? "+" : ""
    let digits = plain(units).drop { $0 == "-" }
    if unit == .time { return sign + String(digits).replacing(".", with: locale.point) + suffix }
    let parts = digits.split(separator: ".")
    return sign + Self.grouped(String(parts.first ?? "0"), as: locale)
      + (parts.count > 1 ? locale.point + parts[1] : "")
      + suffix
  }

  /// The number at a line of an axis; a round time is `15 min`, `1 h` or `1 h 30 min`.
  func tick(_ units: Int64) -> String {
    guard unit == .time else { return text(units) }
    guard units != 0 else { return "0" }
    let seconds = units.magnitude / 1_000_000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let parts = [
      hours > 0 ? "\(Self.grouped("\(hours)")) h" : nil, minutes > 0 ? "\(minutes) min" : nil,
      seconds % 60 > 0 ? "\(seconds % 60) s" : nil,
    ]
    return (units < 0 ? "−" : "") + parts.compactMap { $0 }.joined(separator: " ")
  }

  /// `-1234.50`, for programs and for input.
  public func plain(_ units: Int64) -> String { unit.text(units) }

  /// Converts a number in the core's format, such as `-1234.50 %`, to the locale's format; keeps any other text.
  public static func localised(_ text: String) -> String {
    let number = text.prefix { "-.0123456789".contains($0) }
    let parts = number.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard text.dropFirst(number.count).isEmpty || text.dropFirst(number.count) == " %", 1...2 ~= parts.count else {
      return text
    }
    let sign = number.first == "-" ? "−" : ""
    return sign + grouped(String(parts[0])) + parts.dropFirst().map { locale.point + $0 }.joined()
      + text.dropFirst(number.count)
  }

  /// Groups digits if the locale has groups.
  public static func grouped(_ digits: String, as locale: Marks = locale) -> String {
    guard !locale.group.isEmpty, !locale.sizes.isEmpty else { return digits }
    var (groups, rest, sizes) = ([Substring](), digits[...], locale.sizes[...])
    while let size = sizes.first, rest.count > size {
      groups.append(rest.suffix(size))
      rest = rest.dropLast(size)
      if sizes.count > 1 { sizes = sizes.dropFirst() }
    }
    return ([rest] + groups.reversed()).joined(separator: locale.group)
  }

  /// A duration as text: `3 h 12 min`, `40 s`.
  public static func spoken(_ microseconds: Int64) -> String {
    let seconds = max(0, microseconds) / 1_000_000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600:
      return seconds % 60 == 0 || seconds >= 600 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    case ..<172_800:
      return seconds / 60 % 60 == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
    default: return "\((seconds + 43_200) / 86_400) days"
    }
  }
}
