extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String {
    var text = ByteWriter()
    write(to: &text)
    return unsafe text.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Appends the value as compact JSON. Infinity and NaN become `null`.
  package func write(to text: inout ByteWriter) {
    switch self {
    case .null: text.append("null")
    case .bool(let value): text.append(value ? "true" : "false")
    case .int(let value): text.append(value)
    // Swift's description is the shortest that parses to the same value, and always has a point or an exponent.
    case .float(let value): text.append(contentsOf: Array((value.isFinite ? value.description : "null").utf8))
    case .string(let value): text.append(quoted: value)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let object): object.write(to: &text)
    }
  }
}

extension JSONObject: CustomStringConvertible {
  /// The object as compact JSON text.
  public var description: String { JSON.object(self).description }

  /// Appends the object as compact JSON.
  package func write(to text: inout ByteWriter) {
    text.append(UInt8(ascii: "{"))
    // Iterating over the array would copy each member.
    let members = members.span
    for index in members.indices {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(quoted: members[index].key)
      text.append(UInt8(ascii: ":"))
      members[index].value.write(to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }
}
