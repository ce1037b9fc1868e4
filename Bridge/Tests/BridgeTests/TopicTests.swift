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
    ] {
      #expect(topics.kind(of: other) == nil, "\(other)")
    }
  }

  @Test func noTwoFiltersMatchTheSameTopic() {
    func matches(_ filter: String, _ topic: String) -> Bool {
      let (filter, topic) = (filter.split(separator: "/"), topic.split(separator: "/"))
      return filter.count == topic.count && zip(filter, topic).allSatisfy { $0 == "+" || $0 == $1 }
    }
    for topic in ["station", "def/c", "reg/w/c/p", "knows", "knows/c", "answer", "online", "do", "event"] {
      let count = topics.filters.count { matches($0.text, topics.full("door1/\(topic)")) }
      #expect(count == (topic == "event" ? 0 : 1), "\(topic)")
    }
    #expect(topics.filters.count { matches($0.text, topics.full("door2/do")) } == 0)
  }
}

@Suite struct SpeakerTests {
  @Test func theFirstStationSpeaksAtOnceAndTheOthersLater() {
    var speaker = Speaker(own: "door2")
    #expect(speaker.wait == 0 && speaker.name == "door2")
    let isNews = [speaker.hear("door1", isOnline: true), speaker.hear("door1", isOnline: true)]
    #expect(isNews == [true, false])
    #expect(speaker.wait == 5_000_000_000 && speaker.name == "door1")
    _ = speaker.hear("door1", isOnline: false)
    #expect(speaker.wait == 0 && speaker.missing == ["door1"] && speaker.stations == ["door1", "door2"])
  }

  @Test func strangersNeitherSilenceNorFillIt() {
    var speaker = Speaker(own: "z")
    for number in 0..<5_000 { _ = speaker.hear("a\(number)", isOnline: true) }
    #expect(speaker.stations.count == Speaker.capacity && speaker.wait == 30_000_000_000)
  }

  @Test func aValueIsDueOnceNobodyHasSaidItForTheWait() {
    var speech = Speech(own: "door2")
    _ = speech.speaker.hear("door1", isOnline: true)
    let second: Int64 = 1_000_000_000
    let wanted = [Publication("v", "2", isRetained: true)]
    speech.hear("v", "1", now: 10 * second)
    #expect(speech.missing(of: wanted) == wanted)
    #expect(speech.due(of: wanted, since: 9 * second, now: 14 * second) == [])
    #expect(speech.due(of: wanted, since: 9 * second, now: 15 * second) == wanted)
    speech.hear("v", "2", now: 16 * second)
    #expect(speech.missing(of: wanted) == [])
  }
}

@Suite struct TroubleLogTests {
  @Test func aSentenceIsLoggedOnceWhileItLasts() {
    var log = TroubleLog()
    let first = [log.isNew("a", now: 0), log.isNew("b", now: 1), log.isNew("a", now: 2)]
    log.forget()
    let again = log.isNew("a", now: 3)
    #expect(first == [true, true, false] && again)
    let changes = [log.set("a"), log.set("a"), log.set(nil)]
    #expect(changes == [true, false, true])
    let new = (0..<1_000).count { log.isNew("\($0)", now: 4) }
    #expect(new == 1_000)
  }
}
