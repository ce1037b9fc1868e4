/// The name of a counter, as typed in commands.
///
/// One to 64 characters: letters and digits of any script, `-`, `_` and `.`; the first one is a letter or a digit, and
/// at least one is a letter, so that a name is never mistaken for an option or an amount. Two spellings of the same
/// letters (composed or not) are the same name.
public struct CounterName: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Throws: ``CountingError/badName(_:reason:)`` with the first rule that `text` breaks.
  public init(_ text: String) throws(CountingError) {
    if let reason = Self.fault(in: text) { throw .badName(text.shortened, reason: reason) }
    self.text = text
  }

  /// A name that is known to be valid, because it was checked before it was stored.
  package init(trusted text: String) { self.text = text }

  /// The name of the counter that the first gesture creates.
  public static let first = CounterName(trusted: "count")

  public static let longest = 64

  public var description: String { text }

  /// Whether a name may contain a character.
  package static func allows(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isLetter || scalar.isDigit || "-_.".unicodeScalars.contains(scalar)
  }

  /// A valid name from any text: other characters become a hyphen, and “counter” stands for a text without any letter.
  public static func text(like text: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest) {
      if allows(scalar) { name.append(scalar) } else if name.last != "-" { name.append("-") }
    }
    let marks = "-_.".unicodeScalars
    while let first = name.first, marks.contains(first) { name.removeFirst() }
    while name.last == "-" { name.removeLast() }
    let result = String(name)
    if fault(in: result) == nil { return result }
    // Digits alone are no name.
    return result.isEmpty ? "counter" : "counter-\(String(name.prefix(longest - 8)))"
  }

  private static func fault(in text: String) -> String? {
    guard let first = text.unicodeScalars.first else { return "it is empty" }
    // Bytes are counted before anything that takes time: one character can be megabytes long.
    guard text.utf8.count <= longest * 4, text.unicodeScalars.count <= longest else {
      return "it is longer than \(longest) characters"
    }
    guard first.isLetter || first.isDigit else { return "it must begin with a letter or a digit" }
    for scalar in text.unicodeScalars where !allows(scalar) {
      return "it may only contain letters, digits, “-”, “_” and “.”"
    }
    guard text.unicodeScalars.contains(where: \.isLetter) else { return "it must contain at least one letter" }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { properties.generalCategory == .decimalNumber }

  /// Whether the scalar is a letter, or one of the marks that belong to letters in many scripts.
  fileprivate var isLetter: Bool {
    if isASCII { return "a"..."z" ~= self || "A"..."Z" ~= self }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark:
      return true
    default: return false
    }
  }
}

extension String {
  /// The text for use in an error message: at most 64 characters, without control characters.
  package var shortened: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(64) {
      result.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
