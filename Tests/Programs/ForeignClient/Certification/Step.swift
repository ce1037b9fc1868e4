import Varlink

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
  /// See `JSON.says`.
  func says(_ other: JSONObject) -> Bool {
    let names = Set(map(\.key)).union(other.map(\.key))
    return names.allSatisfy { (self[$0] ?? .null).says(other[$0] ?? .null) }
  }
}
