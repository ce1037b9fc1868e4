/// A formula's text with its syntax tree. The names in it need not exist.
public struct FormulaText: Equatable, Sendable {
  public let text: String
  public let expression: Expression

  /// The maximum length in characters.
  public static let longest = 1000

  /// - Throws: a ``FormulaError`` with the position and the reason.
  public init(_ text: String) throws(FormulaError) {
    // Bytes are counted first: one character can be megabytes long.
    guard text.utf8.count <= Self.longest * 4, text.unicodeScalars.count <= Self.longest else {
      throw FormulaError(
        at: 0, "A formula has at most \(Self.longest) characters; move parts into formulas of their own.")
    }
    let scalars = Array(text.unicodeScalars)
    if let place = scalars.firstIndex(where: { $0.properties.generalCategory == .control }) {
      throw FormulaError(at: place, "A formula is one line without control characters.")
    }
    var parser = try FormulaParser(scalars)
    expression = try parser.formula()
    self.text = text
  }

  /// The text with new names for some of its entities; any spelling of an old name is replaced.
  ///
  /// - Parameters:
  ///   - names: the new names, by the old ones.
  ///   - isGroup: whether the names are those of groups, not of counters and formulas.
  public func renaming(_ names: [String: String], isGroup: Bool) -> String {
    var scalars = Array(text.unicodeScalars)
    let places = expression.references
      .filter { ($0.kind == .group) == isGroup }.map(\.reference)
    for place in places.sorted(by: { $0.position > $1.position }) {
      guard let newName = names[place.name] else { continue }
      // Equal names may have different numbers of scalars: é is one or two.
      let end = place.position + place.name.unicodeScalars.count
      scalars.replaceSubrange(place.position..<end, with: newName.unicodeScalars)
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

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
      // If the product with 100 is out of range, the text gets two zeros instead.
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
