/// The format of a formula's value. The raw value is the name in interface, journal and command line.
public enum Display: String, CaseIterable, Sendable {
  /// The value with up to three decimals: `12.333`.
  case number
  /// A hundred times as much, with one decimal: `33.3 %`.
  case percent
  /// Seconds as hours, minutes and seconds: `1:02:03`, `4:05`.
  case duration

  /// The rounded value.
  public func text(_ value: Rational) -> String {
    switch self {
    case .number: return value.text(decimals: 3)
    case .percent:
      let rounded = value.rounded(decimals: 3).flatMap { $0 * Rational(100) }
      // A hundred times the largest values is out of range; their text is not.
      return (rounded?.text(decimals: 1) ?? value.text(decimals: 0) + "00") + " %"
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
