import Bridge
import Testing

@Suite struct ProblemLogTests {
  private let second: Int64 = 1_000_000_000

  @Test func aSentenceIsLoggedOnce() {
    var log = ProblemLog()
    let first = [log.isNew("a", now: 0), log.isNew("b", now: 1), log.isNew("a", now: 2)]
    #expect(first == [true, true, false])
    // Strangers do not fill the log.
    let new = (0..<1_000).count { log.isNew("\($0)", isQuote: true, now: 4) }
    #expect(new == 64)
    let other = log.isNew("d", now: 5)
    #expect(other)
    let later = [
      log.isNew("c", now: 500 * second), log.isNew("c", now: 601 * second), log.isNew("a", now: 602 * second),
    ]
    #expect(later == [true, true, true])
  }

  @Test func aConnectionThatComesBackIsLogged() {
    var log = ProblemLog()
    #expect(log.set("well", isWell: true, now: 0) == "well")
    #expect(log.set("lost", isWell: false, now: 20 * second) == "lost")
    #expect(log.set("lost", isWell: false, now: 21 * second) == nil)
    #expect(log.set("well", isWell: true, now: 22 * second) == "well" && log.dueTime == nil)
  }

  @Test func ofSeveralTroublesTheNewOneIsLogged() {
    var log = ProblemLog()
    #expect(log.set("a", news: "a", isWell: false, now: 0) == "a")
    #expect(log.set("a b", news: "b", isWell: false, now: 1) == "b" && log.dueTime == nil)
    #expect(log.set("b", isWell: false, now: 2) == nil)
    #expect(log.lastingState(now: 11 * second) == "b")
  }

  @Test func aConnectionThatComesAndGoesIsLoggedOnceAndTheTruthAtTheEnd() {
    var log = ProblemLog()
    _ = log.set("well", isWell: true, now: 0)
    var lines: [String] = []
    for turn: Int64 in 0..<20 {
      lines += [log.set("lost", isWell: false, now: (2 * turn + 1) * second)].compactMap(\.self)
      lines += [log.set("well", isWell: true, now: (2 * turn + 2) * second)].compactMap(\.self)
    }
    #expect(lines == ["lost", "well"])
    #expect(log.set("lost", isWell: false, now: 41 * second) == nil && log.dueTime == 51 * second)
    #expect(log.lastingState(now: 50 * second) == nil)
    #expect(log.lastingState(now: 51 * second) == "lost" && log.dueTime == nil)
    // A connection that has lasted ends the memory.
    #expect(log.set("well", isWell: true, now: 60 * second) == "well")
    #expect(log.set("lost", isWell: false, now: 80 * second) == "lost")
  }
}

@Suite struct ProblemsTests {
  @Test func severalTroublesLastAtATime() {
    var troubles = Problems()
    let changes = [
      troubles.set(.documents, "d"), troubles.set(.values, "v"), troubles.set(.values, "v"), troubles.set(.core, "c"),
    ]
    #expect(changes == [true, true, false, true] && troubles.list == ["c", "v", "d"] && troubles.report == "v\nd")
    troubles.endConnection()
    #expect(troubles.list == ["c"] && troubles.report == nil)
  }
}

@Suite struct RefusalsTests {
  @Test func subscriptionsAreJudgedWhenAllHaveAReply() {
    let filters = FleetTopics(fleet: "venue", station: "door1")!.filters
    var refusals = Refusals()
    refusals.sent(filters[0], as: 1)
    refusals.sent(filters[1], as: 2)
    let replies = [
      refusals.reply(9, isGranted: true), refusals.reply(1, isGranted: false), refusals.reply(2, isGranted: true),
    ]
    #expect(replies == [false, false, true] && refusals.filters == [filters[0]])
    let again = refusals.takeFilters()
    #expect(again == [filters[0]] && refusals.filters == [])
  }
}
