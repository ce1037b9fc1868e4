import CoreAPI
import Fleet
import Testing

@testable import Bridge

@Suite struct `What is wrong with stations` {
  private static let second: Int64 = 1_000_000_000

  private func id(_ digit: Character) -> String { String(repeating: digit, count: 32) }

  private func description(of name: String, _ digit: Character) -> Received {
    Received("\(name)/station", Array("{\"version\":1,\"id\":\"\(id(digit))\"}".utf8), isRetained: false)
  }

  private func report(of name: String, _ digit: Character) -> Received {
    let writer = String(repeating: digit, count: 64)
    return Received(
      "\(name)/knows", Array("{\"version\":1,\"counters\":{},\"writer\":\"\(writer)\"}".utf8), isRetained: false)
  }

  private func station() -> StationProblems {
    var problems = StationProblems()
    problems.become("door1", id: id("1"), at: 0)
    return problems
  }

  private func hear(_ message: Received, _ problems: inout StationProblems, at now: Int64) -> [String] {
    _ = problems.read(message, at: now) { $0 }
    return problems.takeLines()
  }

  @Test func `a problem ends an hour after the last message that had it`() {
    var problems = station()
    let minute = 60 * Self.second
    for (time, isLogged) in [(0, true), (50, false)] as [(Int64, Bool)] {
      problems.note("door9 is odd.", about: "door9", at: time * minute)
      #expect(problems.takeLines() == (isLogged ? ["door9 is odd."] : []))
    }
    #expect(problems.sentences(at: 109 * minute) == ["door9 is odd."])
    #expect(problems.nextLapse(after: 109 * minute) == 110 * minute)
    #expect(problems.sentences(at: 110 * minute).isEmpty)
    #expect(problems.nextLapse(after: 110 * minute) == nil)
    // The log has it once, and people see it as long as it lasts.
    problems.note("door9 is odd.", about: "door9", at: 200 * minute)
    #expect(problems.takeLines().isEmpty)
    #expect(problems.sentences(at: 201 * minute) == ["door9 is odd."])
  }

  @Test func `two stations have one name only while both say it`() {
    var problems = station()
    #expect(hear(description(of: "door9", "a"), &problems, at: 0).isEmpty)
    #expect(hear(description(of: "door9", "b"), &problems, at: Self.second).count == 1)
    #expect(problems.sentences(at: 2 * Self.second).count == 1)
    _ = hear(description(of: "door9", "b"), &problems, at: 50 * Self.second)
    #expect(problems.sentences(at: 59 * Self.second).count == 1)
    #expect(problems.nextLapse(after: 59 * Self.second) == 60 * Self.second)
    #expect(problems.sentences(at: 61 * Self.second).isEmpty)
    #expect(!problems.isDescribing)
  }

  @Test func `a station repeats its description while another one has its name`() {
    var problems = station()
    #expect(hear(description(of: "door1", "1"), &problems, at: 0).isEmpty && !problems.isDescribing)
    #expect(hear(description(of: "door1", "a"), &problems, at: 0).count == 1 && problems.isDescribing)
    for (time, isDue) in [(1, false), (2, true)] as [(Int64, Bool)] {
      let found = problems.takeDescription(at: time * Self.second)
      #expect(found == isDue)
    }
    // A stranger cannot cause more of them.
    _ = hear(Received("door1/station", [], isRetained: false), &problems, at: 3 * Self.second)
    #expect(problems.sentences(at: 3 * Self.second).isEmpty)
    for (time, isDue) in [(11, false), (12, true)] as [(Int64, Bool)] {
      let found = problems.takeDescription(at: time * Self.second)
      #expect(found == isDue)
    }
    #expect(!problems.isDescribing)
  }

  @Test func `a copy is told by writers that come back, and by those that this station has not reported`() {
    var problems = station()
    let writer = String(repeating: "b", count: 64)
    // The report of a bridge that was killed may come later than the next bridge.
    #expect(hear(report(of: "door1", "b"), &problems, at: 0).isEmpty)
    problems.say(.init("door1/knows", isRetained: false, "{\"version\":1,\"writer\":\"\(writer)\"}"), at: 0)
    // A broker may send the own messages back. Each boot is another writer.
    for message in [report(of: "door1", "b"), report(of: "door9", "a"), report(of: "door9", "c")] {
      #expect(hear(message, &problems, at: 0).isEmpty)
    }
    #expect(!problems.report(at: 0).isCopied)
    #expect(hear(report(of: "door9", "a"), &problems, at: 0) == [problems.clash(over: "door9")])
    #expect(!problems.report(at: 0).isCopied)
    #expect(hear(report(of: "door1", "d"), &problems, at: 0) == [problems.clash(over: "door1")])
    #expect(problems.report(at: 0).isCopied && problems.sentences(at: 0).count == 2)
    // This station takes another name, and the other one is removed.
    problems.become("door2", id: id("2"), at: 0)
    problems.say(.init("door9/station", isRetained: true, ""), at: 0)
    #expect(!problems.report(at: 0).isCopied && problems.sentences(at: 0).isEmpty)
    #expect(hear(report(of: "door9", "c"), &problems, at: 0).isEmpty)
  }

  @Test func `a copy is reported beside a clash of names, also to a station that has not counted`() {
    var problems = station()
    problems.say(.init("door1/knows", isRetained: false, "{\"version\":1}"), at: 0)
    _ = hear(description(of: "door1", "a"), &problems, at: 0)
    let before = problems.report(at: 0)
    _ = hear(report(of: "door1", "b"), &problems, at: 0)
    let now = problems.report(at: 0)
    #expect(now != before && now.isCopied && now.sentences == before.sentences)
  }
}
