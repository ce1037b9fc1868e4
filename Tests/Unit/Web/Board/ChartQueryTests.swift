import CoreAPI
import JSON
import Reports
import Testing

@testable import Board

@Suite struct ChartQueryTests {
  private func counter(_ name: String, group: String? = nil, isStopwatch: Bool = false, isArchived: Bool = false)
    -> JSON
  {
    var members: JSONObject = ["id": 1, "name": .string(name), "title": .string(name), "value": 0]
    if let group { members["group"] = .string(group) }
    if isStopwatch { members["kind"] = "stopwatch" }
    if isArchived { members["archived"] = true }
    return .object(members)
  }

  private func state(_ counters: [JSON]) -> BoardState {
    var state = BoardState()
    state.begin(Counters.WatchReply(["counters": .array(counters)]), groups: [], events: [])
    return state
  }

  /// The names of the counters of a chart, or the status of the refusal.
  private func names(_ query: Substring, _ counters: [JSON]) throws -> Result<[String], Status> {
    let query = try ChartQuery(query: query)
    do throws(Routes.Refusal) {
      return .success(try query.counters(in: state(counters)).map(\.name))
    } catch {
      return .failure(Status(code: error.content.status))
    }
  }

  private struct Status: Error, Equatable {
    let code: Int
  }

  @Test func `a query names a counter or a group, by hours without another step`() throws {
    let query = try ChartQuery(query: "counter=caf%C3%A9+a")
    #expect(query.subject == .counters(["café a"]))
    #expect(query.unit == .hour && query.until == nil && !query.isNarrow)
    let other = try ChartQuery(query: "group=team&by=month&until=1&narrow=yes")
    #expect(other.subject == .group("team"))
    #expect(other.unit == .month && other.until == 1 && other.isNarrow)
  }

  @Test(
    arguments: [
      "", "counter", "counter=a&group=b", "counter=%ff", "counter=%4", "counter=%zz", "counter=a&by=second",
      "counter=a&until=0", "counter=a&until=x", "counter=a&until=253402300800000001",
    ])
  func `any other query is refused`(query: String) {
    #expect(throws: ChartQuery.Fault.self) { try ChartQuery(query: query[...]) }
  }

  @Test(
    arguments: [("by=second", "by"), ("until=soon", "until"), ("until=0", "until"), ("", nil)] as [(String, String?)])
  func `a query is told which part of it is wrong`(part: String, name: String?) {
    do {
      _ = try ChartQuery(query: "counter=a&\(part)")
      #expect(name == nil)
    } catch {
      #expect(name.map { error.sentence.hasPrefix("“\($0)” takes ") } ?? false)
    }
  }

  @Test func `a group's chart has no archived counters, and no stopwatches beside others`() throws {
    let team = [
      counter("a", group: "team"), counter("t", group: "team", isStopwatch: true),
      counter("old", group: "team", isArchived: true), counter("b"),
    ]
    #expect(try names("group=team", team) == .success(["a"]))
    #expect(try names("group=team", Array(team.dropFirst())) == .success(["t"]))
    #expect(try names("counter=old", team) == .success(["old"]))
    #expect(try names("counter=a,t", team) == .failure(Status(code: 422)))
    #expect(try names("counter=a,poeple", team) == .failure(Status(code: 404)))
    #expect(throws: Routes.Refusal.self) { try HistoryQuery(query: "counter=a,poeple").filter(in: state(team)) }
  }

  /// The bars of a group are stacked, and numbers of different units have no sum.
  @Test func `a group's chart has counters of one unit`() throws {
    var litres = counter("litres", group: "team").object ?? [:]
    litres["decimals"] = 2
    let team = [counter("t", group: "team", isStopwatch: true), counter("cups", group: "team"), .object(litres)]
    #expect(try names("group=team", team) == .success(["cups"]))
    #expect(try names("counter=cups,litres", team) == .success(["cups", "litres"]))
  }

  @Test func `a chart has 1 to 20 counters`() throws {
    let many = (0..<21).map { counter("c\($0)", group: "team") }
    #expect(try names("group=team", Array(many.dropLast())) == .success((0..<20).map { "c\($0)" }))
    #expect(try names("group=team", many) == .failure(Status(code: 422)))
    #expect(try names("group=other", many) == .failure(Status(code: 404)))
    #expect(try names("counter=nobody", many) == .failure(Status(code: 404)))
  }

  @Test func `a query names several counters, which are those of the board in its order`() throws {
    let two = [counter("a"), counter("b"), counter("c")]
    #expect(try names("counter=c,a", two) == .success(["a", "c"]))
  }

  @Test(arguments: TimeUnit.allCases)
  func `a page that ends at the start of a step shows as many as one that ends in it`(
    unit: TimeUnit
  ) throws {
    // The start of a year is that of each smaller step but a week.
    let start: Int64 = unit == .week ? 1_798_416_000_000_000 : 1_798_761_600_000_000
    func count(_ end: Int64) throws -> Int {
      try ChartQuery(query: "counter=a&by=\(unit.rawValue)&until=\(end)").frame(of: [], now: 0).bounds.count
    }
    #expect(try count(start) == count(start - 1))
  }

  @Test(
    arguments: ["", "before=3", "counter=a&group=b", "counter=a&before=0", "counter=a&before=x", "counter=a&until=-1"])
  func `another query for events is refused`(query: String) {
    #expect(throws: ChartQuery.Fault.self) { try HistoryQuery(query: query[...]) }
  }

  @Test(arguments: TimeUnit.allCases) func `a chart has at most 60 steps, the last of which contains the end`(
    unit: TimeUnit
  ) throws {
    // In summer and winter, on a boundary and between two, and at both ends of time.
    for end: Int64 in [1_795_248_000_000_000, 1_795_248_123_456_789, 1_782_000_059_999_999, 253_402_300_800_000_000, 1]
    {
      let query = try ChartQuery(query: "counter=a&by=\(unit.rawValue)&until=\(end)")
      let bounds = query.frame(of: [], now: 0).bounds
      #expect(2...61 ~= bounds.count)
      let (start, last) = (try #require(bounds.dropLast().last), try #require(bounds.last))
      #expect(start < end && end <= last)
    }
  }
}
