import Counting
import Glibc

/// How a counter's numbers read: with its decimals, grouped as the person's locale does it, or as a time.
struct ValueText {
  var unit = Unit.things

  /// The locale's marks, asked for once.
  static let locale: (group: String, point: String) = {
    unsafe setlocale(LC_ALL, "")
    guard let marks = unsafe localeconv() else { return ("", ".") }
    let group = unsafe String(cString: marks.pointee.thousands_sep)
    let point = unsafe String(cString: marks.pointee.decimal_point)
    return (group, point.isEmpty ? "." : point)
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

  /// Digits in groups of three, where the locale groups them.
  private static func grouped(_ digits: String) -> String {
    guard !locale.group.isEmpty, digits.count > 3 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += locale.group }
      text.append(digit)
    }
    return text
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
