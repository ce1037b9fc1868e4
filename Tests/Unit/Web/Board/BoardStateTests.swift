import Board
import CoreAPI
import JSON
import Testing

@Suite struct BoardStateTests {
  private func counter(_ id: Int64, _ name: String, _ value: Int64) -> JSON {
    ["id": .int(id), "name": .string(name), "title": .string(name), "value": .int(value)]
  }

  private func reply(_ members: JSONObject) -> Counters.WatchReply { Counters.WatchReply(members) }

  private func begun() -> BoardState {
    var state = BoardState()
    let formula: JSON = ["id": 9, "name": "f", "formula": "a * 2", "text": "2"]
    state.begin(
      reply(["counters": [counter(1, "a", 1), counter(2, "b", 0)], "formulas": [formula], "current": "a"]), groups: [],
      events: [])
    return state
  }

  private func counted(_ sequence: Int64, _ value: Int64) -> JSONObject {
    [
      "event": ["sequence": .int(sequence), "kind": "added", "counter": "a", "id": 1, "change": 1],
      "counter": counter(1, "a", value),
    ]
  }

  @Test func `a count changes its counter, and what it changes of formulas`() {
    var state = begun()
    var members = counted(7, 2)
    members["formulas"] = [["id": 9, "name": "f", "formula": "a * 2", "text": "4"]]
    #expect(state.take(reply(members)) == .values)
    #expect(state.counters.map(\.value) == [2, 0])
    #expect(state.formulas.first?.text == "4")
    #expect(state.sequence == 7)
  }

  @Test func `a new current counter is the only one`() {
    var state = begun()
    #expect(state.take(reply(["current": "b"])) == .values)
    #expect(state.current == "b")
    #expect(state.counters.filter(\.isCurrent).map(\.name) == ["b"])
  }

  @Test func `whatever alters, makes or removes something calls for the whole state`() {
    var state = begun()
    let added: JSON = ["sequence": 8, "kind": "created", "counter": "c", "id": 3]
    #expect(state.take(reply(["event": added, "counter": counter(3, "c", 0)])) == .definitions)
    #expect(state.take(reply(["event": ["sequence": 9, "kind": "removed", "counter": "a", "id": 1]])) == .definitions)
    let altered: JSON = [
      "sequence": 10, "kind": "changed", "counter": "b", "id": 2, "alterations": [["field": "title"]],
    ]
    #expect(state.take(reply(["event": altered, "counter": counter(2, "b", 0)])) == .definitions)
    #expect(state.take(reply(["formulas": [["id": 11, "name": "g"]]])) == .definitions)
    #expect(state.take(reply(["counters": [counter(1, "a", 5)], "resynchronise": true])) == .definitions)
    #expect(state.counters.map(\.value) == [5])
  }

  @Test func `only the last events are kept, the newest first`() {
    var state = begun()
    for number in 1...20 { _ = state.take(reply(counted(Int64(number), Int64(number)))) }
    #expect(state.events.map(\.sequence) == [20, 19, 18, 17, 16])
  }

  @Test func `an event can be undone for longer than pages show it, and by a device that sets up always`() {
    var state = begun()
    for number in 1...70 { _ = state.take(reply(counted(Int64(number), Int64(number)))) }
    #expect([6, 7, 65, 70].map { state.canUndo($0, isSettingUp: false) } == [false, true, true, true])
    #expect(state.canUndo(1, isSettingUp: true))
    let altered: JSON = [
      "sequence": 71, "kind": "changed", "counter": "b", "id": 2, "alterations": [["field": "title"]],
    ]
    _ = state.take(reply(["event": altered, "counter": counter(2, "b", 0)]))
    #expect(!state.canUndo(71, isSettingUp: false))
  }

  @Test func `events that were made together can be undone if all are known, and only counted`() {
    func undoable(_ batch: (kind: JSON, id: JSON)..., from first: Int = 1) -> Bool {
      var state = begun()
      for (number, made) in zip(1..., batch) where number >= first {
        let event: JSON = [
          "sequence": .int(Int64(number)), "kind": made.kind, "counter": "a", "id": made.id, "batch": 1,
        ]
        _ = state.take(reply(["event": event]))
      }
      return state.canUndo(1, isSettingUp: false) || state.canUndo(2, isSettingUp: false)
    }
    #expect(undoable(("added", 1), ("renewed", 1)))
    #expect(undoable(("stopped", 1), ("reset", 1)))
    #expect(undoable(("added", 1), ("added", 2)))
    #expect(!undoable(("added", 1), ("changed", 2)))
    #expect(!undoable(("created", 1), ("added", 1)))
    #expect(!undoable(("created", 1), ("added", 1), from: 2))
  }

