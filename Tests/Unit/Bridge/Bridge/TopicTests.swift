import Bridge
import Testing

@Suite struct TopicTests {
  private let topics = FleetTopics(fleet: "venue", station: "door1")!

  @Test(arguments: ["", "-a", "A", "a/b", "a+", "a#", "ä", String(repeating: "a", count: 33)])
  func aNameThatIsNoLevelIsRefused(name: String) {
    #expect(FleetTopics(fleet: name, station: "door1") == nil)
    #expect(FleetTopics(fleet: "venue", station: name) == nil)
  }

  @Test func noStationIsCalledAll() { #expect(FleetTopics(fleet: "all", station: "all") == nil) }

  @Test func topicsHaveTheirKinds() {
    #expect(topics.kind(of: "tallymark/venue/door2/reg/w/c/now") == .core("door2/reg/w/c/now"))
    #expect(topics.kind(of: "tallymark/venue/door1/station") == .core("door1/station"))
    #expect(topics.kind(of: "tallymark/venue/door2/knows/c") == .core("door2/knows/c"))
    #expect(topics.kind(of: "tallymark/venue/door2/online") == .online(station: "door2"))
    #expect(topics.kind(of: "tallymark/venue/door1/do") == .command)
    #expect(topics.kind(of: "tallymark/venue/all/c/value") == .spoken)
    #expect(topics.kind(of: "homeassistant/status") == .birth)
    for other in [
      "", "/", "tallymark", "tallymark/venue/", "tallymark/venue/door1", "tallymark/other/door2/station",
      "tallymark/venue/door2/do", "tallymark/venue/Door/station", "tallymark/venue//station",
      "tallymark/venue/door2/reg/w/c",
      "tallymark/venue/door2/online/x", "tallymark/venue/all/c",
      "tallymark/venue/door2/reg/\(String(repeating: "w", count: 200))/c/now",
      "homeassistant/device/\(String(repeating: "w", count: 200))",
    ] {
      #expect(topics.kind(of: other) == nil, "\(other)")
    }
  }

  @Test func noTwoFiltersMatchTheSameTopic() {
    func matches(_ filter: String, _ topic: String) -> Bool {
      let (filter, topic) = (filter.split(separator: "/"), topic.split(separator: "/"))
      return filter.count == topic.count && zip(filter, topic).allSatisfy { $0 == "+" || $0 == $1 }
    }
    let filters = topics.filters + [topics.commandFilter]
    for topic in ["station", "def/c", "reg/w/c/p", "knows", "knows/c", "answer", "online", "do", "echo", "event"] {
      let count = filters.count { matches($0.text, topics.full("door1/\(topic)")) }
      #expect(count == (topic == "event" ? 0 : 1), "\(topic)")
    }
    #expect(filters.count { matches($0.text, topics.full("door2/do")) } == 0)
  }
}

@Suite struct PublisherElectionTests {
  private let second: Int64 = 1_000_000_000
  private let id = "00112233445566778899aabbccddeeff"
  private func state(_ value: String) -> [Publication] {
    [Publication("tallymark/venue/all/\(id)/value", value, isRetained: true)]
  }

  @Test func stationsHaveAnOrder() {
    var speaker = PublisherElection(own: "door2")
    #expect(speaker.isFirst)
    let isNews = [speaker.hear("door1", isOnline: true), speaker.hear("door1", isOnline: true)]
    #expect(isNews == [true, false] && !speaker.isFirst)
    _ = speaker.hear("door1", isOnline: false)
    #expect(speaker.isFirst && speaker.missing == ["door1"] && speaker.stations == ["door1", "door2"])
  }

  @Test func strangersNeitherSilenceNorFillIt() {
    var speech = RetainedValues(own: "z")
    for number in 0..<PublisherElection.capacity + 300 {
      _ = speech.speaker.hear("a\(number)", isOnline: true)
      _ = speech.define(id, by: "a\(number)", isGone: false)
    }
    #expect(speech.speaker.stations.count == PublisherElection.capacity && speech.wait(for: [id]) <= 30 * second)
  }

  @Test func inventedStationsKeepNoRealOneOut() {
    var speaker = PublisherElection(own: "z")
    speaker.describe("door1", isGone: false)
    _ = speaker.hear("door1", isOnline: false)
    for number in 0..<1_100 { _ = speaker.hear("ghost\(number)", isOnline: true) }
    _ = speaker.hear("door2", isOnline: false)
    speaker.describe("door2", isGone: false)
    for number in 0..<1_100 { _ = speaker.hear("ghost\(number)", isOnline: true) }
    #expect(speaker.missing == ["door1", "door2"] && speaker.stations.count == PublisherElection.capacity)
    // Of those that describe themselves, the last ones stay.
    for number in 0..<1_100 {
      speaker.describe("ghost\(number)", isGone: false)
      _ = speaker.hear("ghost\(number)", isOnline: true)
      _ = speaker.hear("door2", isOnline: number % 2 == 0)
    }
    #expect(speaker.missing == ["door2"] && speaker.stations.contains("z"))
  }

  @Test func theFirstStationThatHasACounterSpeaksForIt() {
    var speech = RetainedValues(own: "door2")
    _ = speech.speaker.hear("door1", isOnline: true)
    // The first station of all has other counters only.
    #expect(speech.wait(for: [id]) == 0 && speech.stations(of: id) == ["door2"])
    let own = speech.due(of: state("1"), since: second, now: second)
    #expect(own.due == state("1") && own.next == nil)
    _ = speech.define(id, by: "door1", isGone: false)
    #expect(speech.wait(for: [id]) == 5 * second && speech.stations(of: id) == ["door1", "door2"])
    let others = speech.due(of: state("1"), since: second, now: second)
    #expect(others.due == [] && others.next == 6 * second)
    // It takes over at once from a station that removes the counter, or goes offline.
    _ = speech.define(id, by: "door1", isGone: true)
    #expect(speech.wait(for: [id]) == 0)
    _ = speech.define(id, by: "door1", isGone: false)
    _ = speech.speaker.hear("door1", isOnline: false)
    let last = speech.due(of: state("1"), since: second, now: second)
    #expect(speech.wait(for: [id]) == 0 && last.due == state("1"))
  }

  @Test func aValueIsDueOnceNobodyHasSaidItForTheWait() {
    var speech = RetainedValues(own: "door2")
    _ = speech.speaker.hear("door1", isOnline: true)
    _ = speech.define(id, by: "door1", isGone: false)
    speech.hear(state("")[0].topic, "1", now: 10 * second)
    let early = speech.due(of: state("2"), since: 9 * second, now: 14 * second)
    #expect(early.due == [] && early.next == 15 * second)
    let late = speech.due(of: state("2"), since: 14 * second, now: 15 * second)
    #expect(late.due == state("2") && late.next == nil)
    speech.hear(state("")[0].topic, "2", now: 16 * second)
    let never = speech.due(of: state("2"), since: 9 * second, now: 30 * second)
    #expect(never.due == [] && never.next == nil)
  }

  @Test func aDocumentFollowsAnotherAfterTwoSeconds() {
    var speech = RetainedValues(own: "door1")
    let topic = "homeassistant/device/tallymark-venue/\(id)/config"
    speech.hear(topic, "by door0", now: 10 * second)
    let own = [Publication(topic, "by door1", isRetained: true)]
    let early = speech.due(of: own, since: 11 * second, now: 11 * second)
    #expect(early.due == [] && early.next == 12 * second)
    let late = speech.due(of: own, since: 11 * second, now: 12 * second)
    #expect(late.due == own)
  }
}
