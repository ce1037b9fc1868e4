import CoreAPI
import JSON
import Reports
import Testing

@Suite struct ExpositionTests {
  private func text(_ counters: [JSONObject], _ formulas: [JSONObject] = [], now: Int64 = 0) -> String {
    Exposition(counters.map(Counters.Counter.init), formulas.map(Counters.Formula.init), lastEvent: 7, now: now).text
  }

  private func samples(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }

  @Test("a counter has a value, and its target and limits if there are any")
  func counters() {
    let people: JSONObject = [
      "name": "people", "group": "door", "value": -3, "target": 40, "minimum": -5, "maximum": 50,
    ]
    #expect(
      samples(text([people, ["name": "money", "value": 1250, "decimals": 2]])) == [
        "tallymark_up 1", "tallymark_events_total 7",
        #"tallymark_value{counter="people",group="door"} -3"#,
        #"tallymark_value{counter="money"} 12.50"#,
        #"tallymark_target{counter="people",group="door"} 40"#,
        #"tallymark_minimum{counter="people",group="door"} -5"#,
        #"tallymark_maximum{counter="people",group="door"} 50"#,
      ])
  }

  @Test("each family has one help and one type, before all of its samples")
  func families() {
    let lines = text([["name": "a", "value": 1], ["name": "b", "value": 2]]).split(separator: "\n")
    #expect(
      lines.suffix(4) == [
        "# HELP tallymark_value The value of a counter.", "# TYPE tallymark_value gauge",
        #"tallymark_value{counter="a"} 1"#, #"tallymark_value{counter="b"} 2"#,
      ])
  }

  @Test("a running stopwatch has its present reading, and none before 0 or beyond 64 bits")
  func stopwatches() {
    func reading(value: Int64, since: Int64?, now: Int64) -> [Substring] {
      var watch: JSONObject = ["name": "lap", "kind": "stopwatch", "value": .int(value)]
      if let since { watch["since"] = .int(since) }
      return samples(text([watch], now: now)).suffix(2)
    }
    let (seconds, running) = (
      "tallymark_stopwatch_seconds{counter=\"lap\"}", "tallymark_stopwatch_running{counter=\"lap\"}"
    )
    #expect(reading(value: 1_500_000, since: nil, now: 9) == ["\(seconds) 1.500000", "\(running) 0"])
    #expect(reading(value: 1_000_000, since: 2_000_000, now: 5_000_001) == ["\(seconds) 4.000001", "\(running) 1"])
    #expect(reading(value: 1_000_000, since: 2_000_000, now: 1_000_000) == ["\(seconds) 1.000000", "\(running) 1"])
    #expect(reading(value: .max, since: 0, now: 5) == ["\(seconds) 9223372036854.775807", "\(running) 1"])
  }

  @Test("a formula without a value, and what is archived, is left out")
  func absent() {
    let formulas: [JSONObject] = [
      ["name": "f", "value": "0.5"], ["name": "g"], ["name": "h", "value": "1", "archived": true],
    ]
    let found = samples(text([["name": "old", "archived": true, "value": 4]], formulas))
    #expect(found == ["tallymark_up 1", "tallymark_events_total 7", #"tallymark_formula_value{formula="f"} 0.5"#])
  }

  @Test("a label cannot end early")
  func escapes() {
    #expect(
      samples(text([["name": "a\"b\\c\nd", "value": 1]])).last == #"tallymark_value{counter="a\"b\\c\nd"} 1"#)
  }

  @Test("without a core there is nothing but that")
  func away() { #expect(samples(Exposition().text) == ["tallymark_up 0"]) }
}
