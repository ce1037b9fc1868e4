extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as compact JSON. A fraction that JSON cannot say (infinite, not a number) becomes `null`.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append("null")
    case .bool(let value): bytes.append(value ? "true" : "false")
    case .int(let value): Self.write(value, to: &bytes)
    case .float(let value): Self.write(value, to: &bytes)
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): object.write(to: &bytes)
    }
  }

  private static func write(_ value: Int64, to bytes: inout [UInt8]) {
    // From the last digit to the first, as they come out.
    let longest = 20
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { digits in
      var first = longest
      var rest = value.magnitude
      repeat {
        first -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        unsafe digits[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest > 0
      if value < 0 {
        first -= 1
        unsafe digits[first] = UInt8(ascii: "-")
      }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  /// Swift's own text is the shortest that reads back the same, and always has a point or an exponent.
  private static func write(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else { return bytes.append("null") }
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Appends `text` in quotes; what JSON forbids inside them is escaped, everything else stays as it is.
  package static func write(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var plain = 0
      for index in 0..<utf8.count {
        let byte = unsafe utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain..<index]))
        escape(byte, to: &bytes)
        plain = index + 1
      }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    case 0..<0x20:
      let digits: StaticString = "0123456789abcdef"
      bytes.append("u00")
      digits.withUTF8Buffer { digits in
        unsafe bytes.append(digits[Int(byte >> 4)])
        unsafe bytes.append(digits[Int(byte & 15)])
      }
    default: bytes.append(byte)
    }
  }
}

extension JSONObject: CustomStringConvertible {
  /// The object as compact JSON text.
  public var description: String { JSON.object(self).description }

  /// Appends the object as compact JSON.
  package func write(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    // A loop over the list itself would copy each member.
    let members = members.span
    for index in members.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.write(members[index].key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      members[index].value.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// Appends words that are fixed at compile time.
  mutating func append(_ words: StaticString) {
    words.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}
