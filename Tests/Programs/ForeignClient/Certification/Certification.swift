import JSON
import Varlink

/// The standard's interface for testing implementations against each other; its names and types are given.
enum CertificationInterface {
  static let name = "org.varlink.certification"

  static let description = """
    # A client calls Start, Test01 to Test11 and End in this order, each with what the call before it answered.
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)

    method Test01(client_id: string) -> (bool: bool)

    method Test02(client_id: string, bool: bool) -> (int: int)

    method Test03(client_id: string, int: int) -> (float: float)

    method Test04(client_id: string, float: float) -> (string: string)

    method Test05(client_id: string, string: string) -> (bool: bool, int: int, float: float, string: string)

    method Test06(client_id: string, bool: bool, int: int, float: float, string: string)
      -> (struct: (bool: bool, int: int, float: float, string: string))

    method Test07(client_id: string, struct: (bool: bool, int: int, float: float, string: string))
      -> (map: [string]string)

    method Test08(client_id: string, map: [string]string) -> (set: [string]())

    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

    # To be called with "more".
    method Test10(client_id: string, mytype: MyType) -> (string: string)

    # To be called with "oneway".
    method Test11(client_id: string, last_more_replies: []string) -> ()

    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()

    # What should have been called, and what was.
    error CertificationError (wants: object, got: object)

    """
}

/// One call of the certification: what it must bring along, besides the client's id, and what it is answered.
struct Step {
  let method: String
  let input: JSONObject
  let replies: [JSONObject]
  /// The one header member, if any, that must be true.
  let flag: Flag?

  enum Flag: String {
    case more
    case oneway
  }

  private init(_ method: String, _ input: JSONObject, _ replies: [JSONObject], flag: Flag? = nil) {
    self.method = method
    self.input = input
    self.replies = replies
    self.flag = flag
  }

  /// The calls after `Start`, in their order. What one answers, the next one brings along.
  static let all: [Step] = [
    Step("Test01", [:], [truth]),
    Step("Test02", truth, [int]),
    Step("Test03", int, [float]),
    Step("Test04", float, [string]),
    Step("Test05", string, [mixture]),
    Step("Test06", mixture, [["struct": .object(mixture)]]),
    Step("Test07", ["struct": .object(mixture)], [map]),
    Step("Test08", map, [set]),
    Step("Test09", set, [["mytype": .object(myType)]]),
    Step("Test10", ["mytype": .object(myType)], numbers.map { ["string": .string($0)] }, flag: .more),
    Step("Test11", ["last_more_replies": .array(numbers.map { .string($0) })], [], flag: .oneway),
    Step("End", [:], [["all_ok": true]]),
  ]

  private static let truth: JSONObject = ["bool": true]
  private static let int: JSONObject = ["int": 1]
  private static let float: JSONObject = ["float": 1.0]
  private static let string: JSONObject = ["string": "ping"]
  private static let mixture: JSONObject = [
    "bool": false, "int": 2, "float": .float(.pi), "string": "a lot of string",
  ]
  private static let map: JSONObject = ["map": ["foo": "Foo", "bar": "Bar"]]
  private static let set: JSONObject = ["set": ["one": [:], "two": [:], "three": [:]]]
  private static let numbers = (1...10).map { "Reply number \($0)" }
  private static let myType: JSONObject = [
    "object": ["method": "org.varlink.certification.Test09", "parameters": ["map": ["foo": "Foo", "bar": "Bar"]]],
    "enum": "two",
    "struct": ["first": 1, "second": "2"],
    "array": ["one", "two", "three"],
    "dictionary": ["foo": "Foo", "bar": "Bar"],
    "stringset": ["one": [:], "two": [:], "three": [:]],
    "interface": [
      "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
      "anon": ["foo": true, "bar": false],
    ],
  ]
}

extension JSON {
  /// Whether both say the same: a fraction may be written as a whole number, and a member that is `null` left out.
  func says(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.float, .int), (.int, .float): return float == other.float
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy { $0.says($1) }
    case (.object(let one), .object(let other)): return one.says(other)
    default: return self == other
    }
  }
}

extension JSONObject {
  /// The same members and one more.
  func with(_ key: String, _ value: JSON) -> JSONObject {
    var changed = self
    changed[key] = value
    return changed
  }

  /// See `JSON.says`.
  func says(_ other: JSONObject) -> Bool {
    let names = Set(map(\.key)).union(other.map(\.key))
    return names.allSatisfy { (self[$0] ?? .null).says(other[$0] ?? .null) }
  }
}
