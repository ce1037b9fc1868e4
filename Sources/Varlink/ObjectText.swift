/// A JSON object in words, as it goes over the wire: for replies, which are read by others only.
///
/// A ``JSONObject`` would be a tree of values, built only to be written once and taken apart again.
public struct ObjectText: Equatable, Sendable {
  let bytes: [UInt8]

  /// An object with the members that `write` adds.
  public init(_ write: (inout ObjectWriter) -> Void) {
    var writer = ObjectWriter()
    write(&writer)
    bytes = writer.finish()
  }

  /// An object that is there as a tree.
  public init(_ object: JSONObject) {
    var text = ByteWriter()
    object.write(to: &text)
    bytes = text.bytes
  }

  /// Appends the message, and its NUL, that answers with this object.
  func writeReply(continues: Bool, to message: inout [UInt8]) {
    message.append("{\"parameters\":")
    message.append(contentsOf: bytes)
    message.append(continues ? ",\"continues\":true}\0" : "}\0")
  }
}

extension ObjectText: CustomStringConvertible {
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension [UInt8] {
  /// Appends words that are fixed at compile time.
  fileprivate mutating func append(_ words: StaticString) {
    words.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}
