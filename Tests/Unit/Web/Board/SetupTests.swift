import CoreAPI
import Counting
import JSON
import Testing

@testable import Board

@Suite struct SetupTests {
  private func state() -> BoardState {
    func counter(_ id: Int64, _ name: String, _ member: (name: String, value: JSON)? = nil) -> JSON {
      var members: JSONObject = ["id": .int(id), "name": .string(name), "value": 0]
      if let member { members[member.name] = member.value }
      return .object(members)
    }
    var state = BoardState()
    let counters = [
      counter(1, "a"), counter(2, "elsewhere", ("group", "team")), counter(3, "old", ("archived", true)),
      counter(4, "b", ("decimals", 2)),
    ]
    state.begin(
      Counters.WatchReply(["counters": .array(counters)]), groups: [Counters.Group(["name": "team"])], events: [])
    return state
  }

  private func requests(_ order: JSONObject) throws -> [Counters.Request<Counters.EventReply>] {
    try #require(Setup(order)).requests(in: state())
  }

  @Test func `an order for a setting that pages may not change is refused, and so is an incomplete one`() {
    for order: JSONObject in [
      [:], ["do": "create"], ["name": "a"], ["do": "lock", "name": "a"],
      ["do": "setGroup", "name": "team", "field": "name", "text": "b"],
      ["do": "setGroup", "name": "team", "field": "step"], ["do": "before", "name": "a"],
      ["do": "compute", "name": "a"],
      ["do": "set", "name": "a"],
      ["do": "set", "name": "a", "field": "since", "text": "b"], ["do": "set", "name": "a", "field": "locked"],
    ] {
      #expect(Setup(order) == nil, "\(order)")
    }
  }

  @Test func `an amount is read in the unit of its counter, and an empty text clears a setting`() throws {
    #expect(
      try requests(["do": "set", "name": "b", "field": "step", "text": "1.5"]) == [.set("b", [.step: .integer(150)])])
    #expect(try requests(["do": "set", "name": "b", "field": "target", "text": ""]) == [.set("b", [.target: .none])])
    #expect(
      try requests(["do": "set", "name": "a", "field": "archived", "text": "yes"])
        == [.set("a", [.archived: .integer(1)])])
    #expect(throws: Routes.Refusal.self) {
      try requests(["do": "set", "name": "a", "field": "step", "text": "much"])
    }
    #expect(throws: Routes.Refusal.self) {
      try requests(["do": "set", "name": "gone", "field": "title", "text": "x"])
    }
  }

  @Test func `a group gets a title and looks`() throws {
    #expect(
      try requests(["do": "setGroup", "name": "team", "field": "icon", "text": "🔵"])
        == [.setGroup("team", [.icon: .text("🔵")])])
    #expect(
      try requests(["do": "setGroup", "name": "team", "field": "title", "text": ""]) == [
        .setGroup("team", [.title: .none])
      ])
  }

  @Test func `a counter is put beside another one, and removed`() throws {
    #expect(try requests(["do": "before", "name": "b", "text": "elsewhere"]) == [.move("b", to: .before("elsewhere"))])
    #expect(try requests(["do": "after", "name": "a", "text": "b"]) == [.move("a", to: .after("b"))])
    #expect(try requests(["do": "remove", "name": "a"]) == [.remove("a")])
  }

  @Test func `a counter moves past its neighbour in the same group, and not beyond the ends`() throws {
    #expect(try requests(["do": "up", "name": "b"]) == [.move("b", to: .before("a"))])
    #expect(try requests(["do": "down", "name": "a"]) == [.move("a", to: .after("b"))])
    for (way, name): (JSON, JSON) in [("up", "a"), ("down", "b"), ("down", "elsewhere"), ("up", "old")] {
      #expect(throws: Routes.Refusal.self) { try requests(["do": way, "name": name]) }
    }
  }

  @Test func `a counter is created with its settings, and with its group`() throws {
    #expect(
      try requests([
        "do": "create", "name": "litres", "decimals": 2,
        "settings": ["step": "0.25", "title": "Litres", "group": "bar"],
      ]) == [
        .createGroup("bar"),
        .create(
          "litres", decimals: 2,
          [.step: .integer(25), .title: .text("Litres"), .group: .text("bar")]),
      ])
    #expect(
      try requests(["do": "compute", "name": "rest", "settings": ["formula": "a - b", "group": "team"]])
        == [.createFormula("rest", [.formula: .text("a - b"), .group: .text("team")])])
    for settings: JSON in [["since": "1"], ["name": "b"], ["step": 5]] {
      #expect(Setup(["do": "create", "name": "c", "settings": settings]) == nil)
    }
    #expect(Setup(["do": "create", "name": "c", "decimals": 99]) == nil)
  }

  @Test func `a group that does not exist is created first`() throws {
    #expect(try requests(["do": "group", "name": "a", "text": "team"]) == [.move("a", to: .last, group: "team")])
    #expect(
      try requests(["do": "group", "name": "a", "text": "new"])
        == [.createGroup("new"), .move("a", to: .last, group: "new")])
    #expect(try requests(["do": "group", "name": "a"]) == [.move("a", to: .last, group: "")])
  }
}
