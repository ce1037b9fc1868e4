import Foundation
import TestKit
import Testing

@Suite struct `The past on the command line` {
  let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.tally("new", "people", "--title", "People at the door")
    try scene.tally("new", "dogs")
    for _ in 0..<3 { try scene.tally("add", "people", "4") }
    try scene.tally("add", "dogs")
    try scene.tally("undo")
  }

  @Test func `the history is asked for by counters and causes`() throws {
    #expect(try scene.tally("history", "people", "dogs", "--producer", "tally", "--json").objects.count == 7)
    #expect(try scene.tally("history", "dogs", "--from", "yesterday", "--json").objects.count == 3)
    #expect(try scene.tally("history", "--until", "2020-01-01").output == "")
    #expect(try scene.tally("history", "--device", "pedal").output == "")
    #expect(try scene.tally("history", "--from", "25:99").code == 64)
  }

  @Test func `totals leave out what was undone, and say what stands out`() throws {
    let steps = try scene.tally("totals", "people", "dogs", "--by", "day", "--json").objects
    // A day may end between two of the counts. The last line is about all days.
    #expect(steps.dropLast().compactMap { $0["added"] as? Int }.reduce(0, +) == 12)
    #expect(steps.dropLast().compactMap { $0["counts"] as? Int }.reduce(0, +) == 3)
    let text = try scene.tally("totals", "people").output
    #expect(text.contains("12 in all"))
    #expect(text.contains("Busiest hour: 12 from "))
    // The months before the first count are left out.
    #expect(
      1...2 ~= (try scene.tally("totals", "--by", "month", "--from", "2020-01-01").lines.count { $0.hasPrefix("20") }))
  }

  /// A rate some seconds after the first count reads as a forecast.
  @Test func `no average and no sum of the last hour is shown before ten minutes of counts, nor of a stopwatch`()
    throws
  {
    try scene.tally("new", "anna", "--stopwatch")
    #expect(try !scene.tally("show").output.contains("hour"))
    func ago(_ minutes: Double) -> String { Date(timeIntervalSinceNow: minutes * -60).ISO8601Format() }
    try scene.tally("add", "people", "--at", ago(5))
    try scene.tally("add", "anna", "0:30", "--at", ago(50))
    try scene.tally("add", "anna", "0:30", "--at", ago(20))
    #expect(try !scene.tally("totals").output.contains("an hour over"))
    #expect(try !scene.tally("show").output.contains("hour"))
    try scene.tally("add", "people", "--at", ago(15))
    #expect(try scene.tally("totals", "people").output.contains("an hour over"))
    #expect(try scene.tally("show").lines.first { $0.contains("people") }?.hasSuffix("  14 in the last hour") == true)
  }

  @Test func `totals of a time without counts have no rows`() throws {
    let day = String(Date(timeIntervalSinceNow: 86_400).ISO8601Format().prefix(10))
    for arguments in [["people", "--by", "day"], ["--by", "hour"], ["--by", "month"]] {
      let words = ["totals"] + arguments + ["--from", "\(day) 23:00"]
      let text = try Program.run("tally", words, scene.environment).output
      #expect(text == "Nothing was counted from \(day) 23:00 on.\n")
      let objects = try Program.run("tally", words + ["--json"], scene.environment).objects
      #expect(objects.count == 1 && objects.first?["statistics"] != nil)
    }
    #expect(
      try scene.tally("totals", "--by", "hour", "--from", "2020-01-01 10:00", "--until", "2020-01-01 12:00").output
        == "Nothing was counted from 2020-01-01 10:00 to 2020-01-01 12:00.\n")
    #expect(try scene.tally("totals", "people", "--by", "day", "--from", "yesterday").output.contains("12 in all"))
  }

  @Test func `days and weeks begin when the counter's period does`() throws {
    func day(_ days: Double) -> String { String(Date(timeIntervalSinceNow: days * 86_400).ISO8601Format().prefix(10)) }
    func net(_ arguments: String...) throws -> [Int] {
      try Program.run("tally", ["totals"] + arguments + ["--json"], scene.environment).objects.dropLast()
        .compactMap { ($0["added"] as? Int).flatMap { $0 > 0 ? $0 : nil } }
    }
    try scene.tally("new", "d", "--period", "daily 04:00 UTC")
    for (amount, time) in [("2", "\(day(-2))T23:00Z"), ("1", "\(day(-1))T03:00Z"), ("4", "\(day(-1))T05:00Z")] {
      #expect(try scene.tally("add", "d", amount, "--at", time).code == 0)
    }
    #expect(try net("d", "--by", "day") == [3, 4])
    let rows = try scene.tally("totals", "d", "--by", "day").output
    #expect(rows.contains("\(day(-2)) ") && rows.contains(" from 04:00 UTC  "))
    // The days of counters that do not agree begin at midnight.
    #expect(!(try scene.tally("totals", "d", "people", "--by", "day").output.contains("from 04:00")))
    try scene.tally("new", "w", "--period", "weekly sunday 12:00 UTC")
    try scene.tally("add", "w", "3")
    #expect(try scene.tally("show", "w").output.contains("3 today, 3 this week"))
    #expect(try scene.tally("totals", "w", "--by", "week").lines.first?.contains(" 12:00 UTC  ") == true)
  }

  @Test(arguments: ["JST-9", "/usr/share/zoneinfo/Asia/Tokyo", ":Asia/Tokyo", "CET-1CEST,M3.5.0,M10.5.0/3"])
  func `a time is shown as it was typed, whatever TZ says`(_ zone: String) throws {
    func tally(_ arguments: String...) throws -> Program.Outcome {
      try Program.run("tally", arguments, scene.environment.merging(["TZ": zone]) { $1 })
    }
    // Yesterday has passed in every zone.
    #expect(try tally("add", "people", "--at", "yesterday 00:05").code == 0)
    let day = try tally("totals", "people", "--by", "day", "--from", "yesterday", "--until", "today", "--json").objects
    #expect((day.first?["start"] as? String)?.contains("T00:00:00.000000+") == true)
    let times = try tally("history", "people", "--json").objects.compactMap { $0["time"] as? String }
    #expect(times.contains { $0.contains("T00:05:00.000000+") })
  }

  @Test func `a value at a past moment is shown, and none before the counter was made`() throws {
    #expect(try scene.tally("show", "people", "--at", "now").lines.last?.hasPrefix("12  people") == true)
    #expect(try scene.tally("show", "people", "--at", "2020-01-01").lines.last?.hasPrefix("no value  people") == true)
  }

  @Test func `what was counted is drawn in the terminal and as a picture`() throws {
    let plot = try scene.tally("history", "people", "--plot").output
    #expect(plot.contains("█"))
    // A minute may end between two of the counts, and the highest bar is lower then.
    #expect(plot.contains(" ┤"))
    #expect(plot.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let path = "\(scene.folder)/people.svg"
    #expect(try scene.tally("plot", "people", "--title", "A & B", "-o", path).code == 0)
    let picture = try String(contentsOfFile: path, encoding: .utf8)
    #expect(picture.contains("<title>A &amp; B</title>"))
    #expect(picture.contains("prefers-color-scheme: dark"))
    #expect(try scene.tally("plot", "people", "-o", "/dev/null/x.svg").code == 74)
  }

  @Test func `a name or a verb that was mistyped gets the nearest one offered`() throws {
    #expect(try scene.tally("add", "peple").complaint.hasSuffix("Did you mean “people”?\n"))
    let verb = try scene.tally("hsitory")
    #expect(verb.code == 64)
    #expect(verb.complaint.contains("Did you mean “tally history”?"))
    // A name has a letter.
    let number = try scene.tally("5")
    #expect(number.code == 64)
    #expect(number.complaint.hasSuffix("“5”. To add that much to the current counter: tally add 5\n"))
    let order = try scene.tally("add", "5", "people")
    #expect(order.code == 64)
    #expect(order.complaint == "tally: The name of the counter comes before the amount: tally add people 5\n")
    #expect(try scene.tally("subtract", "1.5", "dogs").complaint.hasSuffix(": tally subtract dogs 1.5\n"))
  }

  @Test(arguments: [40, 80]) func `all counters fit the terminal, wide letters too`(_ width: Int) throws {
    try scene.tally("new", "犬", "--title", String(repeating: "犬と猫", count: 30))
    var environment = scene.environment
    environment["COLUMNS"] = "\(width)"
    let shown = try Program.run("tally", [], environment)
    for line in shown.lines {
      let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2e80 ? 2 : 1) }
      #expect(columns <= width, "\(line)")
    }
    #expect(shown.output.contains("犬と") == (width >= 60))
  }
}
