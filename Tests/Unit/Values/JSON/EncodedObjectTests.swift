import JSON
import Testing

/// Objects that are written without having been a tree.
@Suite struct EncodedObjectTests {
  func read(_ text: EncodedObject) throws -> JSON { try JSON(parsing: text.description) }

  @Test func `what is written member by member is read as it was meant`() throws {
    let text = EncodedObject { object in
      object.add("least", Int64.min)
      object.add("most", Int64.max)
      object.add("missing", Int64?.none)
      object.add("words", "\"é😀\"\\\n\u{1}/")
      object.add("silence", String?.none)
      object.add("flag", true)
      object.add("tree", ["a": [1, nil, 2.5]])
      object.add("inner") { inner in
        inner.add("empty") { _ in }
        inner.add("zero", 0 as Int64)
      }
      object.add("list", [1, 2] as [Int64]) { $0.add("n", $1) }
      object.add("texts", [EncodedObject(["x": 1]), EncodedObject { _ in }])
      object.add("none", [EncodedObject]())
    }
    #expect(
      try read(text) == [
        "least": .int(.min), "most": .int(.max), "words": "\"é😀\"\\\n\u{1}/", "flag": true,
        "tree": ["a": [1, nil, 2.5]], "inner": ["empty": [:], "zero": 0], "list": [["n": 1], ["n": 2]],
        "texts": [["x": 1], [:]], "none": [],
      ])
  }

  @Test func `a number may have any number of digits`() throws {
    var power: Int64 = 1
    for digits in 1...19 {
      for number in [power - 1, power, power + 1, power / 2 * 3] {
        #expect(try read(EncodedObject { $0.add("n", number) }) == ["n": .int(number)], "\(digits) digits")
        #expect(try read(EncodedObject { $0.add("n", -number) }) == ["n": .int(-number)], "\(digits) digits")
      }
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
  }

  @Test func `an object may be of any length`() throws {
    for length in [0, 1, 254, 255, 256, 257, 5000, 1 << 17] {
      let words = String(repeating: "\"x", count: length)
      let text = EncodedObject { object in
        object.add("words", words)
        object.add("n", Int64(length))
      }
      #expect(try read(text) == ["words": .string(words), "n": .int(Int64(length))])
    }
  }

  @Test func `both ways to write an object write the same`() {
    let tree: JSONObject = ["a": 1, "b": "\t", "c": ["d": -7], "e": [["f": false]]]
    let written = EncodedObject { object in
      object.add("a", 1 as Int64)
      object.add("b", "\t")
      object.add("c") { $0.add("d", -7 as Int64) }
      object.add("e", [false]) { $0.add("f", $1) }
    }
    #expect(EncodedObject(tree) == written)
  }
}
