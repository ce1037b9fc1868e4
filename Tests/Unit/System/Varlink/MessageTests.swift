import JSON
import Testing
import Varlink

/// Messages as they are written and read.
@Suite struct MessageTests {
  func written(_ message: CallMessage) -> String {
    var bytes: [UInt8] = []
    message.write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func reply(_ text: String) -> ReplyMessage? {
    Array(text.utf8).withUnsafeBytes { ReplyMessage(parsing: $0) }
  }

  @Test(arguments: [
    "{\"parameters\":{}}", "{\"parameters\":{\"a\":\"}\\\"{\",\"b\":[{\"c\":{}},\"\\\\\"]}}",
  ])
  func `parameters of a reply can be taken without parsing`(text: String) throws {
    let object = Array(text.utf8).withUnsafeBytes { EncodedObject(parametersOf: $0) }
    #expect(try reply(text) == .last(#require(object).parsed()))
  }

  @Test(arguments: [
    "{}", "{\"parameters\":", "{\"parameters\":{", "{\"parameters\":{}", "{\"parameters\":{\"a\":\"}}",
    "{\"parameters\":{}}}",
    "{\"parameters\":{},\"error\":\"a.b.C\"}", "{\"parameters\":{},\"continues\":true}", "{\"error\":\"a.b.C\"}",
    "{\"parameters\":{\"a\":\"\\", "{\"parameters\":null}", "{\"Parameters\":{}}",
  ])
  func `of any other reply parameters are not taken without parsing`(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { EncodedObject(parametersOf: $0) } == nil)
  }

  @Test func `a call says only what differs from the default`() {
    #expect(written(CallMessage("a.b.C")) == "{\"method\":\"a.b.C\"}\0")
    #expect(
      written(CallMessage("a.b.C", ["x": 1], mode: .more))
        == "{\"method\":\"a.b.C\",\"parameters\":{\"x\":1},\"more\":true}\0")
    #expect(written(CallMessage("a.b.C", mode: .oneway)) == "{\"method\":\"a.b.C\",\"oneway\":true}\0")
  }

  @Test func `a call that holds more values than any call has is refused, however short they are`() {
    func isRead(_ count: Int) -> Bool {
      let zeros = String(repeating: "0,", count: count - 1) + "0"
      return Array("{\"method\":\"a.b.C\",\"parameters\":{\"x\":[\(zeros)]}}".utf8)
        .withUnsafeBytes { CallMessage(parsing: $0) != nil }
    }
    // The message, its name, its parameters and their list are values as well.
    #expect(isRead(CallMessage.mostValues - 4))
    #expect(!isRead(CallMessage.mostValues - 3))
  }

  @Test(arguments: [CallMessage.Mode.one, .more, .oneway, .upgrade])
  func `a call that was written is read as it was`(mode: CallMessage.Mode) {
    let message = CallMessage("a.b.C", ["x": [1, nil, "é"]], mode: mode)
    var bytes: [UInt8] = []
    message.write(to: &bytes)
    #expect(bytes.popLast() == 0)
    #expect(bytes.withUnsafeBytes { CallMessage(parsing: $0) } == message)
  }

  @Test(
    arguments: [
      ReplyMessage.last([:]), .last(["a": 1.0]), .continuing([:]), .continuing(["a": nil]),
      .error(VarlinkError("a.b.C")), .error(VarlinkError("a.b.C", ["message": "no"])),
    ])
  func `a reply that was written is read as it was`(message: ReplyMessage) {
    var bytes: [UInt8] = []
    message.write(to: &bytes)
    #expect(bytes.popLast() == 0)
    #expect(bytes.withUnsafeBytes { ReplyMessage(parsing: $0) } == message)
  }

  @Test func `a reply may leave out or null what it does not say`() {
    #expect(reply("{}") == .last([:]))
    #expect(reply(#"{"parameters":null,"error":null,"continues":null,"org.example.x":{}}"#) == .last([:]))
    #expect(reply(#"{"continues":false,"parameters":{"a":1}}"#) == .last(["a": 1]))
  }

  @Test(
    arguments: [
      "", "x", "[]", #"{"parameters":[]}"#, #"{"error":1}"#, #"{"continues":1}"#, #"{"other":1}"#,
      #"{"error":"a.b.C","continues":true}"#,
    ])
  func `a reply against the rules is none`(text: String) { #expect(reply(text) == nil) }
}
