/// Lexer of interface descriptions, with positions for errors.
struct InterfaceScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// The lines of the comments since ``takeComments()``; `nil` if comments are not kept.
  private var comments: [String]?

  init(_ text: String, keepsComments: Bool) {
    bytes = Array(text.utf8)
    comments = keepsComments ? [] : nil
  }

  /// Whether the end is reached; call ``skip()`` first.
  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, 0 at the end.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// Skips white space and comments; returns whether they contain a line break.
  @discardableResult
  mutating func skip() -> Bool {
    var sawLineBreak = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): sawLineBreak = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "#"):
        let start = position + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        comments?.append(String(decoding: bytes[start..<position].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
        continue
      default: return sawLineBreak
      }
      position += 1
    }
    return sawLineBreak
  }

  /// Skips to the next word or sign; returns the comments since the last call, as lines.
  mutating func takeComments() -> [String] {
    skip()
    guard let found = comments, !found.isEmpty else { return [] }
    comments = []
    return found
  }

  /// Consumes `sign` if it is next; returns whether it was.
  mutating func take(_ sign: StaticString) -> Bool {
    skip()
    let matches = sign.withUTF8Buffer { unsafe bytes[position...].starts(with: $0) }
    if matches { position += sign.utf8CodeUnitCount }
    return matches
  }

  /// Consumes `sign`; throws if it is not next.
  mutating func expect(_ sign: StaticString) throws(Interface.SyntaxError) {
    guard take(sign) else { throw problem("expected '\(sign)'\(found)") }
  }

  /// Consumes and returns the longest run of letters, digits, `_` and `extra`; may be empty.
  mutating func word(with extra: Set<UInt8> = []) -> String {
    skip()
    let start = position
    while position < bytes.count, next.isLetter || next.isDigit || next == UInt8(ascii: "_") || extra.contains(next) {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  var place: Int { position }

  /// The next character in words, as the end of an error message.
  var found: String {
    guard position < bytes.count else { return ", found the end of the text" }
    return ", found '\(String(decoding: bytes[position...], as: UTF8.self).first ?? "?")'"
  }

  /// Creates an error at `place`, or at the current position.
  func problem(_ reason: String, at place: Int? = nil) -> Interface.SyntaxError {
    let before = bytes[..<(place ?? position)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return Interface.SyntaxError(line: line, column: before.count - lineStart + 1, reason: reason)
  }
}

/// The three kinds of names in the interface language.
enum InterfaceName {
  /// Whether a text can be the name of a method, type or error: a capital letter, then letters and digits.
  static func isMember(_ name: String) -> Bool {
    name.utf8.first?.isCapital == true && name.utf8.allSatisfy { $0.isLetter || $0.isDigit }
  }

  /// Whether a text can be the name of a field or enumeration value: a letter, then letters and digits, with single `_`
  /// between them.
  static func isField(_ name: String) -> Bool {
    guard name.utf8.first?.isLetter == true else { return false }
    let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isDigit } }
  }

  /// Whether a text can be the name of an interface: a letter first, and two or more parts separated by dots. No part
  /// begins or ends with `-`.
  static func isInterface(_ name: String) -> Bool {
    guard name.utf8.first?.isLetter == true else { return false }
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let hyphen = UInt8(ascii: "-")
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty && part.first != hyphen && part.last != hyphen
          && part.allSatisfy { $0.isLetter || $0.isDigit || $0 == hyphen }
      }
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
  fileprivate var isLetter: Bool { isCapital || self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
