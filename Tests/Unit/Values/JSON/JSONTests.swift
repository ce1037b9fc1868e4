import JSON
import TestKit
import Testing
import Varlink

/// Text in, values out, and back.
@Suite struct JSONTests {
  @Test(
    arguments: [
      ("null", nil), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("9223372036854775807", .int(.max)),
      ("-9223372036854775808", .int(.min)), ("9007199254740993", 9_007_199_254_740_993), ("1.0", 1.0), ("1e3", 1000.0),
      ("-2.5E-3", -0.0025), (#""""#, ""), (#""\u00e9\ud83d\ude00\/\"\\""#, "é😀/\"\\"), ("[]", []), ("{}", [:]),
      (" [ 1 , [ ] , { \"a\" : null } ]\r\n\t", [1, [], ["a": nil]]),
    ] as [(String, JSON)])
  func `what JSON can say is read exactly`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  @Test(
    arguments: [
      ("\u{1b}\u{7f}", #""\u001b\u007f""#), ("a\u{80}\u{9f}\u{a0}é", "\"a\\u0080\\u009f\u{a0}é\""),
      ("\u{202a}\u{202e}\u{2066}\u{2069}b", #""\u202a\u202e\u2066\u2069b""#),
      ("\u{2029}\u{2065}\u{206a}\u{200f}", nil), ("€\u{2070}\u{c2}\u{e2}犬", nil), ("\u{c1}", nil), ("\u{a2}", nil),
    ] as [(String, String?)])
  func `texts are written so that no terminal obeys them, and read as they were`(
    _ text: String, _ written: String?
  ) throws {
    #expect(JSON.string(text).description == written ?? "\"\(text)\"")
    #expect(try JSON(parsing: JSON.string(text).description) == .string(text))
  }

  @Test func `whole numbers and fractions stay apart`() throws {
    #expect(try JSON(parsing: "1") != JSON(parsing: "1.0"))
    #expect(try JSON(parsing: "1.0").int == nil)
    #expect(try JSON(parsing: "1").float == 1)
    #expect(JSON.float(1).description == "1.0")
    #expect(try JSON(parsing: JSON.float(1e16).description) == .float(1e16))
  }

  @Test(
    arguments: [
      "", " ", "nul", "True", "01", "+1", ".5", "1.", "1e", "0x1", "NaN", "Infinity", "-", "9223372036854775808",
      "-9223372036854775809", "1e999", "'a'", "\"a", "\"\t\"", #""\x""#, #""\u12""#, #""\ud800""#, #""\udc00""#,
      #""\u0000""#, "[1,]", "[1 2]", "[", "]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":1}",
      "1 2", "{} x", "/**/1", "\u{FEFF}1",
    ])
  func `what JSON cannot say is refused`(text: String) {
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }
  }

  @Test func `an error says where it is`() {
    #expect { try JSON(parsing: "{\n  \"a\": x\n}") } throws: { error in
      (error as? JSON.SyntaxError)?.line == 2
    }
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func `nesting is taken to the limit and refused beyond`(opening: String, closing: String) throws {
    func nested(_ depth: Int) -> String {
      String(repeating: opening, count: depth) + "null"
        + String(repeating: closing, count: depth)
    }
    #expect(try JSON(parsing: nested(JSON.maximumDepth)).description == nested(JSON.maximumDepth))
    for depth in [JSON.maximumDepth + 1, 2049, 100_000] {
      #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: nested(depth)) }
    }
  }

  @Test func `every character is written so that it is read again`() throws {
    for value in (1...0x2FF).map({ $0 }) + [0x2028, 0xFFFD, 0x1F600, 0x10FFFF] {
      let text = String(Unicode.Scalar(UInt32(value))!) + "x"
      let written = JSON.string(text).description
      #expect(!written.utf8.contains { $0 < 0x20 })
      #expect(try JSON(parsing: written) == .string(text))
    }
    #expect(JSON.string("a\u{0}b").description == #""a\u0000b""#)
    #expect(JSON.string("\u{1B}\n\t\r").description == #""\u001b\n\t\r""#)
  }

  @Test(
    arguments: [
      0.1, -0.0, .leastNonzeroMagnitude, 1.7976931348623157e308, .pi, 1e15, 1e16, 123_456_789.125, 1 / 3,
      1.0000000000000002,
    ])
  func `a fraction is written so that the same one is read`(value: Double) throws {
    let read = try JSON(parsing: JSON.float(value).description)
    guard case .float(let again) = read else {
      Issue.record("\(value) was written as \(JSON.float(value)), which is no fraction")
      return
    }
    #expect(again.bitPattern == value.bitPattern)
  }

  @Test func `a fraction that JSON cannot say becomes null`() {
    let values: JSON = [.float(.nan), .float(.infinity), .float(-.infinity)]
    #expect(values.description == "[null,null,null]")
  }

  @Test(.seeded) func `garbled text is refused, or read as something that is written and read the same`() throws {
    let texts = [
      #"{"method":"org.example.x.M","parameters":{"é😀\u00e9\ud83d\ude00\n":[1,-2.5e+3,true,false,null,{}]}}"#,
      #"[[[["a",{"b":{"c":[0.1,9223372036854775807,"\\\"\/"]}}]]]]"#,
    ].map { Array($0.utf8) }
    var random = Seed.generator()
    var taken = 0
    for round in 0..<Rounds.times(10_000) {
      var text = texts[round % texts.count]
      for _ in 0...random.below(3) {
        let place = random.below(text.count)
        switch random.below(4) {
        case 0: text[place] = UInt8(random.below(256))
        case 1: text.remove(at: place)
        case 2: text.insert(text[random.below(text.count)], at: place)
        default: text.removeLast(random.below(text.count) / 8)
        }
      }
      guard let value = try? text.withUnsafeBytes({ try JSON(parsing: $0) }) else { continue }
      taken += 1
      #expect(try JSON(parsing: value.description) == value)
    }
    #expect(taken > Rounds.times(200))
  }

  @Test func `an object keeps its order and is equal in any`() throws {
    let object = try JSON(parsing: #"{"b":1,"a":{"y":[],"x":{}},"c":null}"#)
    #expect(object.description == #"{"b":1,"a":{"y":[],"x":{}},"c":null}"#)
    #expect(object == ["a": ["x": [:], "y": []], "c": nil, "b": 1])
    #expect(object != ["a": ["x": [:], "y": []], "b": 1])
    #expect(object != ["a": ["x": [:], "y": []], "d": nil, "b": 1])
  }

  @Test func `members are found, replaced, added and removed`() {
    var object: JSONObject = ["a": 1, "b": nil]
    #expect(object["a"] == 1)
    #expect(object["b"]?.isNull == true)
    #expect(object["c"] == nil)
    object["a"] = 2
    object["c"] = "new"
    object["b"] = nil as JSON?
    #expect(object.description == #"{"a":2,"c":"new"}"#)
  }

  @Test func `a member is found by a literal as by a string`() {
    let object: JSONObject = ["a": 1, "stopwatches": 2, "ab": 3, "resynchronisation": 4]
    #expect(
      [
        object[literal: "a"], object[literal: "ab"], object[literal: "stopwatches"],
        object[literal: "resynchronisation"],
      ]
        == [1, 3, 2, 4])
    for missing: StaticString in ["", "b", "A", "ba", "stopwatchet"] { #expect(object[literal: missing] == nil) }
  }

  @Test func `an accessor answers for its own kind only`() {
    let values: [JSON] = [nil, true, 1, 1.5, "s", [1], ["k": 1]]
    #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false, false])
    #expect(values.map { $0.int != nil } == [false, false, true, false, false, false, false])
    #expect(values.map { $0.float != nil } == [false, false, true, true, false, false, false])
    #expect(values.map { $0.string != nil } == [false, false, false, false, true, false, false])
    #expect(values.map { $0.array != nil } == [false, false, false, false, false, true, false])
    #expect(values.map { $0.object != nil } == [false, false, false, false, false, false, true])
  }
}
