// What comes over a socket, and interface descriptions. The first byte says in which portions the rest arrives.
import JSON
import Varlink

private let interface = try! Interface(
  """
  interface org.example.fuzz
  type Kind (one, two)
  type Node (kind: Kind, next: ?Node, labels: [string]string, numbers: []int, anything: any, object: object, f: float)
  method Do(node: Node, nodes: ?[]Node, flag: ?bool) -> (node: ?Node)
  error Wrong (node: Node)
  """)

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  let stream = UnsafeRawBufferPointer(rebasing: input[1...])
  cut(stream, into: Int(input[0] & 0x3f) + 1, limit: input[0] & 0x80 == 0 ? 1 << 20 : 64)
  for message in stream.split(separator: 0, omittingEmptySubsequences: false) {
    read(UnsafeRawBufferPointer(rebasing: message))
  }
  describe(String(decoding: stream, as: UTF8.self))
  return 0
}

/// However a stream arrives, the messages are the same ones.
private func cut(_ stream: UnsafeRawBufferPointer, into size: Int, limit: Int) {
  var buffer = FrameBuffer(limit: limit)
  var found: [[UInt8]] = []
  var start = 0
  do {
    while start < stream.count {
      let end = min(start + size, stream.count)
      // Not every message is wanted at once.
      try buffer.append(UnsafeRawBufferPointer(rebasing: stream[start..<end])) { message in
        found.append(Array(message))
        return found.count % 3 != 0
      }
      start = end
    }
    try buffer.resume { message in
      found.append(Array(message))
      return true
    }
  } catch { return demand(stream.count > limit, "only what is too long is too long") }
  var expected = stream.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  let rest = expected.removeLast()
  demand(found == expected, "the messages are the ones that were sent")
  demand(buffer.unreadBytes == rest.count, "and what is unfinished is kept")
}

/// What was understood is understood again when it is written.
private func read(_ bytes: UnsafeRawBufferPointer) {
  if let value = try? JSON(parsing: bytes) {
    demand(
      Array(value.description.utf8).withUnsafeBytes { try? JSON(parsing: $0) } == value,
      "JSON is read as it was written")
  }
  if let call = CallMessage(parsing: bytes) {
    // A value that has no counterpart here is not written either.
    let isSame = again(call.write, CallMessage.init(parsing:)) == call
    demand(call.unsupported != nil || isSame, "a call is read as it was written")
    try? interface.validate(call: "Do", call.parameters)
    try? interface.validate(reply: "Do", call.parameters)
  }
  if let reply = ReplyMessage(parsing: bytes) {
    demand(again(reply.write, ReplyMessage.init(parsing:)) == reply, "a reply is read as it was written")
    if case .error(let error) = reply { try? interface.validate(error) }
  }
}

/// Writes a message and reads it, without the NUL that ends it.
private func again<Message>(
  _ write: (inout [UInt8]) -> Void, _ parse: (UnsafeRawBufferPointer) -> Message?
) -> Message? {
  var text: [UInt8] = []
  write(&text)
  demand(text.removeLast() == 0 && !text.contains(0), "a message ends with its only NUL")
  return text.withUnsafeBytes { parse($0) }
}

private func describe(_ text: String) {
  do throws(Interface.SyntaxError) {
    let interface = try Interface(text)
    demand(interface.description == text, "a description is kept as it was")
    for name in interface.methods.keys.sorted() { try? interface.validate(call: name, [:]) }
  } catch {
    demand(error.line >= 1 && error.column >= 1 && !error.reason.isEmpty, "a refusal says where and why")
  }
}
