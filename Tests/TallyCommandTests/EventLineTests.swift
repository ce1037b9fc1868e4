import Testing
import Varlink

@testable import TallyCommand

@Suite struct EventLineTests {
  private func event(_ members: JSONObject) -> EventLine {
    var object: JSONObject = ["sequence": 3, "time": 0, "kind": "added", "counter": "people", "change": 2, "value": 7]
    for (key, value) in members { object[key] = value }
    return EventLine(object)
  }

  @Test(
    arguments: [
      ([:], "7 people (+2)"), (["kind": "subtracted", "change": -2], "7 people (−2)"),
      (["boundary": 5, "reached": true], "7 people (+2, passed 5, reached the target)"),
      (["limited": true], "7 people (+2, stopped at the limit)"),
      (["kind": "armed", "change": 0], "7 people (armed: reset again to do it)"),
      (["kind": "undone", "change": -2], "7 people (undone −2)"),
      (["kind": "selected", "change": 0], "7 people (selected)"),
      (["kind": "reset", "change": -7, "value": 0], "0 people (reset −7)"),
      (["kind": "renewed", "change": -7, "value": 0, "began": 1], "0 people (began anew after 7)"),
      (["kind": "renewed", "change": -7, "value": 0], "0 people (counted for the period before)"),
      (["kind": "lapped", "stopwatch": true, "lap": 90_000_000, "value": 0], "0:00.00 people (lap of 1:30.00)"),
      (["decimals": 2, "change": 25, "value": 125], "1.25 people (+0.25)"),
      (["kind": "corrected", "change": .int(.min), "value": 0], "0 people (corrected −9223372036854775807)"),
      (
        [
          "kind": "changed", "change": 0,
          "alterations": [["field": "title", "before": "A", "after": "B"], ["field": "order"]],
        ],
        "7 people (changed title A → B, its place)"
      ),
      (["kind": "changed", "change": 0], "7 people (changed nothing)"),
      (["counter": "", "group": "team", "kind": "created", "change": 0], "the group team: created"),
      (["counter": "", "formula": "hits", "kind": "removed", "change": 0], "the formula hits: removed"),
      (["counter": "", "kind": "reset", "change": 0], "all counters: reset"),
    ] as [(JSONObject, String)])
  func `an event is a sentence`(members: JSONObject, sentence: String) { #expect(event(members).sentence == sentence) }

  @Test(
    arguments: [
      (["producer": "tally"], "tally"), (["producer": "inputd", "gesture": "tap"], "tap, inputd"),
      (["producer": "inputd", "device": "Pedal"], "Pedal"),
      (["producer": "inputd", "device": "Pedal", "gesture": "press"], "press on Pedal"),
    ] as [(JSONObject, String)])
  func `who did it stands at the end`(cause: JSONObject, words: String) {
    #expect(event(["cause": .object(cause)]).text(withDay: false).hasSuffix("7 people  +2  \(words)"))
  }

  @Test(arguments: [4, 10, 20, 30, 40, 80]) func `a line keeps within the width`(width: Int) {
    let line = event([
      "counter": "人数カウンター",
      "cause": ["producer": "p", "device": .string(String(repeating: "犬", count: 40)), "gesture": "tap"],
    ])
    let text = line.text(withDay: true, width: width)
    #expect(!text.isEmpty)
    #expect(text.columns <= width)
  }

  @Test func `for programs each member is there that the event has`() {
    let line = event(["cause": ["producer": "tally"], "note": "dog", "reached": nil]).json.object
    #expect(line?["name"] == "people" && line?["title"] == "people" && line?["note"] == "dog")
    #expect(line?["cause"] == ["producer": "tally"])
    #expect(line?["time"]?.string?.contains("T") == true)
    #expect(line?["reached"] == nil)
  }
}