  @Test func `a change of settings is known after many counts, until it is undone or the journal is another one`() {
    func changed(_ sequence: Int64, undoes: Int64? = nil) -> JSONObject {
      [
        "event": [
          "sequence": .int(sequence), "kind": undoes == nil ? "changed" : "undone", "counter": "b", "id": 2,
          "alterations": [["field": "title"]], "undoes": undoes.map(JSON.int) ?? .null,
        ], "counter": counter(2, "b", 0),
      ]
    }
    var state = begun()
    for number in 1...30 { _ = state.take(reply(changed(Int64(number)))) }
    #expect(state.changes.map(\.sequence) == Array((11...30).reversed()))
    for number in 31...130 { _ = state.take(reply(counted(Int64(number), 1))) }
    _ = state.take(reply(changed(131, undoes: 29)))
    #expect(state.changes.prefix(2).map(\.sequence) == [30, 28])
    let first = reply(["counters": []])
    var again = state
    again.begin(first, groups: [], events: state.events)
    #expect(again.changes == state.changes)
    again.begin(first, groups: [], events: [reply(counted(8, 1)).event, reply(changed(7)).event].compactMap(\.self))
    #expect(again.changes.map(\.sequence) == [7])
  }

  @Test func `replies of another shape than the interface's are taken without a trap`() {
    var state = BoardState()
    for members: JSONObject in [
      [:], ["event": [:]], ["event": 3, "counter": []], ["counters": [3, [:]]], ["formulas": [[:]]],
      [
        "event": ["change": .int(.min), "value": .int(.min)], "counter": ["value": .int(.min), "maximum": .int(.max)],
      ],
    ] {
      _ = state.take(reply(members))
      _ = BoardMessage.state(state, BoardConditions(), version: "1.0", now: .max, absence: .min)
    }
  }
}

@Suite struct BoardMessageTests {
  private func counter(_ members: JSONObject) -> String {
    var state = BoardState()
    state.begin(Counters.WatchReply(["counters": [.object(members)]]), groups: [], events: [])
    return String(
      decoding: BoardMessage.state(state, BoardConditions(), version: "1.0", now: 1, absence: nil), as: UTF8.self)
  }

  @Test func `numbers that JavaScript would round come as text`() {
    #expect(counter(["value": 9_007_199_254_740_991]).contains(#""value":9007199254740991"#))
    #expect(counter(["value": 9_007_199_254_740_992]).contains(#""value":"9007199254740992""#))
    #expect(counter(["value": .int(.min)]).contains(#""value":"-9223372036854775808""#))
  }

  @Test func `a message is one line of data, whatever the texts hold`() {
    let text = counter(["title": "a\n\ndata: {}\r\nevent: bye\n\n"])
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).filter { $0.hasPrefix("data:") }.count == 1)
    #expect(!text.contains("\r"))
    #expect(text.hasSuffix("}\n\n"))
  }

  @Test func `a change of one setting comes with its new value in the counter's unit`() {
    func after(_ field: String, _ after: JSON?) -> String {
      var alteration: JSONObject = ["field": .string(field)]
      alteration["after"] = after
      let event = Counters.Event([
        "kind": "changed", "counter": "kg", "decimals": 2, "alterations": [.object(alteration)],
      ])
      var state = BoardState()
      state.begin(Counters.WatchReply([:]), groups: [], events: [event])
      return String(
        decoding: BoardMessage.state(state, BoardConditions(), version: "1.0", now: 1, absence: nil), as: UTF8.self)
    }
    #expect(after("target", "2050").contains(#""settings":"target","after":"20.50""#))
    #expect(after("target", nil).contains(#""after":"""#))
    #expect(after("title", "Kids").contains(#""after":"Kids""#))
    #expect(!after("order", "3").contains(#""after""#))
  }

  @Test func `a full counter is told from one that is over`() {
    #expect(counter(["value": 40, "maximum": 40]).contains(#""full":true"#))
    #expect(!counter(["value": 40, "maximum": 40]).contains(#""over""#))
    #expect(counter(["value": 41, "maximum": 40]).contains(#""over":true"#))
    #expect(!counter(["value": 39, "maximum": 40]).contains(#""full""#))
  }
}
