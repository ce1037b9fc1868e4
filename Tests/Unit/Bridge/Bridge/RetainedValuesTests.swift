import JSON
import Testing
import Varlink

@testable import Bridge

@Suite struct RetainedValuesTests {
  private let id = "00112233445566778899aabbccddeeff"
  private var state: String { "tallymark/venue/all/\(id)/state" }
  private var document: String { "homeassistant/device/tallymark-venue/\(id)/config" }

  @Test func stationsWithOtherTitlesDoNotContradictForEver() {
    var second = RetainedValues(own: "door2")
    _ = second.speaker.hear("door1", isOnline: true)
    _ = second.define(id, by: "door1", isGone: false)
    second.hear(state, #"{"value":57,"name":"People"}"#, now: 1)
    second.hear(document, "by door1", now: 1)
    func missing(_ payload: String, of topic: String) -> Bool {
      var later = second
      return !later.due(of: [Publication(topic, payload, isRetained: true)], since: 1, now: .max).due.isEmpty
    }
    #expect(!missing(#"{"value":57,"name":"Gäste"}"#, of: state))
    #expect(missing(#"{"value":58,"name":"Gäste"}"#, of: state))
    #expect(!missing("by door2", of: document))
    // What it has said itself it says again when it changes.
    second.hear(document, "by door2", now: 2, isOwn: true)
    second.hear(document, "by door2", now: 3)
    #expect(missing("by door2, now", of: document))
    // The first station says all as it sees it.
    _ = second.speaker.hear("door1", isOnline: false)
    #expect(missing(#"{"value":57,"name":"Gäste"}"#, of: state))
  }

  @Test func aFallenValueWaitsForTheTimeOfAReset() throws {
    var speech = RetainedValues(own: "door1")
    func counter(_ value: Int64) throws -> SharedCounter {
      try #require(SharedCounter(id: id, name: "people", value: value))
    }
    let second: Int64 = 1_000_000_000
    #expect(speech.hold(try counter(5), since: nil, now: 0) == nil)
    #expect(speech.hold(try counter(7), since: nil, now: second) == nil)
    // A reset, whose event comes soon.
    #expect(speech.hold(try counter(0), since: nil, now: 2 * second) == 2_400_000_000)
    #expect(speech.hold(try counter(0), since: "T", now: 2_100_000_000) == nil)
    // A subtraction, after which nothing comes.
    #expect(speech.hold(try counter(3), since: "T", now: 3 * second) == nil)
    #expect(speech.hold(try counter(2), since: "T", now: 4 * second) == 4_400_000_000)
    #expect(speech.hold(try counter(1), since: "T", now: 4_300_000_000) == 4_400_000_000)
    #expect(speech.hold(try counter(1), since: "T", now: 4_400_000_000) == nil)
    #expect(speech.hold(try counter(1), since: "T", now: 5 * second) == nil)
  }

  @Test func aCounterIsAbandonedWhenNoStationCountsIt() {
    var speech = RetainedValues(own: "door1")
    speech.hear(document, "1", now: 1)
    speech.hear(state, "1", now: 1)
    _ = speech.define(id, by: "door2", isGone: false)
    _ = speech.define(id, by: "door3", isGone: false)
    #expect(speech.abandoned == [])
    _ = speech.define(id, by: "door2", isGone: true)
    #expect(speech.abandoned == [])
    _ = speech.define(id, by: "door3", isGone: true)
    #expect(speech.abandoned == [document, state])
    speech.hear(state, "", now: 2)
    #expect(speech.abandoned == [document])
    speech.counters[id] = SharedCounter(id: id, name: "people")
    #expect(speech.abandoned == [])
  }

  @Test func ofManyStationsThatCountThoseWithTheFirstNamesAreRemembered() {
    var speech = RetainedValues(own: "z")
    for number in (1_000..<6_000).reversed() { _ = speech.define(id, by: "door\(number)", isGone: false) }
    #expect(speech.stations(of: id) == (1_000..<1_064).map { "door\($0)" } + ["z"])
    let isNews = [speech.define(id, by: "door9", isGone: false), speech.define(id, by: "door1000", isGone: false)]
    #expect(isNews == [false, false])
  }

  @Test func inventedCountersLeaveRoom() {
    var speech = RetainedValues(own: "door1")
    for number in 0..<5_000 {
      let other = String(repeating: "0", count: 28) + String(1_000 + number)
      _ = speech.define(other, by: "door9", isGone: false)
      _ = speech.define(other, by: "door9", isGone: true)
      speech.hear("tallymark/venue/all/\(number)/value", "1", now: 1)
      speech.hear("tallymark/venue/all/\(number + 5_000)/value", "1", now: 1)
    }
    _ = speech.define(id, by: "door2", isGone: false)
    #expect(speech.isDefinedElsewhere(id))
    let wanted = [Publication(state, "1", isRetained: true)]
    #expect(speech.due(of: wanted, since: 2, now: 2).due == wanted)
    speech.hear(state, "1", now: 2, isOwn: true)
    #expect(speech.due(of: wanted, since: 3, now: 3).due == [])
  }

  @Test func aStationThatLeftIsForgotten() {
    var speaker = PublisherElection(own: "door2")
    let news = [
      speaker.hear("door1", isOnline: true), speaker.forget("door1"), speaker.forget("door1"), speaker.forget("door2"),
    ]
    #expect(news == [true, true, false, false] && speaker.stations == ["door2"] && speaker.isFirst)
  }
}

@Suite struct ResetTimesTests {
  private let id = "00112233445566778899aabbccddeeff"

