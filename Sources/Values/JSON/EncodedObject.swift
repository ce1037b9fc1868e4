/// A JSON object as encoded text, for replies.
///
/// Avoids a tree of values (``JSONObject``), which would be built only to be written once.
public struct EncodedObject: Equatable, Sendable {
  /// The text.
  package let bytes: [UInt8]

  /// Encodes the members that `write` adds.
  public init(_ write: (inout ObjectWriter) -> Void) {
    var writer = ObjectWriter()
    write(&writer)
    bytes = writer.finish()
  }

  /// Encodes a tree.
  public init(_ object: JSONObject) {
    var text = ByteWriter()
    object.write(to: &text)
    bytes = text.bytes
  }

  /// The parameters of a successful reply without further members, as Tallymark's core sends it. Only finds the end of
  /// the object: the text inside may be invalid, which ``parsed()`` detects.
  package init?(parametersOf message: UnsafeRawBufferPointer) {
    let beginning: StaticString = "{\"parameters\":"
    var index = beginning.utf8CodeUnitCount
    guard message.count > index, unsafe message[index] == UInt8(ascii: "{"),
      beginning.withUTF8Buffer({ unsafe message.starts(with: $0) })
    else { return nil }
    var depth = 0
    var isInString = false
    repeat {
      switch unsafe message[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString: depth -= 1
      default: break
      }
      index += 1
    } while depth > 0 && index < message.count
    guard depth == 0, index == message.count - 1, unsafe message[index] == UInt8(ascii: "}") else { return nil }
    bytes = unsafe Array(message[beginning.utf8CodeUnitCount..<index])
  }

  /// Length in bytes.
  public var count: Int { bytes.count }

  /// Parses the text into a tree.
  public func parsed() throws(JSON.SyntaxError) -> JSONObject {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(JSON.SyntaxError) in unsafe try JSON(parsing: bytes) }
    }
    return try result.get().object ?? [:]
  }

  /// Appends a call message with this object as its parameters, and the NUL byte. The name of a method needs no
  /// escaping.
  package func writeCall(of method: String, to message: inout [UInt8]) {
    message.append("{\"method\":\"")
    message.append(contentsOf: method.utf8)
    message.append("\",\"parameters\":")
    message.append(contentsOf: bytes)
    message.append("}\0")
  }

  /// Appends a reply message with this object as its parameters, and the NUL byte.
  package func writeReply(continues: Bool, to message: inout [UInt8]) {
    message.append("{\"parameters\":")
    message.append(contentsOf: bytes)
    message.append(continues ? ",\"continues\":true}\0" : "}\0")
  }
}

extension EncodedObject: CustomStringConvertible {
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension [UInt8] {
  /// Appends a literal.
  fileprivate mutating func append(_ words: StaticString) {
    words.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}
