import Bindings
import Testing

@Suite struct ActionTests {
  @Test(arguments: [
    "add", "add people", "add people 2", "add 2", "subtract", "subtract people 9223372036854775807", "select people",
    "undo", "redo", "undo people", "next", "previous", "reset", "reset people", "reset --group kids", "reset --all",
    "start --group kids", "stop --all", "toggle --group kids", "lap --group kids",
    "start", "start swim", "stop swim", "toggle", "lap", "add weight 2.5", "add 0.25", "add 7up", "add 2.b",
    "add a-b_c.d", "add größe", "next-group", "previous-group", "nothing",
  ]) func `an action that is printed reads as the same`(text: String) throws {
    let action = try Action(text)
    #expect(action.description == text)
    #expect(try Action(action.description) == action)
  }

  @Test func `a word without letters is an amount`() throws {
    let action = try Action("add 5")
    #expect(action.verb == .add && action.counter == nil && action.amount == "5")
    let named = try Action("  add\tpeople   05 ")
    #expect(named.counter == "people" && named.amount == "5")
  }

  private static let verbs =
    "it can be add, subtract, select, next, previous, next-group, previous-group, reset, undo, redo, start, stop, "
    + "toggle, lap, nothing"

  static let refused: [(text: String, reason: String, hint: String?)] = [
    ("", "an action is missing", "say what is to be done, such as \"add\" or \"add people 2\""),
    ("ad people", "\"ad\" is not an action", "did you mean \"add\"?"),
    ("explode", "\"explode\" is not an action", Self.verbs),
    ("next people", "\"next\" takes no counter and no other word", nil),
    ("next --group", "\"next\" takes no counter and no other word", "next-group"),
    ("nothing people", "\"nothing\" takes no counter and no other word", nil),
    ("select", "\"select\" needs the name of one counter", "select people"),
    ("add people 2 3", "\"add\" takes a counter and an amount, and \"3\" is one word too many", "add people 2"),
    ("add people two", "\"two\" is not a valid amount", "write a number above 0, such as 2 or 1.5"),
    ("add people -2", "\"-2\" is not a valid amount", "write a number above 0, such as 2 or 1.5"),
    ("add -2", "\"-2\" is not a valid amount", "write a number above 0, such as 2 or 1.5"),
    ("add 5 people", "the name of the counter comes before the amount", "add people 5"),
    ("+", "\"+\" is not an action", Self.verbs),
    ("next-grop a", "\"next-grop\" is not an action", "did you mean \"next-group\"?"),
    ("add 0", "an amount must be above 0", nil),
    ("add 9223372036854775808", "9223372036854775808 is more than a counter can hold", nil),
    ("add 1.5.2", "\"1.5.2\" is not a valid amount", "write a number above 0, such as 2 or 1.5"),
    ("add 0.0", "an amount must be above 0", nil),
    ("reset --grop a", "\"reset\" takes one counter, --group and a group, or --all", "reset --group kids"),
    ("reset --all a", "\"reset\" takes one counter, --group and a group, or --all", "reset --group kids"),
    ("start --group", "\"start\" takes one counter, --group and a group, or --all", "start --group kids"),
    ("reset a b", "\"reset\" takes one counter or none", "reset people"),
    (
      "add " + String(repeating: "x", count: 65),
      "\"\(String(repeating: "x", count: 64))\" is not a valid name: it is longer than 64 characters", nil
    ),
  ]

  @Test(arguments: refused) func `what is no action is refused with a reason`(
    text: String, reason: String, hint: String?
  ) {
    let problem = #expect(throws: Action.Problem.self) { try Action(text) }
    #expect(problem?.reason == reason)
    #expect(problem?.hint == hint)
  }

  @Test func `several actions keep their order, and each is one of them`() throws {
    let action = try Action(all: ["stop anna", "start bea", "next-group"])
    #expect(action.description == "stop anna, start bea, next-group")
    #expect(action.parts.map(\.description) == ["stop anna", "start bea", "next-group"])
    #expect(action.parts.map(\.further) == [[], [], []])
    #expect(try Action(all: ["add"]) == .add)
  }

  @Test(arguments: [
    (["undo", "add"], "\"undo\" must be the only action"),
    (["add", "reset --all"], "\"reset --all\" must be the only"), (["add", "nothing"], "\"nothing\" must be the only"),
    (["add", ""], "an action is missing"), ([], "an action is missing"),
    (Array(repeating: "add", count: 21), "21 actions are too many for one gesture"),
  ]) func `what cannot be done all or none is no part of a list`(texts: [String], reason: String) {
    let problem = #expect(throws: Action.Problem.self) { try Action(all: texts) }
    #expect(problem?.reason.hasPrefix(reason) == true)
  }

  @Test(arguments: ["add -people", "add .x", "add _x", "add pe/ople", "select 5", "add a@b"])
  func `a name that no counter can have is refused`(text: String) {
    let problem = #expect(throws: Action.Problem.self) { try Action(text) }
    #expect(problem?.reason.contains("is not a valid name: ") == true)
  }
}
