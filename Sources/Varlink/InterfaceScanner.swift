/// Cuts an interface description into words and signs, and knows the place of each.
struct InterfaceScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether nothing is left; call ``skip()`` first.
  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, 0 at the end.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// Passes over white space and comments; whether there was a line break among them.
  @discardableResult
  mutating func skip() -> Bool {
    var sawLineBreak = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): sawLineBreak = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        continue
      default: return sawLineBreak
      }
      position += 1
    }
    return sawLineBreak
  }

  /// Takes `sign` if it comes next.
  mutating func take(_ sign: StaticString) -> Bool {
    skip()
    let matches = sign.withUTF8Buffer { unsafe bytes[position...].starts(with: $0) }
    if matches { position += sign.utf8CodeUnitCount }
    return matches
  }

  /// Takes `sign`, or says that it is missing.
  mutating func expect(_ sign: StaticString) throws(Interface.SyntaxError) {
    guard take(sign) else { throw problem("expected '\(sign)'\(found)") }
  }

  /// Takes the longest run of letters, digits and `_`, and of `extra`; empty where none is next.
  mutating func word(with extra: Set<UInt8> = []) -> String {
    skip()
    let start = position
    while position < bytes.count, next.isLetter || next.isDigit || next == UInt8(ascii: "_") || extra.contains(next) {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// A place to come back to, or to complain about.
  var place: Int { position }

  /// What stands at the present place, for an error's end.
  var found: String {
    guard position < bytes.count else { return ", found the end of the text" }
    return ", found '\(String(decoding: bytes[position...], as: UTF8.self).first ?? "?")'"
  }

  /// An error about `place`, the present one if none is given.
  func problem(_ reason: String, at place: Int? = nil) -> Interface.SyntaxError {
    let before = bytes[..<(place ?? position)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return Interface.SyntaxError(line: line, column: before.count - lineStart + 1, reason: reason)
  }
}

/// The three shapes of names in the interface language.
enum InterfaceName {
  /// A method, type or error: a capital first, then letters and digits.
  static func isMember(_ name: String) -> Bool {
    name.utf8.first?.isCapital == true && name.utf8.allSatisfy { $0.isLetter || $0.isDigit }
  }

  /// A field or an enumeration's word: a letter first, then letters and digits, with single `_` between them.
  static func isField(_ name: String) -> Bool {
    guard name.utf8.first?.isLetter == true else { return false }
    let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isDigit } }
  }

  /// An interface: two or more parts with dots between them, none beginning or ending with `-`, the first a letter.
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
