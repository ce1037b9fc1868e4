import CoreAPI
import Glibc
import JSON
import TestKit
import Testing
import Text

@testable import Reports
@testable import TallyCommand

@Suite struct OverviewTests {
  private func row(_ object: JSONObject, lastHour: Int64? = nil) -> Overview.Row {
    Overview.Row(counter: CounterLine(.init(object)), lastHour: lastHour)
  }

  private func lines(_ rows: [Overview.Row], width: Int = 80, groups: [String] = []) -> [String] {
    Overview(
      rows: rows, groups: groups.map { .init(["name": .string($0), "title": .string("The \($0)")]) }, width: width
    ).lines()
  }

  @Test func `values stand below each other, and the current counter is marked`() {
    #expect(
      lines([
        row(["name": "a", "title": "a", "value": 5, "current": true]),
        row(["name": "dogs", "title": "dogs", "value": 42]),
      ]) == ["▸  5  a", "  42  dogs"])
  }

  @Test func `a thousand counters take ten times as long as a hundred`() {
    func time(_ count: Int) -> Int {
      let rows = (0..<count).map {
        row(["name": "c\($0)", "title": "Counter \($0)", "value": .int(Int64($0))], lastHour: 1)
      }
      let begin = clock()
      _ = lines(rows)
      return clock() - begin
    }
    _ = time(100)
    let (few, many) = ((0..<5).map { _ in time(100) }.min() ?? 0, (0..<3).map { _ in time(1000) }.min() ?? 0)
    print("100 counters: \(few) µs, 1000: \(many) µs of processor time")
    #expect(many < 40 * few)
  }

  @Test func `titles, sums of the last hour and goals stand in columns of their own`() {
    let goal: JSONObject = ["name": "b", "title": "b", "value": 5, "progress": ["percent": 50]]
    #expect(
      lines([row(["name": "a", "title": "Apples", "value": 1], lastHour: 3), row(goal)])
        == ["  1  a  Apples                    3 in the last hour", "  5  b          █████░░░░░  50 %"])
    #expect(lines([row(goal)], width: 40) == ["  5  b   50 %"])
    #expect(lines([row(goal)], width: 20) == ["  5  b   50 %"])
  }

  @Test(
    arguments: [
      (nil, nil), (-2000, "-999 %"), (999, "999 %"), (1000, "10 ×"), (99_999, "999 ×"), (100_000, ">999 ×"),
    ] as [(Int64?, String?)])
  func `a goal that was passed many times is stated in multiples`(_ percent: Int64?, _ share: String?) {
    let progress = percent.map { ["progress": ["percent": .int($0)]] as JSONObject } ?? [:]
    #expect(CounterLine(.init(progress)).share == share)
  }

  @Test func `groups follow with their title and their sum`() {
    let rows = [
      row(["name": "a", "title": "a", "value": 1, "group": "team"]), row(["name": "x", "title": "x", "value": 9]),
      row(["name": "b", "title": "b", "value": 2, "group": "team"]),
    ]
    #expect(lines(rows, groups: ["team", "empty"]) == ["  9  x", "", "The team  Σ 3", "  1  a", "  2  b"])
  }

  @Test func `a running, a locked and an archived counter say so without colours`() {
    #expect(
      lines([
        row(["name": "anna", "title": "anna", "value": 1, "since": 5]),
        row(["name": "b", "title": "b", "value": 2, "locked": true, "archived": true]),
      ]) == ["  1  anna (running)", "  2  b (locked, archived)"])
  }

  @Test func `a counter of a group that is not listed is shown all the same`() {
    #expect(lines([row(["name": "a", "title": "a", "value": 1, "group": "team"])]) == ["  1  a"])
  }

  @Test func `times and things have no sum`() {
    let rows = [
      row(["name": "a", "title": "a", "value": 1, "group": "team"]),
      row(["name": "b", "title": "b", "value": 2, "group": "team", "kind": "stopwatch"]),
    ]
    #expect(lines(rows, groups: ["team"]).first == "The team")
  }

  @Test func `the last hour has no sum before its counts cover ten minutes`() {
    func sum(_ early: Int64, _ late: Int64) -> Int64? {
      Overview.sum([early, late].map { .init(["counts": .int($0), "added": .int($0 * 2)]) })
    }
    #expect(sum(0, 3) == nil && sum(0, 0) == nil)
    #expect(sum(1, 3) == 8 && sum(1, 0) == 2)
  }

  @Test func `letters of East Asia keep the columns straight`() {
    let shown = lines([
      row(["name": "人数", "title": "人数", "value": 7, "icon": "🧍"], lastHour: 1),
      row(["name": "dogs", "title": "dogs", "value": 12], lastHour: 1),
    ])
    #expect(shown == ["  🧍  7  人数  1 in the last hour", "     12  dogs  1 in the last hour"])
    #expect(Set(shown.map(\.columns)).count == 1)
  }

  @Test func `a name that is too long is cut, a title before it`() {
    let long = row(["name": .string(String(repeating: "n", count: 60)), "title": "Title", "value": 1])
    let shown = lines([long], width: 40)[0]
    #expect(shown.columns == 40 && shown.hasSuffix("…"))
    #expect(!lines([row(["name": "n", "title": "Title", "value": 1])], width: 59)[0].contains("Title"))
  }

  @Test func `control characters are removed`() {
    let shown = lines([row(["name": "a", "title": "\u{1B}[31mred", "value": 1, "icon": "\u{7}x"])])
    #expect(shown == ["  \u{fffd}x 1  a  \u{fffd}[31mred"])
  }

  @Test(.seeded, arguments: [20, 21, 40, 56, 60, 80, 120, 200]) func `no line is wider than the terminal`(width: Int) {
    var random = Seed.generator(case: width)
    func text(_ most: Int) -> String {
      (0..<random.whole(1...most)).map { _ in ["a", "犬", "e\u{0301}", "🧍", " ", "w"][random.below(6)] }.joined()
    }
    for _ in 0..<Rounds.times(2) {
      let rows = (0..<random.whole(1...5)).map { _ in
        var object: JSONObject = ["name": .string(text(70)), "title": .string(text(90))]
        object["value"] = .int(random.whole(-999_999...999_999))
        if random.happens(0.5) { object["progress"] = ["percent": .int(random.whole(-2000...20_000))] }
        if random.happens(0.5) { object["group"] = "team" }
        if random.happens(0.3) { object["icon"] = "🧍" }
        return row(object, lastHour: random.happens(0.5) ? random.whole(-99_999...99_999) : nil)
      }
      for line in lines(rows, width: width, groups: ["team"]) { #expect(line.columns <= width, "\(line)") }
    }
  }
}