  private func state(_ since: String) -> String { #"{"value":1,"since":"\#(since)"}"# }
  private func message(_ number: Int) -> String {
    #"{"version":1,"counter":"\#(id)","resets":[{"entry":["\#(String(repeating: "a", count: 64))",\#(number)],"size":0}]}"#
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_764_036_061, "2025-11-25T02:01:01Z"), (-5, "1970-01-01T00:00:00Z"),
      (.max, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func aTimeIsText(seconds: Int64, text: String) { #expect(ResetTimes.text(seconds) == text) }

  @Test func aResetIsToldOnceAndKeptFromThenOn() {
    var times = ResetTimes()
    #expect(times.since(id) == nil)
    times.begin(id, at: 100)
    #expect(times.since(id) == "1970-01-01T00:01:40Z")
    times.tell(id)
    times.hear(id, state("1970-01-01T00:01:40Z"), now: 101)
    #expect(times.since(id) == "1970-01-01T00:01:40Z")
  }

  @Test func theWordOfTheStationThatSpeaksIsTaken() {
    var times = ResetTimes()
    times.begin(id, at: 100)
    times.hear(id, state("1970-01-01T00:01:38Z"), now: 100)
    #expect(times.since(id) == "1970-01-01T00:01:38Z")
    // An old state, such as of a broker that was set back, hides no reset of now.
    times.begin(id, at: 1_000)
    times.hear(id, state("1970-01-01T00:01:38Z"), now: 1_000)
    #expect(times.since(id) == "1970-01-01T00:16:40Z")
  }

  @Test(arguments: ["", "1", "2999-01-01T00:00:00Z", "1970-01-01T00:00:00+", "{{ evil template }}"])
  func anAbsurdTimeIsIgnored(since: String) {
    var times = ResetTimes()
    times.hear(id, state(since), now: 1_000)
    #expect(times.since(id) == nil)
  }

  @Test func aResetOfAnotherStationBeginsATotalOnce() {
    var times = ResetTimes()
    times.read(message(1), isNew: false, now: 50, isCounted: { _ in true })
    #expect(times.since(id) == nil)
    times.read(message(1), isNew: true, now: 60, isCounted: { _ in true })
    #expect(times.since(id) == nil)
    times.read(message(2), isNew: true, now: 70, isCounted: { _ in true })
    #expect(times.since(id) == "1970-01-01T00:01:10Z")
    for other in [
      "", "[]", #"{"resets":1}"#, #"{"counter":"x","resets":[]}"#, #"{"counter":"\#(id)","resets":[1,{"entry":[]}]}"#,
    ] {
      times.read(other, isNew: true, now: 99, isCounted: { _ in true })
    }
    #expect(times.since(id) == "1970-01-01T00:01:10Z")
  }

  @Test func resetsOfInventedCountersHideNone() {
    var times = ResetTimes()
    times.read(message(1), isNew: false, now: 50) { $0 == id }
    for number in 0..<4_200 {
      let other = String(repeating: "0", count: 32 - String(number).count) + String(number)
      times.read(message(number).replacing(id, with: other), isNew: true, now: 60) { $0 == id }
      #expect(number % 1_000 > 0 || times.since(other) == nil)
    }
    times.read(message(1), isNew: true, now: 70) { $0 == id }
    #expect(times.since(id) == nil)
    times.read(message(2), isNew: true, now: 80) { $0 == id }
    #expect(times.since(id) == "1970-01-01T00:01:20Z")
    times.forget(id)
    #expect(times.since(id) == nil)
  }
}
