import CoreAPI
import Fleet
import JSON
import Testing

@testable import Bridge

@Suite struct `Reports of a station` {
  private static let second: Int64 = 1_000_000_000

  private func description(of name: String, _ digit: Character = "a", isRetained: Bool = false)
    -> Counters.StationMessage
  {
    .init(
      station: name, topic: "\(name)/station", isRetained: isRetained, id: String(repeating: digit, count: 32))
  }

  /// The parts of the report that is due; `nil` without one.
  private func parts(_ reports: inout ReportTiming, at now: Int64) -> Set<String>? {
    reports.next(at: now).map { request in
      Set(["all", "settings", "digests"].filter { request.parameters[$0]?.bool == true })
    }
  }

  @Test func `come at most every ten seconds, after a connection sooner and with everything`() {
    var reports = ReportTiming()
    #expect(parts(&reports, at: 0) == nil)
    reports.plan(at: 0)
    #expect(reports.due == ReportTiming.delay)
    #expect(parts(&reports, at: ReportTiming.delay) == [] && reports.due == nil)
    reports.plan(at: 2 * Self.second)
    reports.plan(at: 3 * Self.second)
    #expect(reports.due == ReportTiming.delay + ReportTiming.interval)
    // A report that was planned earlier would precede the counts.
    reports.connect(at: 20 * Self.second)
    #expect(reports.due == 20 * Self.second + ReportTiming.delay)
    // A bridge that connects again and again does not put it off.
    reports.connect(at: 21 * Self.second)
    #expect(parts(&reports, at: 22 * Self.second) == ["all", "digests"])
    reports.connect(at: 23 * Self.second)
    #expect(reports.due == 25 * Self.second)
    reports.end()
    #expect(reports.due == nil && parts(&reports, at: 99 * Self.second) == nil)
  }

  @Test func `tell stations that appear everything, a thousand of them at once`() {
    var reports = ReportTiming()
    for number in 0..<1000 { reports.hear([description(of: "d\(number)")], of: "door1", at: 0) }
    #expect(parts(&reports, at: ReportTiming.delay) == ["all", "settings"])
    #expect(reports.due == nil)
    // What the broker holds of a known station is no news, and neither is what this station has published.
    reports.hear([description(of: "d1", isRetained: true), description(of: "door1", "b")], of: "door1", at: 0)
    #expect(reports.due == nil)
    for news in [description(of: "d1"), description(of: "d2", "b", isRetained: true)] {
      reports.hear([news], of: "door1", at: 0)
      #expect(reports.due != nil)
      reports.end()
    }
    // A station that has left comes back.
    let gone = Counters.StationMessage(station: "d1", topic: "d1/station", removed: "station")
    reports.hear([gone, description(of: "d1", isRetained: true)], of: "door1", at: 0)
    #expect(reports.due != nil)
    reports.end()
    reports.hear([description(of: "d3", "x")], of: "door1", at: 0)
    #expect(reports.due == nil)
    // Those that are known stay known when there are as many as are kept.
    for number in 1000..<ReportTiming.mostStations { reports.hear([description(of: "d\(number)")], of: "door1", at: 0) }
    for (name, isNews) in [("d3", false), ("more", true), ("d3", true)] {
      reports.end()
      reports.hear([description(of: name, isRetained: true)], of: "door1", at: 0)
      #expect((reports.due != nil) == isNews)
    }
  }
}
