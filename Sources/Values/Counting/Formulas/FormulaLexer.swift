/// Splits a formula's text into words and signs.
struct FormulaLexer {
  struct Token: Equatable {
    enum Kind: Equatable {
      case number(Rational)
      case name(String)
      case sign(Unicode.Scalar)
      case comparison(Expression.Operator)
      case end
    }

    let kind: Kind
    let position: Int
  }

  private let text: [Unicode.Scalar]
  private var position = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  mutating func next() throws(FormulaError) -> Token {
    while position < text.count, text[position].properties.isWhitespace { position += 1 }
    guard position < text.count else { return Token(kind: .end, position: position) }
    let start = position
    if Self.beginsWord(text[position]) { return Token(kind: try word(), position: start) }
    return Token(kind: try sign(), position: start)
  }

  /// Reads the longest possible name: `home-goals` and `player.7` are names, and a minus for a subtraction follows a
  /// space. A word without a letter begins with a number.
  private mutating func word() throws(FormulaError) -> Token.Kind {
    let start = position
    let word = text[start...].prefix { Self.beginsWord($0) || "-_.".unicodeScalars.contains($0) }
    if word.contains(where: { !("0"..."9" ~= $0) && !"-_.".unicodeScalars.contains($0) }) {
      position = word.endIndex
      return .name(Self.string(word))
    }
    let whole = word.prefix { "0"..."9" ~= $0 }
    position = whole.endIndex
    if position + 1 < word.endIndex, text[position] == ".", "0"..."9" ~= text[position + 1] {
      position += 1 + text[(position + 1)...].prefix { "0"..."9" ~= $0 }.count
    }
    guard let number = Rational(decimal: Self.string(text[start..<position])) else {
      throw FormulaError(at: start, "This number is too long.")
    }
    return .number(number)
  }

  private mutating func sign() throws(FormulaError) -> Token.Kind {
    let scalar = text[position]
    position += 1
    let isFollowedByEqual = position < text.count && text[position] == "="
    switch scalar {
    case "+", "*", "/", "-", "(", ")", ",", "%", ":": return .sign(scalar)
    case "−", "–": return .sign("-")
    case "×", "·": return .sign("*")
    case "÷": return .sign("/")
    case "=": return .comparison(.equal)
    case "≠": return .comparison(.unequal)
    case "≤": return .comparison(.atMost)
    case "≥": return .comparison(.atLeast)
    case "<", ">":
      guard isFollowedByEqual else { return .comparison(scalar == "<" ? .less : .more) }
      position += 1
      return .comparison(scalar == "<" ? .atMost : .atLeast)
    case "!" where isFollowedByEqual:
      position += 1
      return .comparison(.unequal)
    default:
      throw FormulaError(at: position - 1, "This character has no meaning in a formula.")
    }
  }

  /// Whether a word may begin with a character: letters and digits of any script, but no signs and spaces.
  private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar }
    return !"×÷·−–≤≥≠".unicodeScalars.contains(scalar) && !scalar.properties.isWhitespace
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
