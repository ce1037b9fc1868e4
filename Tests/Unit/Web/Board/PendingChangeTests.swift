import Board
import CoreAPI
import JSON
import Testing

@Suite struct PendingChangeTests {
  private func reply(_ sequence: Int64, _ value: Int64, formulas: [Int64]) -> Counters.WatchReply {
    Counters.WatchReply([
      "event": ["sequence": .int(sequence), "kind": "added", "counter": "a", "id": 1, "change": 1],
      "counter": ["id": 1, "name": "a", "title": "a", "value": .int(value)],
      "formulas": .array(formulas.map { ["id": .int($0), "name": .string("f\($0)"), "text": "old"] }),
    ])
  }

  @Test func `changes of a counter become one, with the last counter, the last events and all formulas`() {
    let changes = (1...7).map { PendingChange(reply($0, $0 * 10, formulas: $0 == 7 ? [] : [$0 % 2])) }
    let all = changes.dropFirst().reduce(changes[0]) { $0.followed(by: $1) }
    #expect(all.count == 7)
    #expect(all.counter?.value == 70)
    #expect(all.events.map(\.sequence) == [3, 4, 5, 6, 7])
    #expect(all.formulas == [0, 1])
  }

  @Test func `a message has the present formulas and the current counter, not those of the change`() {
    var state = BoardState()
    let formulas = (0...2).map { number -> JSON in
      ["id": .int(number), "name": .string("f\(number)"), "text": .string("new\(number)")]
    }
    state.begin(
      Counters.WatchReply(["counters": [], "formulas": .array(formulas), "current": "b"]), groups: [], events: [])
    let message = String(
      decoding: BoardMessage.change(PendingChange(reply(1, 1, formulas: [0, 2])), in: state, now: 0), as: UTF8.self)
    #expect(message.contains(#""current":"b""#))
    #expect(message.contains("new0") && message.contains("new2"))
    #expect(!message.contains("new1") && !message.contains("old"))
  }
}
