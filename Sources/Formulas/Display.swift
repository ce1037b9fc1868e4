public import Rationals

/// How the value of a formula is shown. The raw value is what the socket, the journal and the command line call it.
public enum Display: String, CaseIterable, Sendable {
  /// With up to three decimals: `12.333`.
  case number
  /// A hundred times as much, with one decimal: `33.3 %`.
  case percent
  /// Seconds as hours, minutes and seconds: `1:02:03`, `4:05`.
  case duration

  /// The value as people read it; rounded here, and nowhere before.
  public func text(_ value: Rational) -> String {
    switch self {
    case .number: return value.text(decimals: 3)
    case .percent:
      // A value of 300 digits has no room for two more; it is shown in whole.
      return ((try? value * Rational(100)) ?? value).text(decimals: 1) + " %"
    case .duration: return Self.clock(value.text(decimals: 0))
    }
  }

  private static func clock(_ seconds: String) -> String {
    guard let number = Int64(seconds) else { return "\(seconds) s" }
    func two(_ part: UInt64) -> String { part < 10 ? "0\(part)" : "\(part)" }
    let (minutes, rest) = number.magnitude.quotientAndRemainder(dividingBy: 60)
    let text = minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
    return number < 0 ? "-\(text)" : text
  }
}
