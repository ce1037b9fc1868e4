import CoreAPI
import JSON
import Testing
import Text

@testable import Reports
@testable import TallyCommand

@Suite struct EventLineTests {
  /// Four o'clock of the first day, in the zone of the machine.
  private static let four = { () -> String in
    let time = LocalTime(microseconds: 14_400_000_000)
    return "\(time.day) \(time.clock.prefix(5))"
  }()

  /// An event of a note about event 2; an empty text is no note.
  private static func note(_ before: String, _ after: String, kind: String = "noted") -> JSONObject {
    var alteration: JSONObject = ["field": "note"]
    if !before.isEmpty { alteration["before"] = .string(before) }
    if !after.isEmpty { alteration["after"] = .string(after) }
    return ["kind": .string(kind), "change": 0, "about": 2, "alterations": [.object(alteration)]]
  }

  private func event(_ members: JSONObject) -> EventLine {
    var object: JSONObject = ["sequence": 3, "time": 0, "kind": "added", "counter": "people", "change": 2, "value": 7]
    for (key, value) in members { object[key] = value }
    return EventLine(.init(object))
  }

  @Test(
    arguments: [
      ([:], "7 people (+2)"), (["kind": "subtracted", "change": -2], "7 people (−2)"),
      (["boundary": 5, "reached": true], "7 people (+2, passed 5, reached the target)"),
      (["standing": 5, "until": 14_400_000_000], "5 people (+2, in the period until \(Self.four))"),
      (["limited": true], "7 people (+2, stopped at the limit)"),
      (["kind": "corrected", "change": 0, "limited": true], "7 people (corrected, stopped at the limit)"),
      (["kind": "armed", "change": 0], "7 people (armed: repeat the reset to confirm)"),
      (["kind": "undone", "change": -2], "7 people (undid +2)"),
      (["kind": "selected", "change": 0], "7 people (selected)"),
      (["kind": "reset", "change": -7, "value": 0], "0 people (reset −7)"),
      (["kind": "renewed", "change": -7, "value": 0, "began": 1], "0 people (new period after 7)"),
      (["kind": "renewed", "change": -7, "value": 0], "0 people (7 counted for the previous period)"),
      (["kind": "lapped", "stopwatch": true, "lap": 90_000_000, "value": 0], "0:00.00 people (lap of 1:30.00)"),
      (["counter": "", "group": "team", "kind": "lapped", "change": 0, "value": 0], "The group team: lap"),
      (["counter": "", "kind": "lapped", "change": 0, "value": 0], "All counters: lap"),
      (Self.note("", "dog"), "7 people (note on event 2: dog)"),
      (Self.note("dog", ""), "7 people (note on event 2 removed)"),
      (Self.note("dog", "cat"), "7 people (note on event 2: cat)"),
      (Self.note("dog", "", kind: "undone"), "7 people (undid the note on event 2)"),
      (Self.note("cat", "dog", kind: "undone"), "7 people (undid the change of the note on event 2)"),
      (Self.note("", "dog", kind: "undone"), "7 people (undid the removal of the note on event 2)"),
      (Self.note("", "dog", kind: "redone"), "7 people (redid the note on event 2)"),
      (Self.note("dog", "cat", kind: "redone"), "7 people (redid the change of the note on event 2)"),
      (
        ["kind": "changed", "change": 0, "alterations": [["field": "stepDown", "before": "", "after": "2"]]],
        "7 people (changed step-down → 2)"
      ),
      (["decimals": 2, "change": 25, "value": 125], "1.25 people (+0.25)"),
      (["kind": "corrected", "change": .int(.min), "value": 0], "0 people (corrected −9223372036854775808)"),
      (
        [
          "kind": "changed", "change": 0,
          "alterations": [["field": "title", "before": "A", "after": "B"], ["field": "order"]],
        ],
        "7 people (changed title A → B, its place)"
      ),
      (
        ["kind": "changed", "change": 0, "alterations": [["field": "icon", "before": "🧍", "after": ""]]],
        "7 people (changed icon 🧍 → none)"
      ),
      (["decimals": 1, "change": -15, "value": -40, "kind": "subtracted"], "−4.0 people (−1.5)"),
      (
        ["kind": "changed", "change": 0, "alterations": [["field": "tags", "before": "", "after": "main door"]]],
        "7 people (changed tags → main, door)"
      ),
      (["kind": "changed", "change": 0, "alterations": []], "7 people (changed nothing)"),
      (
        ["kind": "changed", "change": 0, "cause": ["producer": "tallyd"]],
        "7 people (clock was behind: period continued)"
      ),
      (["kind": "changed", "change": 0, "began": 1], "7 people (clock set back: period resumed)"),
      (["boundary": 7], "7 people (+2, reached 7)"),
      (["kind": "undone", "change": -2, "undoes": 2], "7 people (undid +2 (event 2))"),
      (["kind": "redone", "change": 2, "undoes": 2], "7 people (redid +2 (event 2))"),
      (["kind": "undone", "change": .int(.min)], "7 people (undid +9223372036854775807)"),
      (
        ["kind": "undone", "change": 0, "alterations": [["field": "colour", "before": "red", "after": "blue"]]],
        "7 people (undid colour blue → red)"
      ),
      (
        ["kind": "changed", "change": 0, "alterations": [["field": "archived", "before": "0", "after": "1"]]],
        "7 people (archived)"
      ),
      (
        ["kind": "undone", "change": 0, "alterations": [["field": "archived", "before": "1", "after": "0"]]],
        "7 people (undid the archiving)"
      ),
      (
        [
          "kind": "changed", "decimals": 2, "change": 0, "value": 700,
          "alterations": [
            ["field": "maximum", "before": "4000", "after": "1000"], ["field": "archived", "after": "1"],
          ],
        ],
        "7.00 people (changed maximum 40.00 → 10.00, archived)"
      ),
      (["counter": "", "group": "team", "kind": "created", "change": 0], "The group team: created"),
      (["counter": "", "formula": "hits", "kind": "removed", "change": 0], "The formula hits: removed"),
      (["counter": "", "kind": "reset", "change": 0], "All counters: reset"),
    ] as [(JSONObject, String)])
  func `an event is a sentence`(members: JSONObject, sentence: String) { #expect(event(members).sentence == sentence) }

  @Test(
    arguments: [
      (
        "changed", [["field": "formula", "before": "a + 2", "after": "a + 1"]],
        "The formula f is “a + 1” again (undid a change by tally)"
      ),
      (
        "changed", [["field": "archived", "before": "0", "after": "1"]],
        "The formula f is archived again (undid a change by tally)"
      ),
      (
        "changed", [["field": "archived", "before": "1", "after": "0"]],
        "The formula f is out of the archive again (undid a change by tally)"
      ),
      (
        "changed", [["field": "title", "before": "T", "after": "f"], ["field": "colour", "before": "red"]],
        "The formula f: title is f, no colour again (undid a change by tally)"
      ),
    ] as [(String, JSON, String)])
  func `an undo of a change of a formula says what stands again`(kind: String, alterations: JSON, sentence: String) {
    let undone = event(["counter": "", "formula": "f", "kind": "undone", "change": 0, "alterations": alterations])
    let origin = event([
      "counter": "", "formula": "f", "kind": .string(kind), "change": 0, "alterations": [["field": "note"]],
      "cause": ["producer": "tally"],
    ])
    #expect(TakebackText(event: undone, origin: origin, isTakenBack: true).sentence(reading: nil) == sentence)
  }

  @Test func `an undo names a correction, a lock and a selection by nouns`() {
    let nouns = [
      ("corrected", "a correction of +2"), ("selected", "the selection"), ("locked", "the lock"),
      ("unlocked", "the unlocking"),
    ]
    for (kind, noun) in nouns { #expect(event(["kind": .string(kind)]).brief == noun) }
  }

  @Test func `only events that a person enters are entered later`() {
    for (members, isLate) in [
      ([:], true), (["kind": "changed", "change": 0, "began": 1, "cause": ["producer": "tallyd"]], false),
      (["kind": "renewed", "change": -7, "value": 0], false),
      // A count of the clock, which was set back.
      (["time": 1_700_000_000_123_456], false), (["time": 1_700_000_040_000_000], true),
    ] as [(JSONObject, Bool)] {
      var line = event(members)
      line.isOutOfOrder = true
      #expect(line.text(withDay: false).contains(", entered later") == isLate)
    }
  }

  @Test func `a stop that was taken back leaves the time with the run that goes on`() {
    var line = event([
      "kind": "undone", "change": -1_060_000, "value": 0, "stopwatch": true, "time": 3_000_000, "undoes": 2, "batch": 3,
    ])
    #expect(line.count == "0:00.00" && line.isUnclearWithoutOrigin)
    line.origin = .init(["sequence": 2, "kind": "stopped", "time": 2_000_000, "value": 1_060_000, "stopwatch": true])
    #expect(line.count == "0:02.06")
    line.origin = .init(["sequence": 2, "kind": "added", "time": 2_000_000, "value": 1_060_000, "stopwatch": true])
    #expect(line.count == "0:00.00")
  }

  @Test func `a change to what was there already is no line of a history`() {
    let idle: JSONObject = ["kind": "changed", "counter": "a", "change": 0, "value": 1]
    let more: [JSONObject] = [
      [:], ["alterations": []], ["alterations": [["field": "order"]]], ["cause": ["producer": "tallyd"]], ["began": 1],
      ["kind": "selected"],
    ]
    let events = more.map { members -> Counters.Event in
      var object = idle
      for (key, value) in members { object[key] = value }
      return .init(object)
    }
    #expect(events.map(\.changesNothing) == [true, true, false, false, false, false])
  }

  @Test func `empty periods in a row are one line of a history, whatever other counters did between`() {
    let days = (1...8).flatMap { day -> [JSONObject] in
      ["a", "b"].map { name in
        [
          "sequence": .int(Int64(day * 2)), "time": .int(Int64(day)), "kind": "renewed", "counter": .string(name),
          "change": name == "b" || day == 3 ? -2 : 0, "value": 0, "began": 1,
        ]
      }
    }
    let lines = History.table(days.map { Counters.Event($0) }, [:]).filter { $0.contains("0 a") }
    #expect(lines.count == 3)
    #expect(lines[0].contains("new period after 0, the last of 2 in a row"))
    #expect(lines[1].contains("new period after 2"))
    #expect(lines[2].contains("new period after 0, the last of 5 in a row"))
  }

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
