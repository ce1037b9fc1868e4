/// JSON parser for messages, which are short, mostly ASCII, and untrusted.
@safe
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// Remaining number of values.
  private var valuesLeft: Int
  /// Whether values that are valid in JSON text but not in ``JSON`` are replaced by others: numbers that are too large,
  /// and the characters U+0000 and lone surrogates.
  private let isLenient: Bool
  /// The path of the first value that was replaced, such as `parameters`, `changes`, `[0]`.
  private(set) var replaced: [String]?
  /// The path of the present value; only if lenient.
  private var path: [String] = []

  /// - Parameters:
  ///   - bytes: valid as long as this reader is used.
  ///   - values: maximum number of values.
  init(_ bytes: UnsafeRawBufferPointer, values: Int, isLenient: Bool = false) {
    unsafe self.bytes = bytes.assumingMemoryBound(to: UInt8.self)
    valuesLeft = values
    self.isLenient = isLenient
  }

  /// Records that the present value is replaced.
  ///
  /// - Throws: the error, unless the reader is lenient.
  private mutating func replace(_ reason: String, at place: Int) throws(JSON.SyntaxError) {
    guard isLenient else { throw problem(reason, at: place) }
    replaced = replaced ?? path
  }

  /// Parses the whole text.
  mutating func whole() throws(JSON.SyntaxError) -> JSON {
    let value = try value(room: JSON.maximumDepth)
    skipSpace()
    guard unsafe position == bytes.count else { throw problem("unexpected text after the value") }
    return value
  }

  /// Parses the next value, with at most `room` levels of arrays and objects.
  private mutating func value(room: Int) throws(JSON.SyntaxError) -> JSON {
    skipSpace()
    guard valuesLeft > 0 else { throw problem("there are too many values") }
    valuesLeft -= 1
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      guard room > 0 else { throw tooDeep }
      return .object(try object(room: room - 1))
    case UInt8(ascii: "["):
      guard room > 0 else { throw tooDeep }
      return .array(try array(room: room - 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw problem("expected a value")
    }
  }

  // MARK: Arrays and objects

  private mutating func array(room: Int) throws(JSON.SyntaxError) -> [JSON] {
    position += 1
    var elements: [JSON] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    repeat {
      if isLenient { path.append("[\(elements.count)]") }
      elements.append(try value(room: room))
      if isLenient { path.removeLast() }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw problem("expected ',' or ']'") }
    return elements
  }

  private mutating func object(room: Int) throws(JSON.SyntaxError) -> JSONObject {
    position += 1
    var members: [JSONObject.Member] = []
    var names: Set<String> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return JSONObject(members) }
    members.reserveCapacity(4)
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw problem("expected a name in quotes") }
      let name = try string()
      guard Self.isNew(name, in: members, &names) else { throw problem("a name is repeated in an object") }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw problem("expected ':'") }
      if isLenient { path.append(name) }
      members.append((name, try value(room: room)))
      if isLenient { path.removeLast() }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw problem("expected ',' or '}'") }
    return JSONObject(members)
  }

  /// Whether `name` is not in `members`. Uses a set for many members, as a linear search of each would be quadratic.
  private static func isNew(_ name: String, in members: [JSONObject.Member], _ names: inout Set<String>) -> Bool {
    guard members.count >= 16 else { return !members.contains { $0.key == name } }
    if names.isEmpty { names = Set(members.lazy.map(\.key)) }
    return names.insert(name).inserted
  }

  // MARK: Numbers and words

  private mutating func number() throws(JSON.SyntaxError) -> JSON {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    var value: Int64 = 0
    var overflows = false
    let firstDigit = position
    while let digit {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let sum = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      overflows = overflows || overflow || sum.overflow
      value = sum.partialValue
      position += 1
    }
    guard position > firstDigit else { throw problem("expected a digit") }
    guard unsafe position == firstDigit + 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw problem("a number has a leading 0", at: firstDigit)
    }
    if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { return .float(try fraction(from: start)) }
    if overflows { try replace("an integer does not fit in 64 bits", at: start) }
    return .int(value)
  }

  /// Parses the rest of a floating-point number that began at `start`, after its integer part.
  private mutating func fraction(from start: Int) throws(JSON.SyntaxError) -> Double {
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if next | 0x20 == UInt8(ascii: "e") {
      position += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try skipDigits()
    }
    let text = unsafe String(decoding: bytes[start..<position], as: UTF8.self)
    if let value = Double(text), value.isFinite { return value }
    try replace("a number is too large", at: start)
    return 0
  }

  private var digit: Int64? {
    let value = Int64(next) - Int64(UInt8(ascii: "0"))
    return 0...9 ~= value ? value : nil
  }

  private mutating func skipDigits() throws(JSON.SyntaxError) {
    guard digit != nil else { throw problem("expected a digit") }
    while digit != nil { position += 1 }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.SyntaxError) -> JSON {
    let end = position + word.utf8CodeUnitCount
    let matches = word.withUTF8Buffer { word in
      unsafe end <= bytes.count && bytes[position..<end].elementsEqual(word)
    }
    guard matches else { throw problem("expected a value") }
    position = end
    return value
  }

  // MARK: Strings

  private mutating func string() throws(JSON.SyntaxError) -> String {
    position += 1
    let start = position
    let isASCII = skipPlain()
    if next == UInt8(ascii: "\"") {
      let text = unsafe UnsafeBufferPointer(rebasing: bytes[start..<position])
      position += 1
      // ASCII needs no validation, and most strings in messages are ASCII.
      guard isASCII else { return try unsafe checked(text, at: start) }
      return unsafe String(unsafeUninitializedCapacity: text.count) { unsafe $0.initialize(fromContentsOf: text) }
    }
    // With escapes the string must be copied part by part.
    var text = unsafe Array(bytes[start..<position])
    while next != UInt8(ascii: "\"") {
      guard take(UInt8(ascii: "\\")) else {
        throw unsafe problem(
          position < bytes.count ? "a control character must be escaped" : "a string is not terminated")
      }
      try escape(to: &text)
      let plain = position
      _ = skipPlain()
      unsafe text.append(contentsOf: bytes[plain..<position])
    }
    position += 1
    return try checked(text, at: start)
  }

  /// Skips unescaped characters of a string; returns whether they are ASCII.
  private mutating func skipPlain() -> Bool {
    var bits: UInt8 = 0
    var end = position
    while unsafe end < bytes.count {
      let byte = unsafe bytes[end]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      bits |= byte
      end += 1
    }
    position = end
    return bits < 0x80
  }

  private func checked(_ text: some Collection<UInt8>, at start: Int) throws(JSON.SyntaxError) -> String {
    guard let string = String(validating: text, as: UTF8.self) else {
      throw problem("a string is not valid UTF-8", at: start)
    }
    return string
  }

  /// Parses an escape after its backslash, and appends the character.
  private mutating func escape(to text: inout [UInt8]) throws(JSON.SyntaxError) {
    let letter = next
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
    default: throw problem("unknown escape", at: position - 1)
    }
  }

  /// Parses the digits of a `\u` escape, or of two for a surrogate pair.
  private mutating func scalar() throws(JSON.SyntaxError) -> Unicode.Scalar {
    let start = position
    var code = try hexadecimal()
    if 0xD800..<0xDC00 ~= code, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let low = try hexadecimal()
      // An invalid pair becomes a lone surrogate, which is no scalar.
      code = 0xDC00..<0xE000 ~= low ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : 0xD800
    }
    if code != 0, let scalar = Unicode.Scalar(code) { return scalar }
    try replace("invalid character code", at: start)
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(JSON.SyntaxError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue, next < 0x80 else {
        throw problem("expected four hexadecimal digits")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  // MARK: Bytes

  /// The next byte; 0 at the end, which is valid nowhere in JSON.
  private var next: UInt8 { unsafe position < bytes.count ? bytes[position] : 0 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
  }

  private var tooDeep: JSON.SyntaxError { problem("arrays and objects are nested more than \(JSON.maximumDepth) deep") }

  /// Creates an error at `place`, or at the current position.
  private func problem(_ reason: String, at place: Int? = nil) -> JSON.SyntaxError {
    let before = unsafe bytes[..<min(place ?? position, bytes.count)]
    let lineStart = unsafe before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = unsafe before.count { $0 == UInt8(ascii: "\n") } + 1
    let characters = unsafe String(decoding: before[lineStart...], as: UTF8.self).count
    return JSON.SyntaxError(line: line, column: characters + 1, reason: reason)
  }
}
