import TestKit
import Testing

@testable import Fleet

struct `A message` {
  static let writer = String(repeating: "0a", count: 32)
  static let head = #""version":1,"counter":"\#(String(repeating: "c", count: 32))""#
  static let row = #"["\#(writer)",9,5,2,3]"#
  static let entry = #"["\#(writer)",4]"#

  static func parse(_ text: String) throws(MessageError) -> Message { try Message(parsing: Array(text.utf8)) }

  @Test func `is what its documentation says`() throws {
    let text = """
      {\(Self.head),"period":1764000000000000,"registers":[\(Self.row)],\
      "resets":[{"entry":\(Self.entry),"base":["\(Self.writer)",3],"size":2,"registers":[\(Self.row)]}],\
      "undone":[\(Self.entry)],"held":[["\(Self.writer)",4,-17]],"asked":[\(Self.entry)]}
      """
    let message = try Self.parse(text)
    #expect(message.text == text)
    #expect(message.period.start == 1_764_000_000_000_000)
    let (writer, register) = try #require(message.content.registers.first)
    #expect(writer.description == Self.writer)
    #expect(register == Register(received: 9, added: 5, subtracted: 2, counts: 3))
    #expect(message.held == [Entry(writer: writer, number: 4): -17])
    #expect(message.content.resets.values.first?.base == Entry(writer: writer, number: 3))
  }

  @Test func `may have members of a later minor change`() throws {
    let message = try Self.parse("{\(Self.head),\"colour\":\"red\"}")
    #expect(message == Message(message.period))
  }

  @Test(
    arguments: [
      ("", .notJSON("line 1, column 1: expected a value")),
      ("[]", .notJSON("it is not an object")),
      ("{}", .wrong("version")),
      (#"{"version":"1"}"#, .wrong("version")),
      (#"{"version":0}"#, .wrong("version")),
      (#"{"version":2}"#, .newer(version: 2)),
      (#"{"version":9223372036854775807}"#, .newer(version: .max)),
      (#"{"version":1}"#, .wrong("counter")),
      (#"{"version":1,"counter":"cc"}"#, .wrong("counter")),
      (#"{"version":1,"counter":"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}"#, .wrong("counter")),
      (#"{"version":1,"counter":"+ccccccccccccccccccccccccccccccc"}"#, .wrong("counter")),
      ("{\(head),\"period\":-1}", .wrong("period")),
      ("{\(head),\"period\":253402300800000000}", .wrong("period")),
      ("{\(head),\"period\":null}", .wrong("period")),
      ("{\(head),\"period\":1.5}", .wrong("period")),
      ("{\(head),\"registers\":{}}", .wrong("registers")),
      ("{\(head),\"registers\":[[]]}", .wrong("registers")),
      ("{\(head),\"registers\":[\(row),\(row)]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9,5,2,3,1]]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9,5,2]]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9,-5,2,3]]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9,5,-2,3]]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9,5,2,10]]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9,5,2,0]]}", .wrong("registers")),
      ("{\(head),\"registers\":[[\"\(writer)\",9.5,5,2,3]]}", .wrong("registers")),
      ("{\(head),\"resets\":[{\"entry\":\(entry),\"size\":-1}]}", .wrong("resets")),
      ("{\(head),\"resets\":[{\"entry\":\(entry),\"size\":131073}]}", .wrong("resets")),
      ("{\(head),\"resets\":[{\"size\":1}]}", .wrong("resets")),
      ("{\(head),\"resets\":[{\"entry\":\(entry),\"base\":4,\"size\":1}]}", .wrong("resets")),
      ("{\(head),\"resets\":[{\"entry\":\(entry),\"size\":1},{\"entry\":\(entry),\"size\":1}]}", .wrong("resets")),
      ("{\(head),\"resets\":[{\"entry\":\(entry),\"size\":1,\"registers\":[1]}]}", .wrong("registers")),
      ("{\(head),\"undone\":[[\"\(writer)\",0]]}", .wrong("undone")),
      ("{\(head),\"held\":[[\"\(writer)\"]]}", .wrong("held")),
      ("{\(head),\"held\":[[\"\(writer)\",4,\"1\"]]}", .wrong("held")),
      ("{\(head),\"asked\":[[4,\"\(writer)\"]]}", .wrong("asked")),
      ("{\(head)}" + String(repeating: " ", count: 16_384), .tooLong(bytes: 16_384 + head.utf8.count + 2)),
    ] as [(String, MessageError)])
  func `of nonsense is refused by name`(text: String, error: MessageError) {
    #expect(throws: error) { try Self.parse(text) }
  }

  @Test func `that is not UTF-8 is refused`() {
    #expect(throws: MessageError.notJSON("it is not UTF-8")) { try Message(parsing: [0x7b, 0xff, 0x7d]) }
  }

  @Test func `is short enough with the largest numbers`() throws {
    var ids = SeededRandom(seed: 1)
    let register = try #require(Register(received: .max, added: .max, subtracted: .max, counts: .max))
    var replica = Replica()
    for _ in 0..<3 * Message.rows {
      let (writer, entry) = (WriterID.random(using: &ids), Entry(writer: .random(using: &ids), number: .max))
      replica.merge(
        Replica(
          registers: [writer: register],
          resets: [entry: Reset(on: entry, size: ReplicaStore.maximumRows, seen: [writer: register])],
          undone: [entry]))
    }
    let messages = Message(CounterPeriod(World.counters[0], start: 253_402_300_799_999_999), replica).split()
    #expect(messages.count == 9)
    for message in messages { #expect(try Self.parse(message.text) == message) }
  }
}
