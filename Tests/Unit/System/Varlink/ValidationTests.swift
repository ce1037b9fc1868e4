import JSON
import Testing
import Varlink

/// Values held against the definitions of an interface.
@Suite struct ValidationTests {
  static let interface = try! Interface(
    """
    interface org.example.x
    type Colour (red, green)
    type Tree (value: int, children: ?[]Tree)
    method M(
      flag: ?bool, whole: ?int, number: ?float, text: ?string, object: ?object, thing: ?any, colour: ?Colour,
      pair: ?(first: int, second: ?string), list: ?[]int, map: ?[string]Colour, set: ?[string](), tree: ?Tree,
      grid: ?[][]int
    ) -> (value: int, note: ?string)
    method N(required: int, other: string) -> ()
    error Broken (message: string)
    """)

  @Test(
    arguments: [
      "{}", #"{"flag":null,"whole":null,"thing":null,"tree":null}"#, #"{"flag":false}"#,
      #"{"whole":-9223372036854775808}"#, #"{"number":1.5}"#, #"{"number":3}"#, #"{"text":""}"#,
      #"{"object":{"any":[1,null]}}"#, #"{"thing":1}"#, #"{"thing":[{}]}"#, #"{"colour":"red"}"#,
      #"{"pair":{"first":1}}"#, #"{"pair":{"second":null,"first":1}}"#, #"{"list":[]}"#, #"{"list":[1,2]}"#,
      #"{"map":{}}"#, #"{"map":{"any name":"green"}}"#, #"{"set":{"one":{},"two":{}}}"#,
      #"{"tree":{"value":1,"children":[{"value":2},{"value":3,"children":[]}]}}"#, #"{"grid":[[],[1]]}"#,
    ])
  func `parameters that fit are taken`(text: String) throws {
    try Self.interface.validate(call: "M", JSON(parsing: text).object ?? [:])
  }

  @Test(
    arguments: [
      (#"{"flag":0}"#, "flag"), (#"{"flag":"true"}"#, "flag"), (#"{"whole":1.0}"#, "whole"),
      (#"{"whole":"1"}"#, "whole"), (#"{"number":"1"}"#, "number"), (#"{"text":1}"#, "text"),
      (#"{"object":[]}"#, "object"), (#"{"colour":"blue"}"#, "colour"), (#"{"colour":0}"#, "colour"),
      (#"{"pair":{}}"#, "pair.first"), (#"{"pair":{"first":null}}"#, "pair.first"),
      (#"{"pair":{"first":1,"third":1}}"#, "pair.third"), (#"{"pair":[1]}"#, "pair"),
      (#"{"list":[1,null]}"#, "list[1]"),
      (#"{"list":{}}"#, "list"), (#"{"map":{"a":"red","b":"blue"}}"#, "map.b"), (#"{"set":{"a":{"b":1}}}"#, "set.a.b"),
      (#"{"tree":{"value":1,"children":[{"value":2,"children":[{}]}]}}"#, "tree.children[0].children[0].value"),
      (#"{"grid":[[],[1,"2"]]}"#, "grid[1][1]"), (#"{"unknown":null}"#, "unknown"), (#"{"Flag":true}"#, "Flag"),
    ])
  func `parameters that do not fit are refused by their path`(text: String, path: String) throws {
    let parameters = try JSON(parsing: text).object ?? [:]
    #expect(throws: VarlinkError.invalidParameter(path)) { try Self.interface.validate(call: "M", parameters) }
  }

  @Test func `what may not be left out is missed`() {
    #expect(throws: VarlinkError.invalidParameter("required")) { try Self.interface.validate(call: "N", [:]) }
    #expect(throws: VarlinkError.invalidParameter("other")) {
      try Self.interface.validate(call: "N", ["required": 1])
    }
    #expect(throws: VarlinkError.invalidParameter("other")) {
      try Self.interface.validate(call: "N", ["other": nil, "required": 1])
    }
    #expect(throws: VarlinkError.methodNotFound("org.example.x.O")) { try Self.interface.validate(call: "O", [:]) }
  }

  @Test func `replies and errors are held against the same description`() throws {
    let interface = Self.interface
    try interface.validate(reply: "M", ["value": 1])
    try interface.validate(VarlinkError("org.example.x.Broken", ["message": "no"]))
    for wrong in [[:], ["value": "1"], ["value": 1, "more": 1], ["value": 1, "note": 2]] as [JSONObject] {
      #expect(throws: Interface.Mismatch.self) { try interface.validate(reply: "M", wrong) }
    }
    for wrong in [
      VarlinkError("org.example.x.Broken"), VarlinkError("org.example.x.Other"), VarlinkError("org.example.xBroken"),
      VarlinkError("org.example.y.Broken", ["message": ""]), VarlinkError("org.example.x.Broken", ["message": 1]),
    ] {
      #expect(throws: Interface.Mismatch.self) { try interface.validate(wrong) }
    }
  }

  @Test func `a mismatch says what belongs there`() {
    #expect { try Self.interface.validate(reply: "M", ["value": 1.5]) } throws: { error in
      "\(error)" == "value: expected a whole number of 64 bits"
    }
  }
}
